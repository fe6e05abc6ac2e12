#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"
#include "report/value_text.h"
#include "results/rows.h"

namespace ridgeline::report {
namespace {

// Below a tenth of a region's time, CUDA graphs are not worth the effort.
constexpr double kMuchGap = 0.10;

// A region adds nothing if a nested one has nearly all of its gaps.
constexpr double kNearlyAll = 0.80;
constexpr size_t kMaxGapRegions = 2;

// A single gap with most of the idle time is a one-off event.
constexpr double kOneGap = 0.50;

// Share of a capture in exposed copies or exposed communication.
constexpr double kMuchExposed = 0.05;

// Share of all copied bytes in regions without kernels: the rest is too little to matter.
constexpr double kAlmostAll = 0.95;

// Collectives that take this much longer on average than at best may wait for other
// ranks.
constexpr double kMuchWaitingForRanks = 2;

// A kernel that starts this soon after its launch did not queue.
constexpr double kNoQueueS = 20e-6;

// Largest gaps first, without regions whose gaps are those of a nested one.
std::vector<const RegionRow*> RegionsWithGaps(const Document& document) {
  std::vector<const RegionRow*> all;
  for (const RegionRow* region : MajorRows(document.regions)) {
    if (region->is_unattributed() || !(region->gpu_span_s > 0)) continue;
    if (region->gpu_idle_s < kMuchGap * *region->gpu_span_s) continue;
    // Without kernels, gaps are between copies; warm-up does not matter.
    if (region->launches > 0 && region->path != "warmup") all.push_back(region);
  }
  std::vector<const RegionRow*> kept;
  for (const RegionRow* outer : all) {
    const bool is_explained =
        std::any_of(all.begin(), all.end(), [outer](const RegionRow* inner) {
          return IsInside(*inner, *outer) &&
                 *inner->gpu_idle_s >= kNearlyAll * *outer->gpu_idle_s;
        });
    if (!is_explained) kept.push_back(outer);
  }
  std::stable_sort(kept.begin(), kept.end(), [](const auto* a, const auto* b) {
    return *a->gpu_idle_s > *b->gpu_idle_s;
  });
  if (kept.size() > kMaxGapRegions) kept.resize(kMaxGapRegions);
  return kept;
}

Advice GapAdvice(const Document& document, const RegionRow& region) {
  const double mean_s = region.gpu_s / static_cast<double>(region.launches);
  Advice advice = {
      .verdict = fmt::format(
          "{}: launch gaps, GPU idle for {} ({} of {}); {}, mean kernel {}",
          Quoted(region.path), Percent(*region.gpu_idle_s / *region.gpu_span_s),
          Time(*region.gpu_idle_s), Time(*region.gpu_span_s), Launches(region.launches),
          Time(mean_s)),
      .saving_s = SavingOf(*region.gpu_idle_s),
      .evidence = {Cite(document.regions, region, &RegionRow::gpu_idle_s),
                   Cite(document.regions, region, &RegionRow::gpu_span_s),
                   Cite(document.regions, region, &RegionRow::gpu_s),
                   Cite(document.regions, region, &RegionRow::launches)}};
  if (mean_s < kShortKernelS) {
    advice.action = fmt::format(
        "Capture {} in a CUDA graph (torch.compile(mode=\"reduce-overhead\"), "
        "torch.cuda.CUDAGraph) or fuse its kernels: a mean of {} does not hide launch "
        "overhead",
        Quoted(region.path), Time(mean_s));
  } else {
    advice.action = fmt::format(
        "Check what the CPU does between launches in {}: synchronizing calls, copies to "
        "the host, interpreter loops",
        Quoted(region.path));
  }
  return advice;
}

// Whether gaps of the outermost regions of a source account for the idle time.
bool IsExplained(const Document& document, const std::string& source, double idle_s) {
  double gaps_s = 0;
  for (const RegionRow& region : document.regions) {
    const bool is_outermost = results::IsOutermostRegion(region.path);
    if (is_outermost && region.source == source) gaps_s += region.gpu_idle_s.value_or(0);
  }
  return gaps_s >= kNearlyAll * idle_s;
}

std::string DeviceName(const DeviceRow& device) {
  return fmt::format("{} in {}", Shortened(device.label(), kMaxName),
                     Quoted(device.source));
}

struct Exposed {
  double DeviceRow::*exposed_s;
  double DeviceRow::*all_s;
  const char* what;
  const char* action;
};

// The device with the largest share of a time, if it is large enough, and the number of
// others with a large one: eight GPUs of a job need the same advice only once.
struct WorstDevice {
  const DeviceRow* device = nullptr;
  int64_t like_it = 0;  // Including it.
};

WorstDevice WorstBy(const std::vector<DeviceRow>& devices, double DeviceRow::*time_s,
                    double much) {
  WorstDevice worst;
  double most = 0;
  for (const DeviceRow& device : devices) {
    if (!(device.span_s > 0) || device.*time_s < much * device.span_s) continue;
    ++worst.like_it;
    const double share = device.*time_s / device.span_s;
    if (worst.device != nullptr && share <= most) continue;
    worst.device = &device;
    most = share;
  }
  return worst;
}

// "; 3 other GPUs are similar"
std::string OthersText(const WorstDevice& worst) {
  if (worst.like_it < 2) return "";
  const int64_t others = worst.like_it - 1;
  return fmt::format("; {} {} similar", Plural(others, "other GPU"),
                     others == 1 ? "is" : "are");
}

std::vector<Advice> ExposedTime(const Document& document, const Exposed& kind) {
  const WorstDevice worst = WorstBy(document.devices, kind.exposed_s, kMuchExposed);
  if (worst.device == nullptr) return {};
  const DeviceRow& device = *worst.device;
  const double exposed_s = device.*kind.exposed_s;
  const double all_s = device.*kind.all_s;
  Advice advice = {.verdict = fmt::format(
                       "{}: exposed {} for {} of the GPU span ({})", DeviceName(device),
                       kind.what, Percent(exposed_s / device.span_s), Time(exposed_s)),
                   .action = kind.action,
                   .saving_s = SavingOf(exposed_s),
                   .evidence = {Cite(document.devices, device, kind.exposed_s),
                                Cite(document.devices, device, &DeviceRow::span_s)}};
  if (all_s > 0) {
    advice.verdict += fmt::format(", {} of all {} not overlapped",
                                  Percent(std::min(1.0, exposed_s / all_s)), kind.what);
    advice.evidence.push_back(Cite(document.devices, device, kind.all_s));
  }
  advice.verdict += OthersText(worst);
  return {advice};
}

// Regions that copy but launch no kernels: loading a model, preparing inputs.
struct OneTimeCopies {
  int64_t bytes = 0;
  const RegionRow* largest = nullptr;
};

OneTimeCopies CopiesWithoutKernels(const Document& document, const std::string& source) {
  OneTimeCopies copies;
  int64_t most = 0;
  for (const RegionRow& region : document.regions) {
    // Their bytes are inclusive, so that nested regions count only once.
    if (region.source != source || region.is_unattributed() || region.launches > 0 ||
        region.instances != 1 || !results::IsOutermostRegion(region.path)) {
      continue;
    }
    const int64_t bytes = region.memcpy_bytes.value_or(0);
    copies.bytes += bytes;
    if (bytes <= most) continue;
    most = bytes;
    copies.largest = &region;
  }
  return copies;
}

int64_t CopiedBytes(const Document& document, const std::string& source) {
  int64_t bytes = 0;
  for (const MemoryOpRow& op : document.memory_ops) {
    const bool is_copy = op.name.find("emset") == op.name.npos;
    if (op.source == source && is_copy) bytes += op.bytes.value_or(0);
  }
  return bytes;
}

// Copies of a region that ran once and launched no kernels: they do not recur, so that no
// saving per step is claimed.
void SayOneTime(const Document& document, const RegionRow& region, Advice& advice) {
  advice.verdict += fmt::format("; one-time, in {} ({}, no kernels)", Quoted(region.path),
                                TextOf(*region.memcpy_bytes, Unit::kBytes));
  advice.action = fmt::format(
      "Leave {} out of the capture (nsys profile --capture-range=cudaProfilerApi) to see "
      "the steady state; for a faster start, copy from pinned memory",
      Quoted(region.path));
  advice.saving_s.reset();
  AddTo(advice.evidence, {Cite(document.regions, region, &RegionRow::memcpy_bytes),
                          Cite(document.regions, region, &RegionRow::launches)});
}

// Whether the program makes copies, and only with calls that do not block.
bool CopiesOnlyAsync(const Document& document, const std::string& source) {
  bool has_async = false;
  for (const ApiRow& api : document.api_calls) {
    const bool is_copy =
        api.name.starts_with("cudaMemcpy") || api.name.starts_with("cuMemcpy");
    if (api.source != source || !is_copy) continue;
    if (api.name.find("Async") == api.name.npos) return false;
    has_async = true;
  }
  return has_async;
}

// The longest collective of a device if its launches may wait for other ranks; null: all
// launches take about the same time, which is that of the transfer.
const KernelRow* WaitingCollective(const Document& document, const std::string& source,
                                   const std::string& device) {
  for (const KernelRow& kernel : document.kernels) {
    if (kernel.source != source || kernel.device != device) continue;
    if (kernel.kind != analysis::KernelKind::kCommunication) continue;
    const bool waits = kernel.launches > 1 && kernel.min_s > 0 &&
                       kernel.mean_s >= kMuchWaitingForRanks * kernel.min_s;
    return waits ? &kernel : nullptr;  // Rows are sorted by time.
  }
  return nullptr;
}

}  // namespace

std::vector<Advice> LaunchGaps(const Document& document) {
  std::vector<Advice> found;
  for (const RegionRow* region : RegionsWithGaps(document)) {
    found.push_back(GapAdvice(document, *region));
  }
  return found;
}

std::vector<Advice> DeviceIdle(const Document& document) {
  std::vector<DeviceRow> unexplained;
  for (const DeviceRow& device : document.devices) {
    if (device.idle_gaps == 0) continue;
    if (IsExplained(document, device.source, device.idle_s)) continue;
    unexplained.push_back(device);
  }
  const WorstDevice worst = WorstBy(unexplained, &DeviceRow::idle_s, kMuchIdle);
  if (worst.device == nullptr) return {};
  const DeviceRow& device = *std::find_if(
      document.devices.begin(), document.devices.end(), [&worst](const DeviceRow& row) {
        return row.source == worst.device->source && row.device == worst.device->device;
      });
  const bool is_one = device.idle_gap_max_s >= kOneGap * device.idle_s;
  const double mean_s = device.idle_s / static_cast<double>(device.idle_gaps);
  return {
      {.verdict = fmt::format("{}: idle for {} of the GPU span ({} in {}, longest {}){}",
                              DeviceName(device), Percent(device.idle_s / device.span_s),
                              Time(device.idle_s), Plural(device.idle_gaps, "gap"),
                              Time(device.idle_gap_max_s), OthersText(worst)),
       .action =
           is_one ? fmt::format("Look at the gap of {} in the timeline first: "
                                "loading, preprocessing, or a capture that starts too "
                                "early",
                                Time(device.idle_gap_max_s))
                  : fmt::format("Launch ahead of the GPU (no synchronizing calls), use "
                                "CUDA graphs or raise the batch size: the mean gap is "
                                "{}",
                                Time(mean_s)),
       .saving_s = SavingOf(device.idle_s),
       .evidence = {Cite(document.devices, device, &DeviceRow::idle_s),
                    Cite(document.devices, device, &DeviceRow::span_s),
                    Cite(document.devices, device, &DeviceRow::idle_gaps),
                    Cite(document.devices, device, &DeviceRow::idle_gap_max_s)}}};
}

std::vector<Advice> CopiesExposed(const Document& document) {
  std::vector<Advice> found = ExposedTime(
      document,
      {.exposed_s = &DeviceRow::exposed_copy_s,
       .all_s = &DeviceRow::memory_s,
       .what = "copies",
       .action = "Copy from pinned memory with cudaMemcpyAsync on a separate stream, "
                 "overlapped with compute"});
  if (found.empty()) return found;
  Advice& advice = found.front();
  const std::string& source = advice.evidence.front().source;
  const OneTimeCopies one_time = CopiesWithoutKernels(document, source);
  const auto all_bytes = static_cast<double>(CopiedBytes(document, source));
  if (one_time.largest != nullptr &&
      static_cast<double>(one_time.bytes) >= kAlmostAll * all_bytes) {
    SayOneTime(document, *one_time.largest, advice);
  } else if (CopiesOnlyAsync(document, source)) {
    advice.action =
        "Copies are asynchronous, but nothing overlaps them: copy from pinned memory on "
        "a separate stream while kernels run";
  }
  return found;
}

// Narrower types do not help if the time of a collective above its fastest launch is
// spent until the last rank arrives. One rank alone does not show whether it is.
std::vector<Advice> CommunicationExposed(const Document& document) {
  std::vector<Advice> found = ExposedTime(
      document,
      {.exposed_s = &DeviceRow::exposed_communication_s,
       .all_s = &DeviceRow::communication_s,
       .what = "communication",
       .action = "Overlap communication with the preceding GEMMs (chunking, a separate "
                 "stream), send narrower types, or lower the degree of parallelism"});
  if (found.empty()) return found;
  Advice& advice = found.front();
  const DeviceRow& device = document.devices[*advice.evidence.front().row];
  const KernelRow* const collective =
      WaitingCollective(document, device.source, device.device);
  if (collective == nullptr) return found;
  advice.action = fmt::format(
      "Compare the traces of all ranks: {} takes {} (mean) but {} at best (min), so "
      "ranks "
      "may wait for each other, or message sizes differ. Balance the slowest rank, then "
      "overlap communication with compute",
      KernelInText(collective->name), Time(collective->mean_s), Time(collective->min_s));
  AddTo(advice.evidence, {Cite(document.kernels, *collective, &KernelRow::mean_s),
                          Cite(document.kernels, *collective, &KernelRow::min_s)});
  return found;
}

std::vector<Advice> LaunchBound(const Document& document) {
  for (const LaunchDelayRow& delay : document.launch_latency) {
    if (!delay.is_start_to_start() || delay.median_s > kNoQueueS) continue;
    const DeviceRow* const device = LongestDevice(document, delay.source);
    if (device == nullptr || device->idle_s < kMuchIdle * device->span_s) continue;
    return {{.verdict = fmt::format(
                 "Launch-bound: kernels start {} after their launch (median) and "
                 "{} is idle for {}",
                 Time(delay.median_s), DeviceName(*device),
                 Percent(device->idle_s / device->span_s)),
             .action =
                 "Reduce launches (CUDA graphs, fused kernels, larger batches) or launch "
                 "earlier (no synchronizing calls in between); faster kernels will not "
                 "help",
             .evidence = {Cite(document.launch_latency, delay, &LaunchDelayRow::median_s),
                          Cite(document.devices, *device, &DeviceRow::idle_s),
                          Cite(document.devices, *device, &DeviceRow::span_s)}}};
  }
  return {};
}

const DeviceRow* LongestDevice(const Document& document, const std::string& source) {
  const DeviceRow* longest = nullptr;
  for (const DeviceRow& device : document.devices) {
    if (device.source != source || !(device.span_s > 0)) continue;
    if (longest == nullptr || device.span_s > longest->span_s) longest = &device;
  }
  return longest;
}

}  // namespace ridgeline::report
