#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimates/scaled.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {
namespace {

// Less than a tenth of a region's time is not worth another way of launching.
constexpr double kMuchGap = 0.10;

// A region says nothing new if one inside it has nearly all of its gaps.
constexpr double kNearlyAll = 0.80;
constexpr size_t kMostGapRegions = 2;

// A GPU that stands still for a fifth of a recording; the begin and end of one do less.
constexpr double kMuchIdle = 0.20;

// One gap that is most of the idle time is an event, not a habit.
constexpr double kOneGap = 0.50;

// Copies or messages during which nothing is computed, of a recording.
constexpr double kMuchExposed = 0.05;

// A kernel that begins within so short a time of its launch did not have to queue.
constexpr double kNoQueueS = 20e-6;

struct GapRegion {
  Row region;
  std::string source;
  std::string path;
  Cited gap;
  Cited span;
};

bool IsInside(const GapRegion& inner, const GapRegion& outer) {
  return inner.source == outer.source && inner.path.size() > outer.path.size() &&
         inner.path[outer.path.size()] == '/' && inner.path.starts_with(outer.path);
}

// The largest gaps first, of regions of which none explains another.
std::vector<GapRegion> RegionsWithGaps(const Row& report) {
  std::vector<GapRegion> all;
  for (const Row& region : report.List("regions")) {
    const auto gap = region.Number("gpu_gap_s");
    const auto span = region.Number("gpu_span_s");
    const std::optional<double> share = ShareOf(gap, span);
    if (region.Text("kind") == "unattributed" || !share || *share < kMuchGap) continue;
    // Without a kernel, gaps are between copies; and nobody waits for a warm-up.
    const auto launches = region.Number("launches");
    if (!launches || launches->value == 0 || region.Text("path") == "warmup") continue;
    all.push_back({region, region.Text("source"), region.Text("path"), *gap, *span});
  }
  std::vector<GapRegion> kept;
  for (const GapRegion& outer : all) {
    const bool is_explained =
        std::any_of(all.begin(), all.end(), [&outer](const GapRegion& inner) {
          return IsInside(inner, outer) &&
                 inner.gap.value >= kNearlyAll * outer.gap.value;
        });
    if (!is_explained) kept.push_back(outer);
  }
  std::stable_sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
    return a.gap.value > b.gap.value;
  });
  if (kept.size() > kMostGapRegions)
    kept.erase(kept.begin() + kMostGapRegions, kept.end());
  return kept;
}

Finding GapFinding(const GapRegion& gap) {
  const std::string& path = gap.path;
  Finding found = {
      .text = fmt::format("launch gaps are {} of {} ({} of {} in which no kernel runs)",
                          Percent(gap.gap.value / gap.span.value), Quoted(path),
                          estimates::Seconds(gap.gap.value),
                          estimates::Seconds(gap.span.value)),
      .gain_s = GainOf(gap.gap.value),
      .evidence = {gap.gap.pointer, gap.span.pointer}};
  const auto launches = gap.region.Number("launches");
  const auto gpu = gap.region.Number("gpu_s");
  const std::optional<double> mean_s = ShareOf(gpu, launches);
  if (mean_s) {
    found.evidence.insert(found.evidence.end(), {gpu->pointer, launches->pointer});
    found.text += fmt::format("; {:.0f} launches of {} on average", launches->value,
                              estimates::Seconds(*mean_s));
  }
  if (mean_s && *mean_s < kShortKernelS) {
    found.attempt = fmt::format(
        "record {} as a CUDA graph (torch.compile(mode=\"reduce-overhead\"), "
        "torch.cuda.CUDAGraph) or fuse its kernels: at {} each they are too short to "
        "hide their launches",
        Quoted(path), estimates::Seconds(*mean_s));
  } else {
    found.attempt = fmt::format(
        "look what the CPU does in {} between launches: synchronizing calls, copies to "
        "the host, loops of the interpreter",
        Quoted(path));
  }
  return found;
}

// Whether regions of the source say where a device was idle: gaps of the outermost ones.
bool IsExplained(const Row& report, const std::string& source, double idle_s) {
  double gaps_s = 0;
  for (const Row& region : report.List("regions")) {
    const bool is_outermost = region.Text("path").find('/') == std::string::npos;
    const auto gap = region.Number("gpu_gap_s");
    if (is_outermost && gap && region.Text("source") == source) gaps_s += gap->value;
  }
  return gaps_s >= kNearlyAll * idle_s;
}

std::string DeviceName(const Row& device) {
  return fmt::format("device {} of {}", Quoted(device.Text("device")),
                     Quoted(device.Text("source")));
}

