// Sebastiano Vigna's SplitMix64 as a function of a counter: random numbers that are the
// same on every machine, unlike those of <random>'s distributions.
#pragma once

#include <cstdint>

namespace ridgeline {

// 2^64 divided by the golden ratio, odd: its multiples cover all 64-bit numbers.
inline constexpr uint64_t kSplitMixStep = 0x9E3779B97F4A7C15;

// Bijective; flipping one bit of `x` flips about half of the output bits.
constexpr uint64_t MixBits(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

// Element `index` (0, 1, ...) of the generator's sequence for the seed `key`.
constexpr uint64_t SplitMix64At(uint64_t key, uint64_t index) {
  return MixBits(key + (index + 1) * kSplitMixStep);
}

}  // namespace ridgeline
