// Whose kernel is it, and what would a person call it? By its name alone, which nsys, ncu
// and PyTorch spell differently: with and without namespaces, arguments and casts.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::analysis {

struct KernelIdentity {
  std::string_view library;  // "cuBLAS", "PyTorch ATen", ...; "own" if none is known.
  std::string name;          // "GEMM 256x128x32 (BF16, ReLU)"
};

KernelIdentity IdentityOf(std::string_view kernel);

}  // namespace ridgeline::analysis
