#pragma once

#include <filesystem>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "model_io/datasets/dataset_options.h"

namespace ridgeline::datasets {

// From a composed configuration that has been checked: `dataset`, and what `run` changes
// of it (dataset_subset_filelist, mode=light). Relative paths begin at
// `working_directory`.
config::Result<DatasetOptions> ReadOptions(
    config::Workspace& workspace, config::Node& root,
    const std::filesystem::path& working_directory);

}  // namespace ridgeline::datasets
