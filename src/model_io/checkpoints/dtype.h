// The types of numbers that a .safetensors file may hold, and what a tensor of them
// needs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ridgeline::checkpoints {

enum class DType { kF64, kF32, kF16, kBf16, kI64, kI32, kI16, kI8, kU8, kBool };

// The word of the file format: "BF16".
std::string_view ToText(DType dtype);

// Nothing for words that we do not read, such as "F8_E4M3".
std::optional<DType> ParseDType(std::string_view word);

int64_t SizeBytes(DType dtype);

// The product of all, 1 for no dimension; nothing if it has no place in 63 bits on the
// way, or if a dimension is negative.
std::optional<int64_t> NumElements(std::span<const int64_t> shape);
std::optional<int64_t> SizeBytes(DType dtype, std::span<const int64_t> shape);

// "[2, 3]".
std::string ToText(std::span<const int64_t> shape);

}  // namespace ridgeline::checkpoints
