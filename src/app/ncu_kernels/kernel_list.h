// The kernels that `ridgeline ncu-kernels` is asked to profile.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::app {

struct ChosenKernel {
  std::string name;     // As the list spells it; of a bare regular expression, itself.
  std::string pattern;  // What ncu searches demangled names for.
};

// kernels:
// - name: 'void gemm<float, (int)128>(float *)'
//   regex: '^void gemm<float, \(int\)128>\(float \*\)$'
//
// Either key may be missing, and others are left alone. A regex that only repeats the
// name, quoted as Python or `ridgeline top-kernels` do it, is replaced by one that also
// matches ncu's spelling; one that somebody edited is taken as it is. `file` is for
// messages.
Result<std::vector<ChosenKernel>> ReadKernelList(std::string_view yaml,
                                                 const std::string& file);

std::vector<ChosenKernel> KernelsOfRegexes(const std::vector<std::string>& regexes);

// "kernel_0003_0a7671622339a06b4a022feebfe90426": the place in the list, from 1, and the
// MD5 of the name.
std::string DirectoryName(const std::vector<ChosenKernel>& kernels, size_t index);

}  // namespace ridgeline::app
