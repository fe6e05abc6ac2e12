#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "profiles/formats.h"

namespace ridgeline::profiles {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes;
  std::string_view what;
};

constexpr std::string_view kNsysReport = "a binary nsys report, which only nsys reads";

// Files commonly mistaken for profiles.
constexpr Magic kMagics[] = {
    {"PK\x03\x04"sv, "a ZIP archive; unpack it first"},
    {"\x28\xb5\x2f\xfd"sv, "data compressed with zstd; decompress it first"},
    {"\xfd"sv
     "7zXZ\0"sv,
     "data compressed with xz; decompress it first"},
    {"BZh"sv, "data compressed with bzip2; decompress it first"},
    {"\x1f\x8b"sv, "data compressed twice"},
    {"\xff\xfe"sv, "text encoded as UTF-16 (PowerShell's >); convert it to UTF-8"},
    {"\xfe\xff"sv, "text encoded as UTF-16; convert it to UTF-8"},
    {"NVIDIA Tegra Profiler Report"sv, kNsysReport},
    {"\x7f"sv
     "ELF"sv,
     "a program"},
    {"<"sv, "HTML or XML"},
};

bool IsPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c >= 0x20 || c == '\n' || c == '\r' || c == '\t';
  });
}

}  // namespace

bool IsNsysReport(std::string_view head, const std::filesystem::path& path) {
  const auto is_report = [&](const Magic& magic) {
    return magic.what == kNsysReport && head.starts_with(magic.bytes);
  };
  return std::any_of(std::begin(kMagics), std::end(kMagics), is_report) ||
         path.extension() == ".nsys-rep" || path.extension() == ".qdrep";
}

std::string DescribeContent(std::string_view head) {
  if (head.empty()) return "an empty file";
  for (const Format& format : Formats()) {
    if (!format.matches(head)) continue;
    // Any JSON may be a trace.
    const auto has = [head](std::string_view key) {
      return head.find(key) != std::string_view::npos;
    };
    const bool is_clear =
        format.tool != Tool::kPyTorch || has("\"traceEvents\"") || has("\"ph\"");
    return is_clear ? std::string(format.one) : "a JSON file";
  }
  for (const Magic& magic : kMagics) {
    if (head.starts_with(magic.bytes)) return std::string(magic.what);
  }
  if (head.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return "only whitespace";
  }
  if (!IsPrintable(head)) return "binary data";
  constexpr size_t kShown = 40;
  std::string_view line = head.substr(0, head.find_first_of("\r\n"));
  return fmt::format("text starting with '{}{}'", line.substr(0, kShown),
                     line.size() > kShown ? "..." : "");
}

}  // namespace ridgeline::profiles
