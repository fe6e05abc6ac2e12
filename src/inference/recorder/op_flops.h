#pragma once

#include <ATen/record_function.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ridgeline::inference {

// The products within one operator: "" for the operator itself, or a name for a part of
// a fused one ("gate").
struct OpPart {
  const char* name = "";
  uint64_t flops = 0;
};

// Two FLOPs per multiply-add. Nothing: not a GEMM or convolution.
std::optional<std::vector<OpPart>> MatrixFlops(const at::RecordFunction& op);

// Whether the name is that of a product of matrices without a formula here, such as a
// convolution in one dimension.
bool IsUncounted(std::string_view name);

}  // namespace ridgeline::inference
