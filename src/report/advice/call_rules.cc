#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

// Share of a capture in copies from or to pageable memory: they go through a staging
// buffer of the driver at about half the speed, and block the CPU.
constexpr double kMuchPageable = 0.01;

// Share of a capture in synchronizing calls. Some are necessary: to read a token.
constexpr double kMuchWaiting = 0.10;

// A GPU that idles less is not held up by a CPU that waits for it.
constexpr double kIdleBehindWaiting = 0.10;

// Share of a capture in allocating calls, which all belong in the warm-up.
constexpr double kMuchAllocating = 0.02;
// Fewer allocations are normal at start-up: the first one creates the context.
constexpr int64_t kManyAllocations = 20;

// With a queue time above this, the CPU is far ahead of the GPU.
constexpr double kLongQueueS = 500e-6;

// All calls of one kind in one source.
struct Calls {
  double seconds = 0;
  double span_s = 0;
  int64_t calls = 0;
  const ApiRow* longest = nullptr;
  std::vector<Cell> evidence;
};

// Calls in the source in which they take the largest share of the capture, if its GPU
// idles for at least `min_idle` of it.
std::optional<Calls> WorstCalls(const Document& document, double min_idle,
                                bool (*is_wanted)(std::string_view)) {
  std::optional<Calls> worst;
  for (const SourceRow& source : document.sources) {
    const DeviceRow* const device = LongestDevice(document, source.file);
    if (device == nullptr || device->idle_s < min_idle * device->span_s) continue;
    Calls calls = {.seconds = 0,
                   .span_s = device->span_s,
                   .calls = 0,
                   .longest = nullptr,
                   .evidence = {Cite(document.devices, *device, &DeviceRow::span_s)}};
    for (const ApiRow& api : document.api_calls) {
      if (api.source != source.file || api.kind != "cuda" || !is_wanted(api.name))
        continue;
      calls.seconds += api.total_s;
      calls.calls += api.calls;
      calls.evidence.push_back(Cite(document.api_calls, api, &ApiRow::total_s));
      if (calls.longest == nullptr || api.total_s > calls.longest->total_s) {
        calls.longest = &api;
      }
    }
    if (calls.longest == nullptr || !(calls.longest->total_s > 0)) continue;
    if (!worst || calls.seconds / calls.span_s > worst->seconds / worst->span_s) {
      worst = std::move(calls);
    }
  }
  return worst;
}

bool Holds(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

bool IsSynchronizing(std::string_view name) {
  if (Holds(name, "Synchronize")) return true;
  return (name.starts_with("cudaMemcpy") || name.starts_with("cuMemcpy")) &&
         !Holds(name, "Async");
}

bool IsAllocating(std::string_view name) {
  constexpr std::string_view kBegins[] = {"cudaMalloc", "cudaFree",  "cudaHostAlloc",
                                          "cuMemAlloc", "cuMemFree", "cuMemCreate"};
  return std::any_of(std::begin(kBegins), std::end(kBegins),
                     [name](std::string_view begin) { return name.starts_with(begin); });
}

std::string WaitAttempt(const std::string& name) {
  if (Holds(name, "Memcpy")) {
    return "Replace blocking copies with cudaMemcpyAsync from and to pinned memory, and "
           "synchronize once, where the result is read";
  }
  if (Holds(name, "StreamSynchronize")) {
    return "Read values back (.item(), .cpu(), printing, comparing with Python numbers) "
           "at most once per step, or keep the decision on the GPU";
  }
  if (Holds(name, "EventSynchronize")) {
    return "Wait for events later: prepare the next step between recording an event and "
           "waiting for it";
  }
  return "Replace device-wide synchronization with a wait for one stream or event, or "
         "move it out of the timed section";
}

}  // namespace

