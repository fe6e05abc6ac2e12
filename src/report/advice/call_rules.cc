#include <fmt/format.h>

#include <algorithm>

#include "estimates/scaled.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {
namespace {

// Share of a capture in copies from or to pageable memory: they go through a staging
// buffer of the driver at about half the speed, and block the CPU.
constexpr double kMuchPageable = 0.01;

// Share of a capture in synchronizing calls. Some are necessary: to read a token.
constexpr double kMuchWaiting = 0.10;

// Share of a capture in allocating calls; all of them belong into the warm-up.
constexpr double kMuchAllocating = 0.02;

// With a queue time above this, the CPU is far ahead of the GPU.
constexpr double kLongQueueS = 500e-6;

// All calls of one kind in one source.
struct Calls {
  double seconds = 0;
  double span_s = 0;
  std::optional<Row> longest;
  double longest_s = 0;
  std::vector<std::string> evidence;
};

// Calls of the source in which they take the largest share of the capture.
std::optional<Calls> WorstCalls(const Row& report, const char* kind,
                                bool (*is_wanted)(std::string_view)) {
  std::optional<Calls> worst;
  for (const Row& source : report.List("sources")) {
    const std::string file = source.Text("file");
    const std::optional<Row> device = LongestDevice(report, file);
    const auto span = device ? device->Number("span_s") : std::nullopt;
    if (!span) continue;
    Calls calls = {.span_s = span->value, .evidence = {span->pointer}};
    for (const Row& api : report.List("apis")) {
      const auto seconds = api.Number("total_s");
      if (api.Text("source") != file || api.Text("kind") != kind || !seconds) continue;
      if (!is_wanted(api.Text("name"))) continue;
      calls.seconds += seconds->value;
      calls.evidence.push_back(seconds->pointer);
      if (seconds->value <= calls.longest_s) continue;
      calls.longest = api;
      calls.longest_s = seconds->value;
    }
    if (!calls.longest) continue;
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

Findings PageableCopies(const Row& report) {
  for (const Row& copy : report.List("memory_ops")) {
    const auto seconds = copy.Number("total_s");
    const auto count = copy.Number("count");
    const std::string name = copy.Text("name");
    if (!Holds(name, "Pageable") && !Holds(name, "pageable")) continue;
    const std::optional<Row> device = LongestDevice(report, copy.Text("source"));
    if (!seconds || !count || !device) continue;
    const auto span = device->Number("span_s");
    const std::optional<double> share = ShareOf(seconds, span);
    if (!share || *share < kMuchPageable) continue;
    return {Finding{
        .text = fmt::format(
            "{:.0f} copies ({}) use pageable memory: {}, {} of the capture", count->value,
            Quoted(name), estimates::Seconds(seconds->value), Percent(*share)),
        .attempt = "Pin host buffers (cudaMallocHost, pin_memory()) and copy with "
                   "non_blocking=True: copies are faster and do not block the CPU",
        .evidence = {seconds->pointer, count->pointer, span->pointer}}};
  }
  return {};
}

Findings CpuAhead(const Row& report) {
  for (const Row& delay : report.List("launch_delays")) {
    const auto median = delay.Number("median_s");
    if (delay.Text("measure") != "start_to_start" || !median) continue;
    if (median->value < kLongQueueS) continue;
    return {Finding{
        .text =
            fmt::format("{}: GPU-bound, median queue time {}",
                        Quoted(delay.Text("source")), estimates::Seconds(median->value)),
        .attempt =
            "Make kernels faster or fewer; CUDA graphs and faster host code will not "
            "help",
        .evidence = {median->pointer}}};
  }
  return {};
}

Findings SynchronizingCalls(const Row& report) {
  std::optional<Calls> calls = WorstCalls(report, "cuda", IsSynchronizing);
  if (!calls || calls->seconds < kMuchWaiting * calls->span_s) return {};
  const std::string name = calls->longest->Text("name");
  Finding found = {
      .text = fmt::format("Synchronizing calls block the CPU for {} of the capture ({}), "
                          "{} of it in {}",
                          Percent(calls->seconds / calls->span_s),
                          estimates::Seconds(calls->seconds),
                          estimates::Seconds(calls->longest_s), Quoted(name)),
      .attempt = WaitAttempt(name),
      .evidence = std::move(calls->evidence)};
  if (const auto count = calls->longest->Number("calls")) {
    found.text += fmt::format(" ({:.0f} calls)", count->value);
    found.evidence.push_back(count->pointer);
  }
  return {found};
}

Findings Allocations(const Row& report) {
  std::optional<Calls> calls = WorstCalls(report, "cuda", IsAllocating);
  if (!calls || calls->seconds < kMuchAllocating * calls->span_s) return {};
  return {Finding{
      .text = fmt::format(
          "Allocator churn: cudaMalloc, cudaFree and similar calls take {} of "
          "the capture ({}), most of it in {}",
          Percent(calls->seconds / calls->span_s), estimates::Seconds(calls->seconds),
          Quoted(calls->longest->Text("name"))),
      .attempt =
          "Start the capture after warm-up. If allocations continue, shapes change "
          "between iterations: set expandable_segments:True in "
          "PYTORCH_CUDA_ALLOC_CONF or use fixed-size buffers",
      .gain_s = GainOf(calls->seconds),
      .evidence = std::move(calls->evidence)}};
}

}  // namespace ridgeline::report
