#include <fmt/format.h>

#include <algorithm>

#include "app/import/import_file.h"

namespace ridgeline::app {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes;
  std::string_view what;
};

constexpr Magic kMagics[] = {
    {"SQLite format 3\0"sv, "an SQLite database (an nsys export?)"},
    {"PK\x03\x04"sv, "a ZIP archive; unpack it first"},
    {"\x28\xb5\x2f\xfd"sv, "data compressed with zstd; decompress it first"},
    {"\xfd"sv
     "7zXZ\0"sv,
     "data compressed with xz; decompress it first"},
    {"BZh"sv, "data compressed with bzip2; decompress it first"},
    {"\x1f\x8b"sv, "data compressed twice"},
    {"NVR\0"sv, "an ncu report"},
    // nsys refuses reports of later versions than its own.
    {"NVIDIA Tegra Profiler Report"sv,
     "an nsys report; export it first (nsys export -t sqlite FILE) with the same or a "
     "newer nsys"},
    {"\x7f"sv
     "ELF"sv,
     "a program"},
    {"\"ID\","sv, "ncu CSV"},
    {"==PROF=="sv, "ncu output"},
    {"Time (%)"sv, "nsys CSV"},
    {"<"sv, "HTML or XML"},
};

bool IsPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c >= 0x20 || c == '\n' || c == '\r' || c == '\t';
  });
}

}  // namespace

std::string DescribeForeign(std::string_view first_bytes) {
  if (first_bytes.empty()) return "an empty file";
  for (const Magic& magic : kMagics) {
    if (first_bytes.starts_with(magic.bytes)) return std::string(magic.what);
  }
  if (first_bytes.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return "only whitespace";
  }
  if (!IsPrintable(first_bytes)) return "binary data";
  constexpr size_t kShown = 40;
  std::string_view line = first_bytes.substr(0, first_bytes.find_first_of("\r\n"));
  return fmt::format("text starting with '{}{}'", line.substr(0, kShown),
                     line.size() > kShown ? "..." : "");
}

}  // namespace ridgeline::app
