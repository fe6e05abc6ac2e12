#include "app/import/import_file.h"

#include <memory>
#include <string_view>
#include <utility>

#include "base/byte_source.h"
#include "os/file_source.h"
#include "profiles/shared/gzip.h"
#include "profiles/torch_trace/torch_trace.h"

namespace ridgeline::app {
namespace {

// Bytes used to detect the format.
constexpr size_t kHeadBytes = 4096;

// A source with lookahead.
class PeekSource final : public ByteSource {
 public:
  explicit PeekSource(ByteSource& source) : source_(source) {}

  Result<std::string_view> Peek() {
    head_.resize(kHeadBytes);
    size_t used = 0;
    while (used < head_.size()) {
      RIDGELINE_TRY(const size_t count, source_.Read(std::span(head_).subspan(used)));
      if (count == 0) break;
      used += count;
    }
    head_.resize(used);
    rest_ = head_;
    return rest_;
  }

  Result<size_t> Read(std::span<char> into) override {
    if (rest_.empty()) return source_.Read(into);
    const size_t count = rest_.copy(into.data(), into.size());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  ByteSource& source_;
  std::string head_;
  std::string_view rest_;
};

Result<results::TraceRows> ReadText(ByteSource& text) {
  PeekSource peeked(text);
  RIDGELINE_TRY(const std::string_view head, peeked.Peek());
  if (!profiles::MayBeTorchTrace(head)) {
    return Error(ErrorCode::kParse,
                 "expected a PyTorch trace, got " + DescribeForeign(head));
  }
  return profiles::ReadTorchTrace(peeked);
}

// Errors do not name the file yet.
Result<results::TraceRows> ReadAny(ByteSource& file) {
  PeekSource peeked(file);
  RIDGELINE_TRY(const std::string_view head, peeked.Peek());
  if (!profiles::IsGzip(head)) return ReadText(peeked);
  RIDGELINE_TRY(const std::unique_ptr<profiles::GunzipSource> text,
                profiles::GunzipSource::Create(peeked));
  Result<results::TraceRows> rows = ReadText(*text);
  if (!rows.ok()) return std::move(rows).error().While("decompressed");
  return rows;
}

// Counts bytes: pipes have no size.
class CountingSource final : public ByteSource {
 public:
  explicit CountingSource(ByteSource& source) : source_(source) {}

  Result<size_t> Read(std::span<char> into) override {
    Result<size_t> count = source_.Read(into);
    if (count.ok()) bytes_ += static_cast<int64_t>(count.value());
    return count;
  }
  int64_t bytes() const { return bytes_; }

 private:
  ByteSource& source_;
  int64_t bytes_ = 0;
};

}  // namespace

Result<ImportedTrace> ImportTrace(const std::filesystem::path& path) {
  RIDGELINE_TRY(os::FileSource file, os::FileSource::Open(path));
  CountingSource counted(file);
  Result<results::TraceRows> rows = ReadAny(counted);
  if (!rows.ok()) {
    // I/O errors, unlike format errors, include the file name.
    if (rows.error().message().starts_with(path.string())) return std::move(rows).error();
    return std::move(rows).error().While(path.string());
  }
  ImportedTrace trace = {.file = path.string(), .file_bytes = counted.bytes()};
  trace.rows = std::move(rows).value();
  trace.findings = analysis::FindingsOf(trace.rows);
  return trace;
}

}  // namespace ridgeline::app
