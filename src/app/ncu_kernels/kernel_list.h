// Kernels to be profiled by `ridgeline ncu-kernels`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::app {

struct ChosenKernel {
  std::string name;     // As in the list; for a bare regular expression, itself.
  std::string pattern;  // Regular expression for demangled names.
};

// kernels:
// - name: 'void gemm<float, (int)128>(float *)'
//   regex: '^void gemm<float, \(int\)128>\(float \*\)$'
//
// Either key may be missing; others are ignored. A regex that only repeats the name,
// quoted by Python or `ridgeline top-kernels`, is replaced by one that also matches ncu's
// spelling; an edited one is used as is. `file` is for messages.
Result<std::vector<ChosenKernel>> ReadKernelList(std::string_view yaml,
                                                 const std::string& file);

std::vector<ChosenKernel> KernelsOfRegexes(const std::vector<std::string>& regexes);

// "kernel_0003_0a7671622339a06b4a022feebfe90426": the position in the list, from 1, and
// the MD5 of the name.
std::string DirectoryName(const std::vector<ChosenKernel>& kernels, size_t index);

}  // namespace ridgeline::app
