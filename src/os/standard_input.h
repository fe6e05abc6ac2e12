// Standard input of this program, for programs that are started more than once.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace ridgeline::os {

inline constexpr int kStandardInput = 0;

// The file that standard input is read from, from its start; nothing if it is not a
// regular file, has been read in part, or has been deleted.
std::optional<std::filesystem::path> InputFile(int descriptor = kStandardInput);

enum class InputKind { kFile, kPipe, kSocket, kDevice };

// What can still be read.
struct PeekedInput {
  InputKind kind = InputKind::kPipe;
  bool is_waiting = false;  // There is something.
  // All of it, if nothing can follow: the rest of a file, within the limit; of a
  // pipe if its writers are gone.
  std::optional<std::string> text;
};

struct PeekLimits {
  double wait_s = 0;  // For writers to end.
  size_t bytes = 0;   // Of a file.
};

// Looks at standard input without reading from it, so that its reader still can:
// the lines of a script that a shell reads from its standard input, too. Nothing: it is
// closed, a terminal or /dev/null.
std::optional<PeekedInput> PeekInput(const PeekLimits& limits,
                                     int descriptor = kStandardInput);

// Reads standard input to its end; an error if that is more than `limit` bytes.
// `on_wait` is called once if the end is not there within a second.
Result<std::string> ReadInput(size_t limit, const std::function<void()>& on_wait,
                              int descriptor = kStandardInput);

}  // namespace ridgeline::os
