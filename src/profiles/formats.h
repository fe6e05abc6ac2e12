// Table of profile formats, used by `import`, `report`, `analyze`, `top-kernels` and
// their help texts. To add one, see docs/add-a-format.md.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"
#include "profiles/profile.h"

namespace ridgeline::profiles {

struct ReadOptions {
  // Read only totals per kernel if that is faster: a KernelSummary instead of NsysRows.
  bool only_kernels = false;
};

// A file with a known format.
struct Input {
  const std::filesystem::path& path;
  ByteSource& bytes;  // From the first byte, decompressed.
  // Whether the path can be reopened and read in any order: not a pipe, not compressed.
  bool is_seekable = false;
};

enum class Tool { kPyTorch, kNsys, kNcu };

struct Format {
  std::string_view id;           // In JSON and results.sqlite: "nsys_sqlite".
  Tool tool;                     // The tool that writes it...
  std::string_view tool_name;    // ...and its name in results.sqlite: "nsys stats".
  std::string_view one;          // In messages: "an nsys SQLite export".
  std::string_view help;         // One line for `ridgeline import --help`.
  std::string_view file_ending;  // For searching directories; empty: not searched.
  bool (*matches)(std::string_view head);  // Given the first 64 KiB, decompressed.
  Result<Profile> (*read)(const Input& input, const ReadOptions& options);
};

// In the order they are tried.
std::span<const Format> Formats();

// Help lines of all formats, each with `indent`.
std::string FormatsHelp(std::string_view indent);

// Detects the format from the contents, even of compressed files. Null: none of them. The
// file is opened again later, so it must not be a pipe.
Result<const Format*> FormatOf(const std::filesystem::path& path);

// Reads a file, a pipe or a gzip-compressed file, regardless of its name. Errors name the
// file; if it is not a profile of one of `tools` (default: any), they describe its actual
// contents.
Result<Profile> OpenProfile(const std::filesystem::path& path,
                            const ReadOptions& options = {},
                            std::initializer_list<Tool> tools = {});

// Describes a file with these first bytes: "a ZIP archive; unpack it first", or the
// beginning of a text. For messages only.
std::string DescribeContent(std::string_view head);

// Whether the file is a report of nsys, which must be exported first: by its content or
// its name.
bool IsNsysReport(std::string_view head, const std::filesystem::path& path);

}  // namespace ridgeline::profiles
