#pragma once

#include <filesystem>
#include <iostream>

#include "base/printable_stream.h"
#include "base/result.h"
#include "os/file_descriptor.h"

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

// Appends stdout and stderr of this process to a file, until it is destroyed.
class OutputInFile {
 public:
  static Result<OutputInFile> Begin(const std::filesystem::path& path);
  ~OutputInFile();
  OutputInFile(OutputInFile&&) = default;

 private:
  OutputInFile(FileDescriptor out, FileDescriptor err)
      : out_(std::move(out)), err_(std::move(err)) {}

  FileDescriptor out_;  // Where they went before.
  FileDescriptor err_;
};

}  // namespace ridgeline::os
