#include "analysis/communication.h"

#include <algorithm>
#include <array>
#include <string>

namespace ridgeline::analysis {
namespace {

// Substrings of names, in lower case. "reduce" and "gather" alone would also match
// ordinary kernels.
constexpr std::array<std::string_view, 16> kSuspects = {
    "deep_ep",    "nvshmem",    "rocshmem",       "msccl",
    "oneccl",     "all_reduce", "allreduce",      "cross_device_reduce",
    "all_gather", "allgather",  "reduce_scatter", "reducescatter",
    "all_to_all", "alltoall",   "one_shot",       "multimem",
};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

KernelRole RoleOf(std::string_view kernel) {
  std::string lower(kernel);
  std::transform(lower.begin(), lower.end(), lower.begin(), Lower);
  const auto holds = [&](std::string_view part) {
    return lower.find(part) != std::string::npos;
  };
  if (holds("nccl")) return KernelRole::kCommunication;
  return std::any_of(kSuspects.begin(), kSuspects.end(), holds) ? KernelRole::kSuspected
                                                                : KernelRole::kCompute;
}

}  // namespace ridgeline::analysis
