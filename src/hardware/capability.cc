#include "hardware/gpu.h"

namespace ridgeline::hardware {
namespace {

struct Generation {
  Capability capability;
  int cores_per_sm = 0;
};

// CUDA C++ programming guide, "Compute Capabilities": "... CUDA cores for
// single-precision arithmetic operations" per multiprocessor.
constexpr Generation kGenerations[] = {
    {{5, 0}, 128},  {{5, 2}, 128},  {{5, 3}, 128},  {{6, 0}, 64},   {{6, 1}, 128},
    {{6, 2}, 128},  {{7, 0}, 64},   {{7, 2}, 64},   {{7, 5}, 64},   {{8, 0}, 64},
    {{8, 6}, 128},  {{8, 7}, 128},  {{8, 9}, 128},  {{9, 0}, 128},  {{10, 0}, 128},
    {{10, 3}, 128}, {{11, 0}, 128}, {{12, 0}, 128}, {{12, 1}, 128},
};

}  // namespace

std::string ToText(Capability capability) {
  return std::to_string(capability.major) + "." + std::to_string(capability.minor);
}

std::optional<int> CoresPerSm(Capability capability) {
  for (const Generation& generation : kGenerations) {
    if (generation.capability == capability) return generation.cores_per_sm;
  }
  return std::nullopt;
}

std::optional<int> SmCountOf(Capability capability, unsigned cores) {
  const std::optional<int> per_sm = CoresPerSm(capability);
  if (!per_sm || cores == 0 || cores % static_cast<unsigned>(*per_sm) != 0) {
    return std::nullopt;
  }
  return static_cast<int>(cores / static_cast<unsigned>(*per_sm));
}

}  // namespace ridgeline::hardware
