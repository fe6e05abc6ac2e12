#pragma once

#include <cstddef>
#include <string>

#include "profiles/operators/operator_profile.h"

namespace ridgeline::report {

// The columns of PyTorch's own table, and those of its extras that were recorded.
// `most`: rows; 0: all.
std::string OperatorTableMarkdown(const profiles::OperatorProfile& profile, size_t most);

// The same for the parts of the network.
std::string ModuleTableMarkdown(const profiles::OperatorProfile& profile, size_t most);

// operators.md: both, whole.
std::string OperatorsMarkdown(const profiles::OperatorProfile& profile);

// How the pass was slowed down by being recorded, in one sentence.
std::string CostSentence(const profiles::OperatorProfile& profile);

}  // namespace ridgeline::report
