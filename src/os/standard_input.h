// Standard input of this program, for programs that are started more than once.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace ridgeline::os {

inline constexpr int kStandardInput = 0;

// The file that standard input is read from; nothing if it is not a regular file.
std::optional<std::filesystem::path> InputFile(int descriptor = kStandardInput);

// What is in a pipe.
struct PipedInput {
  bool is_waiting = false;  // Something is in it.
  // All of it, if nothing can follow: the writers are gone, and it fits into the pipe.
  std::optional<std::string> text;
};

// Looks into a pipe without reading from it, so that its reader still can:
// the lines of a script that a shell reads from its standard input, too. Waits for at
// most `wait_s` for writers to end. Nothing: standard input is not a pipe.
std::optional<PipedInput> PeekInput(double wait_s, int descriptor = kStandardInput);

// Reads standard input to its end; an error if that is more than `limit` bytes.
// `on_wait` is called once if the end is not there within a second.
Result<std::string> ReadInput(size_t limit, const std::function<void()>& on_wait,
                              int descriptor = kStandardInput);

}  // namespace ridgeline::os
