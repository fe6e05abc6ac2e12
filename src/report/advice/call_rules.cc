#include <fmt/format.h>

#include <algorithm>

#include "estimates/scaled.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {
namespace {

// Copies from memory that is not pinned, of a recording: they pass through a buffer of
// the driver at about half the speed, and the CPU waits for them.
constexpr double kMuchPageable = 0.01;

// Waiting that the program asks for, of a recording. Some is needed: to read a token.
constexpr double kMuchWaiting = 0.10;

// Asking the driver for memory, of a recording: warm-up should have done it all.
constexpr double kMuchAllocating = 0.02;

// Kernels that queue for longer than this were launched by a CPU that is far ahead.
constexpr double kLongQueueS = 500e-6;

// All calls of one kind in one source.
struct Calls {
  double seconds = 0;
  double span_s = 0;
  std::optional<Row> longest;
  double longest_s = 0;
  std::vector<std::string> evidence;
};

// Of the source in which they take the largest share of its recording.
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
    return "it copies and waits: copy asynchronously from and to pinned memory, and wait "
           "once, where the result is read";
  }
  if (Holds(name, "StreamSynchronize")) {
    return "something reads values back (.item(), .cpu(), printing, comparing with "
           "Python's numbers): do that once per step, or keep the decision on the GPU";
  }
  if (Holds(name, "EventSynchronize")) {
    return "wait for an event later than its work is launched: prepare the next step "
           "between the two";
  }
  return "it stops everything on the device: leave it to the end of what is measured, or "
         "wait for one stream or event";
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
        .text = fmt::format("{:.0f} copies ({}) use memory that is not pinned: {}, {} of "
                            "the recording",
                            count->value, Quoted(name),
                            estimates::Seconds(seconds->value), Percent(*share)),
        .attempt = "pin that memory (pin_memory(), cudaHostAlloc) and copy with "
                   "non_blocking=True: it is faster, and the CPU need not wait",
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
            fmt::format("half of the kernels in {} begin more than {} after their "
                        "launch: the GPU is what is late, not the CPU",
                        Quoted(delay.Text("source")), estimates::Seconds(median->value)),
        .attempt = "make kernels faster or fewer; CUDA graphs and faster code on the CPU "
                   "would gain nothing there",
        .evidence = {median->pointer}}};
  }
  return {};
}

Findings SynchronizingCalls(const Row& report) {
  std::optional<Calls> calls = WorstCalls(report, "cuda", IsSynchronizing);
  if (!calls || calls->seconds < kMuchWaiting * calls->span_s) return {};
  const std::string name = calls->longest->Text("name");
  Finding found = {
      .text = fmt::format("the program waits for {} of the recording ({}) in calls that "
                          "synchronize, {} of it in {}",
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
      .text = fmt::format("asking the driver for memory takes {} ({} of the recording), "
                          "most of it in {}",
                          estimates::Seconds(calls->seconds),
                          Percent(calls->seconds / calls->span_s),
                          Quoted(calls->longest->Text("name"))),
      .attempt = "record after a warm-up; if it goes on then, shapes change from page to "
                 "page: expandable_segments:True in PYTORCH_CUDA_ALLOC_CONF, or buffers "
                 "of a fixed size",
      .gain_s = GainOf(calls->seconds),
      .evidence = std::move(calls->evidence)}};
}

}  // namespace ridgeline::report
