#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimates/scaled.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {
namespace {

// Below a tenth of a region's time, CUDA graphs are not worth the effort.
constexpr double kMuchGap = 0.10;

// A region adds nothing if a nested one has nearly all of its gaps.
constexpr double kNearlyAll = 0.80;
constexpr size_t kMostGapRegions = 2;

// GPU idle for a fifth of a capture; its start and end alone account for less.
constexpr double kMuchIdle = 0.20;

// A single gap with most of the idle time is a one-off event.
constexpr double kOneGap = 0.50;

// Share of a capture in exposed copies or exposed communication.
constexpr double kMuchExposed = 0.05;

// A kernel that starts this soon after its launch did not queue.
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

// Largest gaps first, without regions whose gaps are those of a nested one.
std::vector<GapRegion> RegionsWithGaps(const Row& report) {
  std::vector<GapRegion> all;
  for (const Row& region : MajorRows(report.List("regions"))) {
    const auto gap = region.Number("gpu_gap_s");
    const auto span = region.Number("gpu_span_s");
    const std::optional<double> share = ShareOf(gap, span);
    if (region.Text("kind") == "unattributed" || !share || *share < kMuchGap) continue;
    // Without kernels, gaps are between copies; warm-up does not matter.
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
      .text = fmt::format("{}: launch gaps, GPU idle for {} ({} of {})", Quoted(path),
                          Percent(gap.gap.value / gap.span.value),
                          estimates::Seconds(gap.gap.value),
                          estimates::Seconds(gap.span.value)),
      .gain_s = GainOf(gap.gap.value),
      .evidence = {gap.gap.pointer, gap.span.pointer}};
  const auto launches = gap.region.Number("launches");
  const auto gpu = gap.region.Number("gpu_s");
  const std::optional<double> mean_s = ShareOf(gpu, launches);
  if (mean_s) {
    found.evidence.insert(found.evidence.end(), {gpu->pointer, launches->pointer});
    found.text += fmt::format("; {:.0f} launches, mean {}", launches->value,
                              estimates::Seconds(*mean_s));
  }
  if (mean_s && *mean_s < kShortKernelS) {
    found.attempt = fmt::format(
        "Capture {} in a CUDA graph (torch.compile(mode=\"reduce-overhead\"), "
        "torch.cuda.CUDAGraph) or fuse its kernels: a mean of {} does not hide launch "
        "overhead",
        Quoted(path), estimates::Seconds(*mean_s));
  } else {
    found.attempt = fmt::format(
        "Check what the CPU does between launches in {}: synchronizing calls, copies to "
        "the host, interpreter loops",
        Quoted(path));
  }
  return found;
}

// Whether gaps of the outermost regions of a source account for the idle time.
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
  return fmt::format("GPU {} in {}", Shortened(device.Text("device"), kLongestName),
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
    Finding found = {.text = fmt::format("{}: exposed {} for {} of the capture ({})",
                                         DeviceName(device), kind.what, Percent(*share),
                                         estimates::Seconds(exposed->value)),
                     .attempt = kind.attempt,
                     .gain_s = GainOf(exposed->value),
                     .evidence = {exposed->pointer, span->pointer}};
    const auto all = device.Number(kind.all_key);
    if (const std::optional<double> part = ShareOf(exposed, all)) {
      found.text +=
          fmt::format(", {} of all {} not overlapped", Percent(*part), kind.what);
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
        {.text = fmt::format("{}: idle for {} of the capture ({} in {}, longest {})",
                             DeviceName(device), Percent(*share),
                             estimates::Seconds(idle->value),
                             Plural(std::llround(gaps->value), "gap"),
                             estimates::Seconds(longest->value)),
         .attempt =
             is_one ? fmt::format("Look at the gap of {} in the timeline first: "
                                  "loading, preprocessing, or a capture that starts too "
                                  "early",
                                  estimates::Seconds(longest->value))
                    : fmt::format("Launch ahead of the GPU (no synchronizing calls), use "
                                  "CUDA graphs or raise the batch size: the mean gap is "
                                  "{}",
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
       .what = "copies",
       .attempt = "Copy from pinned memory with cudaMemcpyAsync on a separate stream, "
                  "overlapped with compute"});
}

Findings CommunicationExposed(const Row& report) {
  return ExposedTime(
      report,
      {.key = "communication_exposed_s",
       .all_key = "communication_s",
       .what = "communication",
       .attempt = "Overlap communication with the preceding GEMMs (chunking, a separate "
                  "stream), send narrower types, or lower the degree of parallelism"});
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
        .text =
            fmt::format("Launch-bound: kernels start {} after their launch (median) and "
                        "the GPU is idle for {}",
                        estimates::Seconds(median->value), Percent(*share)),
        .attempt =
            "Reduce launches (CUDA graphs, fused kernels, larger batches) or launch "
            "earlier (no synchronizing calls in between); faster kernels will not "
            "help",
        .evidence = {median->pointer, idle->pointer, span->pointer}}};
  }
  return {};
}

}  // namespace ridgeline::report
