// Stage static_analysis for Python programs: the model as observed by the Python agent,
// and the FLOPs of its first call.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/trace_findings.h"
#include "base/result.h"
#include "collectors/python/process_files.h"
#include "pipeline/stage_context.h"
#include "profiles/model_summary.h"

namespace ridgeline::stages {

pipeline::StagePlan PlanPythonModel(const pipeline::StagePlace& place);
pipeline::StageOutcome RunPythonModel(pipeline::StageContext& context);

// Bytes of the keys and values of one token in all layers, from a Hugging Face config; in
// `dtype`, the type of the weights, if the config has none.
struct KvCache {
  std::optional<int64_t> bytes_per_token;
  std::string basis;
};
KvCache KvCacheOf(std::string_view config_json, std::string_view dtype);

// The model with the most parameters; nullopt: none was described.
std::optional<profiles::ModelSummary> SummaryOf(
    std::span<const python::Process> processes);

// Adds the FLOPs of a call, given the findings of its trace.
void AddCall(const python::Call& call, const analysis::TraceFindings& findings,
             const StringPool& names, profiles::ModelSummary& summary);

}  // namespace ridgeline::stages
