#pragma once

#include <string>

namespace ridgeline::inference {

// Text of `ridgeline-model --version`, one "key value" per line:
//   libtorch 2.13.0
//   cuda 12.8                          "none": CPU-only build
//   architectures sm_80 compute_90     of the CUDA build
//   gpus 1                             visible to libtorch
std::string BuildInfo();

// The lines "cuda" and "architectures" from at::show_config().
std::string CudaLines(const std::string& show_config);

}  // namespace ridgeline::inference
