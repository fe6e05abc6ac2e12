#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profiles/operators/operator_profile.h"

namespace ridgeline::report {

// The columns of PyTorch's own table, including those of its extras that were recorded.
// `most`: number of rows; 0: all.
std::string OperatorTableMarkdown(const profiles::OperatorProfile& profile, size_t most);

// The same by part of the network.
std::string ModuleTableMarkdown(const profiles::OperatorProfile& profile, size_t most);

// operators.md: both, in full.
std::string OperatorsMarkdown(const profiles::OperatorProfile& profile);

// Kernels, copies and memsets launched directly by an operator.
struct OperatorDeviceTime {
  std::string name;
  int64_t calls = 0;
  int64_t self_ns = 0;
};

// The section of operators.md with these, by descending time. Empty: none.
std::string DeviceTimesMarkdown(const std::vector<OperatorDeviceTime>& operators);

// What was profiled, without a full stop: "One pass over page.png, 12 tokens", "Call 3 of
// Net.forward"; without tokens if there are none.
std::string ProfiledPassSentence(const profiles::OperatorProfile& profile);

// Profiling overhead of the recorded pass, in one sentence.
std::string CostSentence(const profiles::OperatorProfile& profile);

}  // namespace ridgeline::report
