#include "app/output_file.h"

#include <filesystem>

#include "app/flags.h"
#include "os/file_source.h"
#include "os/files.h"

namespace ridgeline::app {
namespace {

namespace fs = std::filesystem;

constexpr size_t kHeadBytes = 65536;

Result<std::string> FirstBytesOf(const std::string& path) {
  RIDGELINE_TRY(os::FileSource file, os::FileSource::Open(path));
  std::string head(kHeadBytes, '\0');
  size_t count = 0;
  while (count < head.size()) {
    RIDGELINE_TRY(const size_t more, file.Read(std::span(head).subspan(count)));
    if (more == 0) break;
    count += more;
  }
  head.resize(count);
  return head;
}

}  // namespace

bool IsSameFile(const std::string& a, const std::string& b) {
  std::error_code ignored;  // Missing files are not the same.
  return fs::equivalent(a, b, ignored);
}

Status CheckOutput(const OutputFile& file) {
  if (!os::Exists(file.path)) return Ok();
  constexpr const char* kHint = "\nhint: choose another output file";
  if (!os::IsRegularFile(file.path)) {
    return UsageError(file.path + ": exists and is not a regular file" + kHint);
  }
  for (const std::string& input : file.inputs) {
    if (IsSameFile(input, file.path)) {
      return UsageError(file.path + ": is an input of this command" + kHint);
    }
  }
  RIDGELINE_TRY(const std::string head, FirstBytesOf(file.path));
  if (head.empty() || head.find(file.marker) != head.npos) return Ok();
  return UsageError(file.path + ": exists and was not written by this command" + kHint);
}

Status WriteOutput(const OutputFile& file, std::string_view bytes) {
  RIDGELINE_RETURN_IF_ERROR(CheckOutput(file));
  return os::WriteFileAtomically(file.path, bytes);
}

std::string_view FirstLine(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace ridgeline::app
