#pragma once

#include <filesystem>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "model_io/datasets/dataset_options.h"

namespace ridgeline::datasets {

// From a composed and validated configuration: `dataset`, with the changes made by `run`
// (dataset_subset_filelist, mode=light). Relative paths begin at `working_directory`.
config::Result<DatasetOptions> ReadOptions(
    config::Workspace& workspace, config::Node& root,
    const std::filesystem::path& working_directory);

}  // namespace ridgeline::datasets
