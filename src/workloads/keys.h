#pragma once

#include <span>

#include "pipeline/config_keys.h"

namespace ridgeline::workloads {

// Keys that only workloads read: dataset, model, infer, the outputs of a model, parity
// and pipeline.workload.
std::span<const pipeline::KeyGroup> KeyGroups();

}  // namespace ridgeline::workloads
