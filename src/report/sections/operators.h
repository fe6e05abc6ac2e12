#pragma once

#include <cstddef>
#include <string>

#include "profiles/operators/operator_profile.h"

namespace ridgeline::reports {

// The columns of PyTorch's own table, and those of its extras that were recorded.
// `most`: rows; 0: all.
std::string OperatorTableMarkdown(const recordings::Profile& profile, size_t most);

// The same for the parts of the network.
std::string ModuleTableMarkdown(const recordings::Profile& profile, size_t most);

// operators.md: both, whole.
std::string OperatorsMarkdown(const recordings::Profile& profile);

// How the pass was slowed down by being recorded, in one sentence.
std::string CostSentence(const recordings::Profile& profile);

}  // namespace ridgeline::reports
