// The command line of `ridgeline ncu-kernels`.
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
  std::string kernel_config;          // Empty: none. Else a YAML file.
  std::vector<std::string> regexes;   // Without a file: at least one.
  std::string output_dir;             // Empty: one with the time in its name.
  std::optional<size_t> top;          // Only so many of the file's first kernels.
  std::vector<std::string> sections;  // Those of every run and the extra ones.
  int64_t skip = 200;                 // Launches of a kernel before the first...
  int64_t count = 1;                  // ...of so many that are profiled.
  bool force_overwrite = false;
  bool run_per_kernel = false;
  std::vector<std::string> application;  // Its argv.
};

std::span<const Flag> NcuKernelsFlags();

// `flags` are those before "--", `application` is the command after it.
Result<NcuKernelsOptions> ReadNcuKernelsOptions(const ParsedFlags& flags,
                                                std::vector<std::string> application);

}  // namespace ridgeline::app
