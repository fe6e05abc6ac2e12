#pragma once

#include <string>
#include <string_view>

namespace ridgeline::analysis {

// A regular expression for ncu's --kernel-name that matches a kernel by the demangled
// name that nsys or PyTorch gave it. The tools spell the same name differently:
//   nsys   void gemm<float, (int)128, (bool)1>(T1 *)
//   ncu    void gemm<float, 128, true>(T1*)
// so that casts of numbers, spellings of truth and spaces do not count. It is not
// anchored.
std::string NcuNamePattern(std::string_view demangled);

}  // namespace ridgeline::analysis
