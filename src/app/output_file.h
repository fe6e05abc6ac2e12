// Output files named by the user.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::app {

// Whether both paths lead to one existing file, possibly through links.
bool IsSameFile(const std::string& a, const std::string& b);

struct OutputFile {
  std::string path;
  // Text at the beginning of every such file. An existing file without it belongs to the
  // user and is not replaced.
  std::string_view marker;
  std::span<const std::string> inputs;  // Of the command; never overwritten.
};

// Fails (usage) if writing the file would destroy an input, a file of the user, or
// something other than a regular file: a device, a pipe, a directory.
Status CheckOutput(const OutputFile& file);

Status WriteOutput(const OutputFile& file, std::string_view bytes);

// The header of a table, to be used as its marker.
std::string_view FirstLine(std::string_view text);

}  // namespace ridgeline::app
