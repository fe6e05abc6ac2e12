// pipeline.<stage>.limits: limits the work of a built-in model under nsys and ncu, which
// slow it down and write a record per kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/reader.h"
#include "pipeline/stage.h"

namespace ridgeline::stages {

// From the section of a stage. A missing limit has its default; null means no limit, and
// so does run.representative_max_new_tokens for the tokens.
config::Result<pipeline::CaptureLimits> ReadCaptureLimits(
    const pipeline::StageConfig& config, config::Reader& reader);

// Whether the user's arguments for nsys or ncu are about NVTX: "--nvtx", "-t cuda,nvtx".
bool MentionNvtx(const std::vector<std::string>& arguments);

// "at most 1 page, 1 pass, 512 tokens ..." for people; empty: no limits, or not a model.
std::string LimitsNote(std::string_view stage, const pipeline::Workload& workload,
                       const pipeline::CaptureLimits& limits);

}  // namespace ridgeline::stages
