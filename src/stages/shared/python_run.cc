#include "stages/shared/python_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/model_statistics.h"
#include "analysis/statistics.h"
#include "base/plural.h"

namespace ridgeline::stages {
namespace {

using python::Call;
using python::Process;

constexpr pipeline::OutcomeSpec kPythonOutcomes[] = {
    {"AgentNotLoaded", "skipped",
     "no Python process loaded the agent: `python -I`, `-E` or `-S`, a frozen program, "
     "or a launcher that resets `PYTHONPATH` (`sudo`, `env -i`, a container)"},
    {"TorchNotImported", "skipped", "no process of the program imported torch"},
    {"UnsupportedTorch", "skipped",
     "the agent does not support this version of Python or PyTorch"},
    {"NoCalls", "skipped",
     "torch was imported, but no `nn.Module` with parameters or buffers, `generate()` or "
     "configured region was called"},
    {"ProfilerBusy", "done",
     "another profiler was active during every call: times, but no operators"},
    {"ProfilerFailed", "failed", "torch.profiler raised an exception"},
    {"AgentKilled", "failed", "the process was killed before the profile was written"},
};

double Seconds(int64_t ns) { return static_cast<double>(ns) * 1e-9; }

template <typename Accept>
bool AnyOf(std::span<const Process> processes, const Accept& accept) {
  return std::any_of(processes.begin(), processes.end(), accept);
}

// Of the calls that did not raise an exception.
int64_t TimeOf(std::span<const Call* const> calls) {
  int64_t sum = 0;
  for (const Call* call : calls) sum += call->error.empty() ? call->duration_ns : 0;
  return sum;
}

// Calls named in pipeline.workload.python.regions take precedence over all others.
bool IsRegion(const Call& call) { return call.kind == "region"; }

// The calls of the kind and name with the most time.
std::vector<const Call*> MainCalls(const Process& process) {
  std::map<std::pair<std::string_view, std::string_view>, std::vector<const Call*>> kinds;
  for (const Call& call : process.calls) kinds[{call.kind, call.name}].push_back(&call);
  std::vector<const Call*> main;
  for (auto& [kind, calls] : kinds) {
    const bool is_better =
        main.empty() || (IsRegion(*calls.front()) == IsRegion(*main.front())
                             ? TimeOf(calls) > TimeOf(main)
                             : IsRegion(*calls.front()));
    if (is_better) main = std::move(calls);
  }
  return main;
}

// Whether the calls of a process take precedence over those of another one.
bool IsBetter(const Process& process, std::span<const Call* const> calls,
              const Process& other, std::span<const Call* const> others) {
  if (IsRegion(*calls.front()) != IsRegion(*others.front())) {
    return IsRegion(*calls.front());
  }
  if (process.rank && other.rank) return *process.rank < *other.rank;
  return TimeOf(calls) > TimeOf(others);
}

// Not the configs, which may contain temporary paths.
bool HaveTheSameModels(const Process& a, const Process& b) {
  return std::equal(a.models.begin(), a.models.end(), b.models.begin(), b.models.end(),
                    [](const python::Model& x, const python::Model& y) {
                      return x.class_name == y.class_name && x.modules == y.modules &&
                             x.tensors == y.tensors;
                    });
}

// In the order of their pids, which is the one in which their parent started them.
std::vector<const Process*> Alike(std::span<const Process> processes,
                                  const MeasuredCalls& calls) {
  std::vector<const Process*> alike;
  for (const Process& process : processes) {
    if (process.rank == calls.process->rank &&
        HaveTheSameModels(process, *calls.process) &&
        std::any_of(process.calls.begin(), process.calls.end(),
                    [&](const Call& call) { return calls.Include(call); })) {
      alike.push_back(&process);
    }
  }
  std::stable_sort(alike.begin(), alike.end(),
                   [](const Process* a, const Process* b) { return a->pid < b->pid; });
  return alike;
}

// The calls of its process with its name, and their numbers.
void AddCalls(std::span<const Process> processes, MeasuredCalls& measured) {
  for (const Process& process : processes) measured.other += std::ssize(process.calls);
  for (const Call& call : measured.process->calls) {
    if (!measured.Include(call)) continue;
    --measured.other;
    if (call.error.empty()) {
      measured.calls.push_back(&call);
    } else {
      ++measured.failed;
    }
  }
}

// Whether another process found what this one did not: "engine:Engine.step: why".
bool IsFoundElsewhere(const python::Problem& missing,
                      std::span<const Process> processes) {
  if (missing.name != "RegionNotFound") return false;
  const std::string target = missing.text.substr(0, missing.text.find(": "));
  const auto is_same = [&](const python::Problem& problem) {
    return problem.name == missing.name && problem.text.starts_with(target);
  };
  return AnyOf(processes, [&](const Process& process) {
    return process.hooked && process.ended &&
           std::none_of(process.problems.begin(), process.problems.end(), is_same);
  });
}

std::string DeviceOf(const Process& process) {
  for (const python::Model& model : process.models) {
    for (const python::Tensor& tensor : model.tensors) return tensor.device;
  }
  return "";
}

// Without a drift test: tokens of one call differ in their context.
void AddQuantity(std::string name, const std::vector<double>& values,
                 profiles::ModelMetrics& metrics) {
  if (values.empty()) return;
  metrics.statistics.push_back(
      {.name = std::move(name), .summary = analysis::Summarize(values), .drift = {}});
}

}  // namespace

std::span<const pipeline::OutcomeSpec> PythonOutcomes() { return kPythonOutcomes; }

Result<std::vector<Process>> ReadPythonRun(const std::filesystem::path& output) {
  return python::ReadProcessFiles(output / pipeline::kAgentFolder);
}

std::optional<NotObserved> WhyNotObserved(std::span<const Process> processes) {
  if (processes.empty()) {
    return NotObserved{"AgentNotLoaded",
                       "needs PyTorch in the workload: no Python process loaded the "
                       "agent (python -I, -E or -S, or PYTHONPATH was reset)"};
  }
  if (AnyOf(processes, [](const Process& p) { return !p.calls.empty(); })) return {};
  for (const Process& process : processes) {
    for (const python::Problem& problem : process.problems) {
      if (problem.name == "UnsupportedPython" || problem.name == "UnsupportedTorch") {
        return NotObserved{"UnsupportedTorch", problem.text};
      }
    }
    if (!process.torch.empty() && !process.hooked) {
      return NotObserved{"UnsupportedTorch", fmt::format("PyTorch {}: {}", process.torch,
                                                         process.not_hooked)};
    }
  }
  if (!AnyOf(processes, [](const Process& p) { return !p.torch.empty(); })) {
    return NotObserved{"TorchNotImported",
                       "needs PyTorch in the workload: the program never imported torch"};
  }
  if (!AnyOf(processes, [](const Process& p) { return p.ended; })) {
    return NotObserved{"AgentKilled",
                       "no call had ended when the program was killed or called "
                       "os._exit()"};
  }
  return NotObserved{"NoCalls",
                     "torch was imported, but no nn.Module with parameters or buffers, "
                     "generate() or region of pipeline.workload.python.regions was "
                     "called"};
}

pipeline::StageOutcome SkipNotObserved(const NotObserved& why,
                                       pipeline::StageContext& context) {
  context.SetOutcome(why.outcome);
  return pipeline::Skipped{why.outcome + ": " + why.reason};
}

void NotePython(std::span<const Process> processes, pipeline::StageContext& context) {
  std::vector<std::string> told;
  const auto note = [&](std::string text) {
    if (std::find(told.begin(), told.end(), text) != told.end()) return;
    context.Note(text);
    told.push_back(std::move(text));
  };
  for (const Process& process : processes) {
    for (const python::Problem& problem : process.problems) {
      if (!IsFoundElsewhere(problem, processes)) note(problem.name + ": " + problem.text);
    }
    if (process.compiled.empty()) continue;
    constexpr size_t kNamed = 3;
    std::vector<std::string> modules = process.compiled;
    std::replace(modules.begin(), modules.end(), std::string(),
                 std::string("the whole model"));
    const size_t named = std::min(modules.size(), kNamed);
    note(fmt::format(
        "compiled or captured modules are one range each, without layers inside: {}{}",
        fmt::join(modules.begin(), modules.begin() + named, ", "),
        modules.size() > kNamed ? fmt::format(" and {} more", modules.size() - kNamed)
                                : ""));
  }
}

Status NotePythonCapture(pipeline::StageContext& context) {
  const pipeline::StagePlace& place = context.place();
  if (place.workload.kind() != pipeline::WorkloadKind::kPython) return Ok();
  RIDGELINE_TRY(const std::vector<Process> processes,
                ReadPythonRun(place.workload_scratch));
  NotePython(processes, context);
  const bool has_layers =
      AnyOf(processes, [](const Process& p) { return p.outermost_calls > 0; });
  const bool may_have =
      AnyOf(processes, [](const Process& p) { return p.hooked && !p.ended; });
  if (has_layers || may_have) return Ok();
  if (const auto why = WhyNotObserved(processes)) {
    context.Note("no layers in the capture: " + why->outcome + ": " + why->reason);
  }
  return Ok();
}

const Process* TracedProcess(std::span<const Process> processes,
                             const MeasuredCalls& calls) {
  if (calls.process != nullptr && calls.process->trace) return calls.process;
  const Process* found = nullptr;
  std::vector<const Call*> best;
  for (const Process& process : processes) {
    std::vector<const Call*> main = MainCalls(process);
    if (!process.trace || main.empty()) continue;
    if (found != nullptr && !IsBetter(process, main, *found, best)) continue;
    found = &process;
    best = std::move(main);
  }
  return found;
}

const Call* ProfiledCall(const Process& process) {
  if (!process.trace) return nullptr;
  for (const Call& call : process.calls) {
    if (call.profiled && call.index == process.trace->call) return &call;
  }
  return nullptr;
}

bool MeasuredCalls::Include(const Call& call) const {
  return call.kind == kind && call.name == name;
}

MeasuredCalls CallsOf(std::span<const Process> processes) {
  MeasuredCalls measured;
  std::vector<const Call*> best;
  for (const Process& process : processes) {
    std::vector<const Call*> calls = MainCalls(process);
    if (calls.empty()) continue;
    if (!best.empty() && !IsBetter(process, calls, *measured.process, best)) continue;
    measured.process = &process;
    best = std::move(calls);
  }
  if (measured.process == nullptr) return measured;
  measured.kind = best.front()->kind;
  measured.name = best.front()->name;
  AddCalls(processes, measured);
  return measured;
}

MeasuredCalls SameCalls(const MeasuredCalls& measured, std::span<const Process> processes,
                        std::span<const Process> others) {
  MeasuredCalls same = {
      .process = nullptr, .kind = measured.kind, .name = measured.name, .calls = {}};
  const std::vector<const Process*> before = Alike(processes, measured);
  const std::vector<const Process*> now = Alike(others, measured);
  if (before.size() != now.size()) return same;
  const auto found = std::find(before.begin(), before.end(), measured.process);
  same.process = now[static_cast<size_t>(found - before.begin())];
  AddCalls(others, same);
  return same;
}

void NoteCalls(const MeasuredCalls& measured, pipeline::StageContext& context) {
  if (measured.failed > 0) {
    context.Note(fmt::format(
        "{} of {} raised an exception: not in the statistics",
        PartOf(measured.failed, measured.failed + std::ssize(measured.calls), "call"),
        measured.name));
  }
  if (measured.other > 0) {
    context.Note(fmt::format(
        "the times are of {} in process {}; {} of other functions or processes: see "
        "the process files",
        measured.name, measured.process->pid, Plural(measured.other, "call")));
  }
}

profiles::ModelSample SampleOf(const Call& call, int64_t repeat) {
  // Tokens of all sequences in the batch.
  const int64_t batch = call.batch.value_or(1);
  profiles::ModelSample sample = {.image = call.name,
                                  .repeat = repeat,
                                  .decode_steps = {},
                                  .times = {{"end_to_end", Seconds(call.duration_ns)}}};
  if (call.prompt_tokens) sample.prompt_tokens = *call.prompt_tokens * batch;
  if (call.generated_tokens) sample.generated_tokens = *call.generated_tokens * batch;
  if (call.prefill_ns) sample.times.push_back({"prefill", Seconds(*call.prefill_ns)});
  if (call.decode_ns) {
    sample.times.push_back({"decode", Seconds(*call.decode_ns)});
    sample.decode_steps = std::ssize(call.decode_step_ns) * batch;
  }
  return sample;
}

profiles::ModelMetrics CallMetrics(std::span<const MeasuredCalls> runs,
                                   int64_t warmup_calls) {
  profiles::ModelMetrics metrics;
  metrics.unit = profiles::kCallUnit;
  metrics.repeats = std::ssize(runs);
  std::vector<double> ttft_s;
  std::vector<double> itl_s;
  for (const MeasuredCalls& run : runs) {
    if (run.process == nullptr) continue;
    metrics.model = run.name;
    metrics.device = DeviceOf(*run.process);
    const int64_t skipped =
        std::ssize(run.calls) > warmup_calls ? warmup_calls : int64_t{0};
    metrics.warmup_rounds = skipped;
    for (size_t i = static_cast<size_t>(skipped); i < run.calls.size(); ++i) {
      const Call& call = *run.calls[i];
      if (call.profiled) continue;
      metrics.samples.push_back(SampleOf(call, std::ssize(metrics.samples)));
      if (call.ttft_ns) ttft_s.push_back(Seconds(*call.ttft_ns));
      for (const int64_t ns : call.decode_step_ns) itl_s.push_back(Seconds(ns));
    }
  }
  metrics.samples_planned = std::ssize(metrics.samples);
  metrics.statistics = analysis::StatisticsOf(metrics.samples);
  AddQuantity("ttft_s", ttft_s, metrics);
  AddQuantity("itl_s", itl_s, metrics);
  return metrics;
}

}  // namespace ridgeline::stages
