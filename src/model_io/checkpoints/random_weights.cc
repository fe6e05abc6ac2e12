#include "model_io/checkpoints/random_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#include "base/random.h"

namespace ridgeline::checkpoints {
namespace {

// Numbers are written in native byte order; the file is little-endian.
static_assert(std::endian::native == std::endian::little);

// FNV-1a.
uint64_t HashOf(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  }
  return hash;
}

// Sum of four uniform 16-bit numbers minus its mean.
int32_t CentredSum(uint64_t bits) {
  constexpr uint64_t kOddHalves = 0x0000FFFF0000FFFF;
  const uint64_t pairs = (bits & kOddHalves) + ((bits >> 16) & kOddHalves);
  const auto sum = static_cast<uint32_t>(pairs) + static_cast<uint32_t>(pairs >> 32);
  constexpr int32_t kMean = 4 * 0xFFFF / 2;
  return static_cast<int32_t>(sum) - kMean;
}

// Square root of four times the variance of one number, (2^32 - 1) / 12.
constexpr double kSumStandardDeviation = 37837.22723720648;

// A sum is exact as a float, so a weight is rounded once, in the multiplication, with the
// same result on every machine. Adding a mean would break that: some machines fuse the
// two.
float ScaleOf(float standard_deviation) {
  return static_cast<float>(static_cast<double>(standard_deviation) /
                            kSumStandardDeviation);
}

float WeightAt(uint64_t key, float scale, uint64_t index) {
  return static_cast<float>(CentredSum(SplitMix64At(key, index))) * scale;
}

// T: representation of the dtype in the file.
template <typename T, typename ValueAt>
void FillWith(std::span<std::byte> chunk, ValueAt value_at) {
  assert(chunk.size() % sizeof(T) == 0);
  // The chunk may not be aligned for T, so values are computed in an aligned array and
  // copied.
  std::array<T, 512> block;
  for (size_t done = 0; done < chunk.size();) {
    const size_t count = std::min(block.size(), (chunk.size() - done) / sizeof(T));
    for (size_t i = 0; i < count; ++i) block[i] = value_at(done / sizeof(T) + i);
    std::memcpy(chunk.data() + done, block.data(), count * sizeof(T));
    done += count * sizeof(T);
  }
}

Error WrongDType(DType dtype) {
  return {ErrorCode::kUnsupported,
          fmt::format("unsupported dtype {} for random weights; expected F32 or BF16",
                      ToText(dtype))};
}

}  // namespace

uint64_t RandomKey(uint64_t seed, std::string_view tensor_name) {
  return MixBits(MixBits(seed + kSplitMixStep) ^ HashOf(tensor_name));
}

float RandomWeight(uint64_t key, float standard_deviation, uint64_t index) {
  return WeightAt(key, ScaleOf(standard_deviation), index);
}

Status FillRandom(const RandomFill& fill, int64_t offset_bytes,
                  std::span<std::byte> chunk) {
  const uint64_t key = fill.key;
  const float scale = ScaleOf(fill.standard_deviation);
  assert(offset_bytes >= 0 && offset_bytes % SizeBytes(fill.dtype) == 0);
  const auto first = static_cast<uint64_t>(offset_bytes / SizeBytes(fill.dtype));
  if (fill.dtype == DType::kF32) {
    FillWith<float>(chunk, [=](uint64_t i) { return WeightAt(key, scale, first + i); });
    return Ok();
  }
  if (fill.dtype == DType::kBf16) {
    FillWith<uint16_t>(
        chunk, [=](uint64_t i) { return FloatToBf16(WeightAt(key, scale, first + i)); });
    return Ok();
  }
  return WrongDType(fill.dtype);
}

Status FillConstant(float value, DType dtype, std::span<std::byte> chunk) {
  if (dtype == DType::kF32) {
    FillWith<float>(chunk, [=](uint64_t) { return value; });
    return Ok();
  }
  if (dtype == DType::kBf16) {
    FillWith<uint16_t>(chunk, [bits = FloatToBf16(value)](uint64_t) { return bits; });
    return Ok();
  }
  return WrongDType(dtype);
}

}  // namespace ridgeline::checkpoints