std::vector<Advice> PageableCopies(const Document& document) {
  for (const MemoryOpRow& copy : document.memory_ops) {
    if (!Holds(copy.name, "Pageable") && !Holds(copy.name, "pageable")) continue;
    const DeviceRow* const device = LongestDevice(document, copy.source);
    if (device == nullptr) continue;
    const double share = copy.total_s / device->span_s;
    if (share < kMuchPageable) continue;
    return {{.verdict =
                 fmt::format("{} copies ({}) use pageable memory: {}, {} of the GPU span",
                             WithCommas(copy.count), Quoted(copy.name),
                             Time(copy.total_s), Percent(share)),
             .action = "Pin host buffers (cudaMallocHost, pin_memory()) and copy with "
                       "non_blocking=True: copies are faster and do not block the CPU",
             .evidence = {Cite(document.memory_ops, copy, &MemoryOpRow::total_s),
                          Cite(document.memory_ops, copy, &MemoryOpRow::count),
                          Cite(document.devices, *device, &DeviceRow::span_s)}}};
  }
  return {};
}

// A long queue alone is not significant: a GPU that idles, or waits for copies and other
// ranks, is not limited by its kernels.
std::vector<Advice> LongQueueTime(const Document& document) {
  for (const LaunchDelayRow& delay : document.launch_latency) {
    if (!delay.is_start_to_start() || delay.median_s < kLongQueueS) continue;
    const DeviceRow* const device = LongestDevice(document, delay.source);
    if (device == nullptr || device->compute_s <= (1 - kMuchIdle) * device->span_s)
      continue;
    return {
        {.verdict = fmt::format(
             "{}: GPU-bound, kernels compute for {} of the GPU span and wait {} in the "
             "queue (median)",
             Quoted(delay.source), Percent(device->compute_s / device->span_s),
             Time(delay.median_s)),
         .action =
             "Make kernels faster or fewer; CUDA graphs and faster host code will not "
             "help",
         .evidence = {Cite(document.launch_latency, delay, &LaunchDelayRow::median_s),
                      Cite(document.devices, *device, &DeviceRow::compute_s),
                      Cite(document.devices, *device, &DeviceRow::span_s)}}};
  }
  return {};
}

// "take 12 % of the GPU span (1.20 s)". Calls of several threads, and calls before the
// first kernel, may take longer than the capture; then no share is given.
std::string TimeInSpan(const Calls& calls) {
  if (calls.seconds <= calls.span_s) {
    return fmt::format("{} of the GPU span ({})", Percent(calls.seconds / calls.span_s),
                       Time(calls.seconds));
  }
  return fmt::format(
      "{} in total, more than the {} from the first to the last GPU "
      "activity",
      Time(calls.seconds), Time(calls.span_s));
}

std::vector<Advice> SynchronizingCalls(const Document& document) {
  std::optional<Calls> calls = WorstCalls(document, kIdleBehindWaiting, IsSynchronizing);
  if (!calls || calls->seconds < kMuchWaiting * calls->span_s) return {};
  const ApiRow& longest = *calls->longest;
  Advice advice = {.verdict = fmt::format(
                       "Synchronizing calls block the CPU for {}, {} of it in {} ({})",
                       TimeInSpan(*calls), Time(longest.total_s), Quoted(longest.name),
                       Plural(longest.calls, "call")),
                   .action = WaitAttempt(longest.name),
                   .evidence = std::move(calls->evidence)};
  const DeviceRow& device = *LongestDevice(document, longest.source);
  AddTo(advice.evidence, {Cite(document.api_calls, longest, &ApiRow::calls),
                          Cite(document.devices, device, &DeviceRow::idle_s)});
  return {advice};
}

std::vector<Advice> AllocatorChurn(const Document& document) {
  std::optional<Calls> calls = WorstCalls(document, 0, IsAllocating);
  if (!calls || calls->calls < kManyAllocations ||
      calls->seconds < kMuchAllocating * calls->span_s) {
    return {};
  }
  return {{.verdict = fmt::format(
               "Allocator churn: cudaMalloc, cudaFree and similar calls take {}, most of "
               "it in {}",
               TimeInSpan(*calls), Quoted(calls->longest->name)),
           .action = "Start the capture after warm-up. If allocations continue, shapes "
                     "change between iterations: set expandable_segments:True in "
                     "PYTORCH_CUDA_ALLOC_CONF or use fixed-size buffers",
           .saving_s = SavingOf(calls->seconds),
           .evidence = std::move(calls->evidence)}};
}

}  // namespace ridgeline::report
