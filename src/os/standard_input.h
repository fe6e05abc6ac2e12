// Standard input of this program, for workloads that are started more than once.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace ridgeline::os {

inline constexpr int kStandardInput = 0;

// The file that is standard input, at its start; empty if it is not a regular file, has
// been partly read, or has been deleted.
std::optional<std::filesystem::path> InputFile(int descriptor = kStandardInput);

enum class InputKind { kFile, kPipe, kSocket, kDevice };

// The input that can still be read.
struct PeekedInput {
  InputKind kind = InputKind::kPipe;
  bool is_waiting = false;  // There is some input.
  // The complete input, if nothing can follow: the rest of a file, within the limit, or
  // of a pipe if its writers are gone.
  std::optional<std::string> text;
};

struct PeekLimits {
  double wait_s = 0;  // For writers to finish.
  size_t bytes = 0;   // Limit for a file.
};

// Inspects standard input without consuming it, so that its reader still can, e.g. a
// shell that reads its script from standard input. Empty: it is closed, a terminal or
// /dev/null.
std::optional<PeekedInput> PeekInput(const PeekLimits& limits,
                                     int descriptor = kStandardInput);

// Reads standard input to its end; an error if it is longer than `limit` bytes. `on_wait`
// is called once if the end is not reached within a second.
Result<std::string> ReadInput(size_t limit, const std::function<void()>& on_wait,
                              int descriptor = kStandardInput);

}  // namespace ridgeline::os