struct Exposed {
  const char* key;
  const char* all_key;
  const char* what;
  const char* attempt;
};

Findings ExposedTime(const Row& report, const Exposed& kind) {
  Findings findings;
  for (const Row& device : report.List("devices")) {
    const auto exposed = device.Number(kind.key);
    const auto span = device.Number("span_s");
    const std::optional<double> share = ShareOf(exposed, span);
    if (!share || *share < kMuchExposed) continue;
    Finding found = {
        .text = fmt::format("{} computes nothing for {} of its time ({}) because of {}",
                            DeviceName(device), Percent(*share),
                            estimates::Seconds(exposed->value), kind.what),
        .attempt = kind.attempt,
        .gain_s = GainOf(exposed->value),
        .evidence = {exposed->pointer, span->pointer}};
    const auto all = device.Number(kind.all_key);
    if (const std::optional<double> part = ShareOf(exposed, all)) {
      found.text +=
          fmt::format("; {} of all {} run beside no kernel", Percent(*part), kind.what);
      found.evidence.push_back(all->pointer);
    }
    findings.push_back(std::move(found));
  }
  return findings;
}

}  // namespace

Findings LaunchGaps(const Row& report) {
  Findings findings;
  for (const GapRegion& gap : RegionsWithGaps(report)) {
    findings.push_back(GapFinding(gap));
  }
  return findings;
}

Findings DeviceIdle(const Row& report) {
  Findings findings;
  for (const Row& device : report.List("devices")) {
    const auto idle = device.Number("idle_s");
    const auto span = device.Number("span_s");
    const auto longest = device.Number("gap_max_s");
    const auto gaps = device.Number("gaps");
    const std::optional<double> share = ShareOf(idle, span);
    if (!share || *share < kMuchIdle || !longest || !gaps || !(gaps->value > 0)) continue;
    if (IsExplained(report, device.Text("source"), idle->value)) continue;
    const bool is_one = longest->value >= kOneGap * idle->value;
    findings.push_back(
        {.text = fmt::format("{} does nothing for {} of the recording ({}), in {}, the "
                             "longest of {}",
                             DeviceName(device), Percent(*share),
                             estimates::Seconds(idle->value),
                             Plural(std::llround(gaps->value), "gap"),
                             estimates::Seconds(longest->value)),
         .attempt =
             is_one ? fmt::format("look at the one gap of {} in the timeline first: "
                                  "loading, preparing of pictures, or a recording that "
                                  "begins too early",
                                  estimates::Seconds(longest->value))
                    : fmt::format("gaps are {} long on average: launch ahead of the GPU "
                                  "(no synchronizing calls), CUDA graphs, or a second "
                                  "page at a time",
                                  estimates::Seconds(idle->value / gaps->value)),
         .gain_s = GainOf(idle->value),
         .evidence = {idle->pointer, span->pointer, gaps->pointer, longest->pointer}});
  }
  return findings;
}

Findings CopiesExposed(const Row& report) {
  return ExposedTime(
      report,
      {.key = "memory_exposed_s",
       .all_key = "memory_s",
       .what = "copies and fills",
       .attempt = "copy from pinned memory, asynchronously and on a stream of its "
                  "own, while the page before is computed"});
}

Findings CommunicationExposed(const Row& report) {
  return ExposedTime(
      report,
      {.key = "communication_exposed_s",
       .all_key = "communication_s",
       .what = "messages",
       .attempt =
           "overlap them with the products before them (chunks, a stream of its own), "
           "send narrower types, or split the model less"});
}

Findings LaunchBound(const Row& report) {
  for (const Row& delay : report.List("launch_delays")) {
    const auto median = delay.Number("median_s");
    if (delay.Text("measure") != "start_to_start" || !median) continue;
    if (median->value > kNoQueueS) continue;
    const std::optional<Row> device = LongestDevice(report, delay.Text("source"));
    if (!device) continue;
    const auto idle = device->Number("idle_s");
    const auto span = device->Number("span_s");
    const std::optional<double> share = ShareOf(idle, span);
    if (!share || *share < kMuchIdle) continue;
    return {Finding{
        .text = fmt::format("kernels begin {} after their launch and the GPU is idle for "
                            "{}: it waits for the CPU",
                            estimates::Seconds(median->value), Percent(*share)),
        .attempt = "make fewer launches (CUDA graphs, fused kernels, larger batches) or "
                   "make them sooner (no synchronizing calls between); faster kernels "
                   "would gain nothing",
        .evidence = {median->pointer, idle->pointer, span->pointer}}};
  }
  return {};
}

}  // namespace ridgeline::report
