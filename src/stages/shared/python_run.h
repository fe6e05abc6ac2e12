// A workload that is a Python program, seen through the Python agent: why nothing was
// seen, which calls are measured, and their metrics.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "collectors/python/process_files.h"
#include "pipeline/stage_context.h"
#include "profiles/model_metrics.h"

namespace ridgeline::stages {

// Why stages that look into PyTorch are skipped for other programs.
inline constexpr const char* kNotPython =
    "needs PyTorch in the workload (the command does not start Python; if it does "
    "indirectly, set pipeline.workload.python.agent=always)";

// The outcomes that all stages of a Python program share.
std::span<const pipeline::OutcomeSpec> PythonOutcomes();

// Of the run of the workload that wrote to `output`.
Result<std::vector<python::Process>> ReadPythonRun(const std::filesystem::path& output);

// Why a run has nothing to measure.
struct NotObserved {
  std::string outcome;  // "TorchNotImported"
  std::string reason;
};

// Nothing: there are calls.
std::optional<NotObserved> WhyNotObserved(std::span<const python::Process> processes);

// A stage that has nothing to measure is skipped for that reason.
pipeline::StageOutcome SkipNotObserved(const NotObserved& why,
                                       pipeline::StageContext& context);

// What the agent could not do, and modules whose inside it could not see.
void NotePython(std::span<const python::Process> processes,
                pipeline::StageContext& context);

// The same of a capture, and if no layers are in it, why. Nothing for other programs.
Status NotePythonCapture(pipeline::StageContext& context);

// The process whose trace counts: the one of CallsOf(), of those that have a trace. Null:
// none has.
const python::Process* TracedProcess(std::span<const python::Process> processes);

// The call in the trace of a process; null: none.
const python::Call* ProfiledCall(const python::Process& process);

// The calls of one kind in one process: of rank 0, or of the process that spent most time
// in calls. Kinds are not mixed: regions with `call: true`, or else the kind that took
// most time.
struct MeasuredCalls {
  const python::Process* process = nullptr;  // Null: none has calls.
  std::string name;                          // "LlamaForCausalLM.generate"
  std::vector<const python::Call*> calls;    // Without errors, in their order.
  int64_t failed = 0;                        // Those that ended with an exception.
  int64_t other = 0;  // Calls of other kinds, and of other processes.
};
MeasuredCalls CallsOf(std::span<const python::Process> processes);

// Calls that failed, and calls of other functions and processes.
void NoteCalls(const MeasuredCalls& measured, pipeline::StageContext& context);

// Of all unprofiled calls of `runs` except the first `warmup_calls` of each, if there are
// more; TTFT and inter-token latency where the program generates tokens.
profiles::ModelMetrics CallMetrics(std::span<const MeasuredCalls> runs,
                                   int64_t warmup_calls);

// One call as a sample: the whole call, prefill and decode.
profiles::ModelSample SampleOf(const python::Call& call, int64_t repeat);

}  // namespace ridgeline::stages
