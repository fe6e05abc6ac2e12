#include "inference/kernels/kernels.h"

namespace ridgeline::inference::cpu {
namespace {

constexpr const Kernels* kAll[] = {
#if defined(__x86_64__)
    &kAvx512Kernels,
    &kAvx2Kernels,
#endif
    &kPortableKernels,
};

}  // namespace

std::span<const Kernels* const> AllKernels() { return kAll; }

const Kernels& BestKernels() {
  static const Kernels& best = []() -> const Kernels& {
    const Kernels* const* chosen = kAll;
    while (!(*chosen)->is_supported()) ++chosen;
    return **chosen;
  }();
  return best;
}

}  // namespace ridgeline::inference::cpu
