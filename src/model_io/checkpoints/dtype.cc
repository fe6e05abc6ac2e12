#include "model_io/checkpoints/dtype.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace ridgeline::checkpoints {
namespace {

constexpr std::array kDTypes = {
    DType::kF64, DType::kF32, DType::kF16, DType::kBf16, DType::kI64,
    DType::kI32, DType::kI16, DType::kI8,  DType::kU8,   DType::kBool,
};

}  // namespace

std::string_view ToText(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return "F64";
    case DType::kF32:
      return "F32";
    case DType::kF16:
      return "F16";
    case DType::kBf16:
      return "BF16";
    case DType::kI64:
      return "I64";
    case DType::kI32:
      return "I32";
    case DType::kI16:
      return "I16";
    case DType::kI8:
      return "I8";
    case DType::kU8:
      return "U8";
    case DType::kBool:
      return "BOOL";
  }
  return "";
}

std::optional<DType> ParseDType(std::string_view word) {
  const auto* const found =
      std::find_if(kDTypes.begin(), kDTypes.end(),
                   [word](DType candidate) { return ToText(candidate) == word; });
  if (found == kDTypes.end()) return std::nullopt;
  return *found;
}

int64_t SizeBytes(DType dtype) {
  switch (dtype) {
    case DType::kF64:
    case DType::kI64:
      return 8;
    case DType::kF32:
    case DType::kI32:
      return 4;
    case DType::kF16:
    case DType::kBf16:
    case DType::kI16:
      return 2;
    case DType::kI8:
    case DType::kU8:
    case DType::kBool:
      return 1;
  }
  return 1;
}

std::optional<int64_t> NumElements(std::span<const int64_t> shape) {
  int64_t product = 1;
  for (const int64_t dimension : shape) {
    if (dimension < 0) return std::nullopt;
    if (__builtin_mul_overflow(product, dimension, &product)) return std::nullopt;
  }
  return product;
}

std::optional<int64_t> SizeBytes(DType dtype, std::span<const int64_t> shape) {
  const std::optional<int64_t> elements = NumElements(shape);
  int64_t size_bytes = 0;
  if (!elements || __builtin_mul_overflow(*elements, SizeBytes(dtype), &size_bytes)) {
    return std::nullopt;
  }
  return size_bytes;
}

std::string ToText(std::span<const int64_t> shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace ridgeline::checkpoints
