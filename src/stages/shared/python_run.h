// A Python workload as observed by the Python agent: why nothing was observed, which
// calls are measured, and their metrics.
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

// Why stages that need PyTorch are skipped for other programs.
inline constexpr const char* kNotPython =
    "not a Python program (pipeline.workload.python.agent=always if it starts Python)";

// Outcomes shared by all stages of a Python program.
std::span<const pipeline::OutcomeSpec> PythonOutcomes();

// Of the run of the workload that wrote to `output`.
Result<std::vector<python::Process>> ReadPythonRun(const std::filesystem::path& output);

// Why there is nothing to measure in a run.
struct NotObserved {
  std::string outcome;  // "TorchNotImported"
  std::string reason;
};

// nullopt: there are calls.
std::optional<NotObserved> WhyNotObserved(std::span<const python::Process> processes);

// Skips a stage that has nothing to measure, with that reason.
pipeline::StageOutcome SkipNotObserved(const NotObserved& why,
                                       pipeline::StageContext& context);

// Notes problems of the agent, and modules that it could not see inside.
void NotePython(std::span<const python::Process> processes,
                pipeline::StageContext& context);

// The same for a capture, and why there are no layers in it, if so. Does nothing for
// other programs.
Status NotePythonCapture(pipeline::StageContext& context);

// The call in the trace of a process; null: none.
const python::Call* ProfiledCall(const python::Process& process);

// The calls of one kind in one process: of rank 0, or of the process that spent the most
// time in calls. Kinds are not mixed: regions with `call: true`, otherwise the kind with
// the most time.
struct MeasuredCalls {
  const python::Process* process = nullptr;  // Null: no calls.
  std::string kind;                          // "generate"
  std::string name;                          // "LlamaForCausalLM.generate"
  std::vector<const python::Call*> calls;    // Without errors, in order.
  int64_t failed = 0;                        // Ended with an exception.
  int64_t other = 0;                         // Of other kinds or other processes.

  bool Include(const python::Call& call) const;  // In that process.
};
MeasuredCalls CallsOf(std::span<const python::Process> processes);

// The counterpart of `measured`, of `processes`, in another run of the program: the calls
// of the same name, in the process with the same rank and models; among several, in the
// one that was started at the same place. No process: there is none, or another number of
// them.
MeasuredCalls SameCalls(const MeasuredCalls& measured,
                        std::span<const python::Process> processes,
                        std::span<const python::Process> others);

// The process whose trace is used: that of `calls`; otherwise the one that CallsOf()
// would take of those with a trace. Null: none.
const python::Process* TracedProcess(std::span<const python::Process> processes,
                                     const MeasuredCalls& calls);

// Notes failed calls, and calls of other functions and processes.
void NoteCalls(const MeasuredCalls& measured, pipeline::StageContext& context);

// Over all unprofiled calls of `runs` except the first `warmup_calls` of each, if there
// are more; TTFT and inter-token latency if the program generates tokens.
profiles::ModelMetrics CallMetrics(std::span<const MeasuredCalls> runs,
                                   int64_t warmup_calls);

// One call as a sample: the whole call, prefill and decode.
profiles::ModelSample SampleOf(const python::Call& call, int64_t repeat);

}  // namespace ridgeline::stages
