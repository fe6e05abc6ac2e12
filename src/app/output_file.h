// Files that the user names as output of a command.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::app {

struct OutputFile {
  std::string path;
  // Text at the beginning of every such file. A file that is there without it belongs to
  // the user and is not replaced.
  std::string_view marker;
  std::span<const std::string> inputs;  // Of the command; never replaced.
};

// An error (usage) if writing the file would destroy an input, a file that is not ours,
// or what is not a regular file: a device, a pipe, a directory.
Status CheckOutput(const OutputFile& file);

Status WriteOutput(const OutputFile& file, std::string_view bytes);

// As a marker of tables: their header.
std::string_view FirstLine(std::string_view text);

}  // namespace ridgeline::app
