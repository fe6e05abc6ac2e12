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
    {"SQLite format 3\0"sv, "an SQLite database (of nsys, perhaps)"},
    {"PK\x03\x04"sv, "a ZIP archive; unpack it first"},
    {"\x28\xb5\x2f\xfd"sv, "data compressed with zstd; decompress it first"},
    {"\xfd"sv
     "7zXZ\0"sv,
     "data compressed with xz; decompress it first"},
    {"BZh"sv, "data compressed with bzip2; decompress it first"},
    {"\x1f\x8b"sv, "data that was compressed twice"},
    {"NVR\0"sv, "a report of ncu"},
    // nsys refuses reports of later versions than its own.
    {"NVIDIA Tegra Profiler Report"sv,
     "a report of nsys; export it first (nsys export -t sqlite FILE), with the nsys that "
     "has recorded it or a newer one"},
    {"\x7f"sv
     "ELF"sv,
     "a program"},
    {"\"ID\","sv, "CSV of ncu"},
    {"==PROF=="sv, "output of ncu"},
    {"Time (%)"sv, "CSV of nsys"},
    {"<"sv, "HTML or XML"},
};

bool IsPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c >= 0x20 || c == '\n' || c == '\r' || c == '\t';
  });
}

}  // namespace

std::string DescribeForeign(std::string_view first_bytes) {
  if (first_bytes.empty()) return "nothing: the file is empty";
  for (const Magic& magic : kMagics) {
    if (first_bytes.starts_with(magic.bytes)) return std::string(magic.what);
  }
  if (first_bytes.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return "nothing but spaces";
  }
  if (!IsPrintable(first_bytes)) return "binary data";
  constexpr size_t kShown = 40;
  std::string_view line = first_bytes.substr(0, first_bytes.find_first_of("\r\n"));
  return fmt::format("text that begins with '{}{}'", line.substr(0, kShown),
                     line.size() > kShown ? "..." : "");
}

}  // namespace ridgeline::app
