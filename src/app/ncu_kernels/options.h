// Command line of `ridgeline ncu-kernels`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/flags.h"
#include "base/result.h"

namespace ridgeline::app {

struct NcuKernelsOptions {
  std::string kernel_config;          // YAML file; empty: none.
  std::vector<std::string> regexes;   // At least one if there is no file.
  std::string output_dir;             // Empty: a directory named after the time.
  std::optional<size_t> top;          // Only the first kernels of the file.
  std::vector<std::string> sections;  // Those of every run and additional ones.
  int64_t skip = 200;                 // Launches of a kernel to skip...
  int64_t count = 1;                  // ...and how many to profile then.
  bool force_overwrite = false;
  bool run_per_kernel = false;
  std::vector<std::string> application;  // argv of the application.
};

std::span<const Flag> NcuKernelsFlags();

// `flags`: those before "--"; `application`: the command after it.
Result<NcuKernelsOptions> ReadNcuKernelsOptions(const ParsedFlags& flags,
                                                std::vector<std::string> application);

}  // namespace ridgeline::app
