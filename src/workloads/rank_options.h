// pipeline.workload.ranks: its keys and their combined meaning.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "pipeline/config_keys.h"
#include "pipeline/config_values.h"
#include "ranks/rank_options.h"

namespace ridgeline::workloads {

pipeline::KeyGroup RankKeys();

// nullopt: `count` is null. `command` is the workload, whose interpreter starts torchrun.
config::Result<std::optional<ranks::RankOptions>> ReadRankOptions(
    config::Workspace& workspace, config::Node& section,
    const std::vector<std::string>& command);

}  // namespace ridgeline::workloads
