// Command line of `ridgeline-model`.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "inference/options.h"

namespace ridgeline::inference {

struct Arguments {
  bool help = false;
  bool version = false;
  Task task = Task::kRun;
  std::string config_file;
  std::string output_directory;
  bool resume = false;
};

// `words`: the arguments after the program name.
Result<Arguments> ParseArguments(std::span<const std::string> words);

// Text of `ridgeline-model --help`.
std::string Usage();

// Part of the interface: stages and scripts test them.
enum class ModelExit : int {
  kDone = 0,
  kFailed = 1,
  kUsage = 2,  // Wrong arguments or configuration.
  // The predictions differ from parity.reference; see parity.json. Not used for captures.
  kDiffers = 3,
};

}  // namespace ridgeline::inference
