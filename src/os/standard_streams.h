#pragma once

#include <iostream>

#include "base/printable_stream.h"
#include "base/result.h"

namespace ridgeline::os {

// The output of a program. Made once, in main(): nothing else writes to stdout or stderr,
// so that names in profiles and output of workloads never control the terminal.
struct StandardStreams {
  StandardStreams() { err << std::unitbuf; }

  // An error if this or any earlier write to stdout failed, for example because the disk
  // is full: the reader would otherwise take truncated output for all of it.
  Status Flush();

  PrintableStream out{std::cout};
  PrintableStream err{std::cerr};
};

}  // namespace ridgeline::os
