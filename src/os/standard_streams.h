#pragma once

#include <filesystem>
#include <iostream>

#include "base/printable_stream.h"
#include "base/result.h"
#include "os/file_descriptor.h"

namespace ridgeline::os {

// The output of a program. Created once, in main(): nothing else writes to stdout or
// stderr, so that names in profiles and workload output never control the terminal.
struct StandardStreams {
  StandardStreams() { err << std::unitbuf; }

  // An error if this or any earlier write to stdout failed, e.g. because the disk is
  // full: truncated output could otherwise pass for complete.
  Status Flush();

  PrintableStream out{std::cout};
  PrintableStream err{std::cerr};
};

// Appends stdout and stderr of this process to a file until destroyed.
class OutputInFile {
 public:
  static Result<OutputInFile> Begin(const std::filesystem::path& path);
  ~OutputInFile();
  OutputInFile(OutputInFile&&) = default;

 private:
  OutputInFile(FileDescriptor out, FileDescriptor err)
      : out_(std::move(out)), err_(std::move(err)) {}

  FileDescriptor out_;  // The previous targets.
  FileDescriptor err_;
};

}  // namespace ridgeline::os
