// The generation of an NVIDIA GPU, as CUDA counts them: 8.0 is an A100.
#pragma once

#include <compare>
#include <optional>
#include <string>

namespace ridgeline::hardware {

struct Capability {
  int major = 0;
  int minor = 0;

  // clang-tidy 14 takes the comparison with 0 inside for one with a pointer.
  // NOLINTNEXTLINE(modernize-use-nullptr)
  auto operator<=>(const Capability&) const = default;
};

std::string ToText(Capability capability);  // "8.0"

// CUDA cores (lanes that multiply fp32) of one streaming multiprocessor. Nothing for a
// generation that we do not know.
std::optional<int> CoresPerSm(Capability capability);

// How many multiprocessors have so many cores. Nothing if the number cannot be right.
std::optional<int> SmCountOf(Capability capability, unsigned cores);

}  // namespace ridgeline::hardware
