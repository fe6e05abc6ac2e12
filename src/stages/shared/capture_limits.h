// pipeline.<stage>.limits: how much a built-in model does under nsys and ncu, which slow
// it down and write a record per kernel.
#pragma once

#include "config/reader.h"
#include "pipeline/workload.h"

namespace ridgeline::stages {

// Of the section of a stage. A limit that is not there has its default, null is none.
pipeline::CaptureLimits ReadCaptureLimits(config::Reader& reader);

}  // namespace ridgeline::stages
