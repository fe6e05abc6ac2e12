// Library and short readable name of a kernel, from its name alone. nsys, ncu and PyTorch
// spell names differently: with or without namespaces, arguments and casts.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::analysis {

struct KernelIdentity {
  std::string_view library;  // "cuBLAS", "PyTorch ATen", ...; "own" if unknown.
  std::string name;          // "GEMM 256x128x32 (BF16, tensor cores)"
};

// "void ns::f<a, b>(int)" -> "f". Scopes truncated by ncu are kept: "unnamed>::f".
std::string FunctionOf(std::string_view kernel);

KernelIdentity IdentityOf(std::string_view kernel);

// Whether it multiplies FP32 matrices without tensor cores (cuBLAS and CUTLASS "sgemm"),
// not with TF32 and not with 16-bit inputs.
bool IsFp32GemmWithoutTensorCores(std::string_view kernel);

}  // namespace ridgeline::analysis
