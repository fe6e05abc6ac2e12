#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profiles/operators/operator_profile.h"

namespace ridgeline::report {

// The columns of PyTorch's own table, and those of its extras that were recorded.
// `most`: rows; 0: all.
std::string OperatorTableMarkdown(const profiles::OperatorProfile& profile, size_t most);

// The same for the parts of the network.
std::string ModuleTableMarkdown(const profiles::OperatorProfile& profile, size_t most);

// operators.md: both, whole.
std::string OperatorsMarkdown(const profiles::OperatorProfile& profile);

// Kernels, copies and memsets that an operator launched itself.
struct OperatorDeviceTime {
  std::string name;
  int64_t calls = 0;
  int64_t self_ns = 0;
};

// The section of operators.md with these, the most time first. Empty: none.
std::string DeviceTimesMarkdown(const std::vector<OperatorDeviceTime>& operators);

// How the pass was slowed down by being recorded, in one sentence.
std::string CostSentence(const profiles::OperatorProfile& profile);

}  // namespace ridgeline::report
