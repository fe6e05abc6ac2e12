// The formats of profiles, each a row of one table: `import`, `report`, `analyze`,
// `top-kernels` and their help texts read it. To add one, see docs/add-a-format.md.
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
  // Read only totals per kernel where that is faster: a KernelSummary instead of
  // NsysRows.
  bool only_kernels = false;
};

// A file whose format is known.
struct Input {
  const std::filesystem::path& path;
  ByteSource& bytes;  // From the first byte on, decompressed.
  // A path can be opened again and read in any order, unless it is a pipe or compressed.
  bool is_seekable = false;
};

enum class Tool { kPyTorch, kNsys, kNcu };

struct Format {
  std::string_view id;         // In JSON and results.sqlite: "nsys_sqlite".
  Tool tool;                   // That writes it...
  std::string_view tool_name;  // ...and how results.sqlite names it: "nsys stats".
  std::string_view one;        // In messages: "an nsys SQLite export".
  std::string_view help;       // A line of `ridgeline import --help`.
  std::string_view
      file_ending;  // By which directories are searched; empty: they are not.
  bool (*matches)(std::string_view head);  // By the first 64 KiB, decompressed.
  Result<Profile> (*read)(const Input& input, const ReadOptions& options);
};

// In the order in which they are tried.
std::span<const Format> Formats();

// The lines of help of all formats, each with `indent`.
std::string FormatsHelp(std::string_view indent);

// By content, also of compressed files. Nullptr: none of them. The file can be opened
// again, so it must not be a pipe.
Result<const Format*> FormatOf(const std::filesystem::path& path);

// Reads a file, a pipe or a file compressed with gzip, whatever its name is. Errors name
// the file; if its content is not a profile of one of `tools` (none given: of any), they
// describe what was found instead.
Result<Profile> OpenProfile(const std::filesystem::path& path,
                            const ReadOptions& options = {},
                            std::initializer_list<Tool> tools = {});

// What a file with these first bytes seems to be: "a ZIP archive; unpack it first", or
// text with its beginning. For messages only.
std::string DescribeContent(std::string_view head);

}  // namespace ridgeline::profiles
