#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "estimates/scaled.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {
namespace {

// Half-width of a 95 % CI relative to the mean. A 10 % change, which is a good one, is
// visible at 5 % but not at 10 %.
constexpr double kWideShare = 0.10;
constexpr double kWantedShare = 0.05;

// Profiling overhead above which profiled times are distorted.
constexpr double kSlowedDown = 1.2;

// Phases below this share of the longest one are left to the tables.
constexpr double kWorthTelling = 0.1;

// Share of GPU time outside all regions that makes tables of regions misleading.
constexpr double kMuchUnattributed = 0.20;

// Share of the machine's memory; the page cache with the weights needs the rest.
constexpr double kNearlyFull = 0.85;

constexpr size_t kLongestOverride = 200;

bool IsEndedWell(const Row& stage) {
  const std::string state = stage.Text("state");
  return state.empty() || state == "done" || state == "disabled";
}

std::string MendingOf(const Row& stage) {
  const std::string name = Quoted(stage.Text("name"));
  if (const std::string again = stage.Text("retry_with"); !again.empty()) {
    return "Run again with " + Shortened(again, kLongestOverride);
  }
  if (stage.Text("state") == "skipped") {
    return fmt::format("Run 'ridgeline doctor' to see what {} needs", name);
  }
  return fmt::format("Read the log of {}, then continue with 'ridgeline run --resume'",
                     name);
}

// "run.repeats" of the configuration.
std::optional<std::pair<double, std::string>> ConfiguredRepeats(const Row& report) {
  for (const Row& entry : report.List("config")) {
    if (entry.Text("key") != "run.repeats") continue;
    const std::string text = entry.Text("value");
    int repeats = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), repeats);
    if (error != std::errc() || end != text.data() + text.size() || repeats < 1) continue;
    return std::pair<double, std::string>(repeats, entry.PointerTo("value"));
  }
  return {};
}

struct Spread {
  Row phase;
  Cited mean;
  Cited samples;
  std::vector<Cited> interval;
  double share = 0;  // Half-width relative to the mean.
};

std::optional<Spread> SpreadOf(const Row& phase) {
  const auto mean = phase.Number("mean_s");
  const auto samples = phase.Number("samples");
  std::vector<Cited> interval = phase.Numbers("mean_ci95_s");
  if (!phase.Is("profiled", false) || interval.size() != 2) return {};
  if (!mean || !(mean->value > 0) || !samples || !(samples->value > 0)) return {};
  const double half = (interval[1].value - interval[0].value) / 2;
  return Spread{phase, *mean, *samples, std::move(interval), half / mean->value};
}

// With 'bytes'.
std::optional<Row> LargestActivations(const Row& memory) {
  std::optional<Row> largest;
  double most = 0;
  for (const Row& peak : memory.List("activation_peaks")) {
    const auto bytes = peak.Number("bytes");
    if (!bytes || bytes->value <= most) continue;
    most = bytes->value;
    largest = peak;
  }
  return largest;
}

double LongestMean(const std::vector<Row>& phases) {
  double longest_s = 0;
  for (const Row& phase : phases) {
    const auto mean = phase.Number("mean_s");
    if (mean && phase.Is("profiled", false)) longest_s = std::max(longest_s, mean->value);
  }
  return longest_s;
}

}  // namespace

Findings OutputChanged(const Row& report) {
  const Row verdict = report.At("verdict");
  if (!verdict.Is("valid", false)) return {};
  Finding found = {
      .text =
          "Output differs from the reference (parity failed): do not use the times of "
          "this "
          "run",
      .attempt =
          "Find the first page that differs in direct_inference/parity.json, fix the "
          "difference and measure again",
      .evidence = {verdict.PointerTo("valid")}};
  if (const size_t pages = report.List("predictions").size(); pages > 1) {
    found.attempt = fmt::format(
        "Find the first of {} that differs in direct_inference/parity.json, fix the "
        "difference and measure again",
        Plural(static_cast<int64_t>(pages), "page"));
    found.evidence.push_back(report.PointerTo("predictions"));
  }
  return {found};
}

Findings NotComplete(const Row& report) {
  const Row verdict = report.At("verdict");
  const Row run = report.At("run");
  if (!verdict.Is("complete", false) || run.Text("state") == "imported") return {};
  Finding found = {.evidence = {verdict.PointerTo("complete")}};
  const std::vector<Row> stages = report.List("stages");
  int64_t bad = 0;
  for (const Row& stage : stages) {
    if (IsEndedWell(stage)) continue;
    ++bad;
    found.text +=
        fmt::format("{}{} {}", bad == 1 ? ": " : "; ", Quoted(stage.Text("name")),
                    Shortened(stage.Text("state"), kLongestOverride));
    const std::string why = stage.Text("why");
    if (!why.empty()) found.text += fmt::format(" ({})", Quoted(why));
    found.attempt += (bad == 1 ? "" : ". ") + MendingOf(stage);
    found.evidence.push_back(stage.PointerTo("state"));
  }
  if (bad > 0) {
    found.text = fmt::format("{} of {} did not complete", bad,
                             Plural(static_cast<int64_t>(stages.size()), "stage")) +
                 found.text;
    return {found};
  }
  found.text = "The run did not complete";
  if (const std::string why = run.Text("why"); !why.empty()) {
    found.text += ": " + Quoted(why);
    found.evidence.push_back(run.PointerTo("why"));
  }
  found.attempt = "Continue with 'ridgeline run --resume'";
  return {found};
}

Findings WideInterval(const Row& report) {
  std::optional<Spread> widest;
  for (const Row& phase : MajorRows(report.List("phases"))) {
    std::optional<Spread> spread = SpreadOf(phase);
    if (spread && (!widest || spread->share > widest->share)) widest = std::move(spread);
  }
  if (!widest || widest->share < kWideShare) return {};
  // The interval shrinks with the square root of n.
  const double factor = std::pow(widest->share / kWantedShare, 2);
  const double samples = widest->samples.value;
  Finding found = {
      .text = fmt::format("{}: 95 % CI is the mean +/- {} ({} to {}, n={:.0f})",
                          Shortened(widest->phase.Text("phase"), kLongestName),
                          Percent(widest->share),
                          estimates::Seconds(widest->interval[0].value),
                          estimates::Seconds(widest->interval[1].value), samples),
      .evidence = {widest->mean.pointer, widest->samples.pointer,
                   widest->interval[0].pointer, widest->interval[1].pointer}};
  if (const auto repeats = ConfiguredRepeats(report)) {
    found.attempt = fmt::format(
        "Set run.repeats={:.0f} for a {:.0f} % confidence interval (now {:.0f})",
        std::ceil(repeats->first * factor), 100 * kWantedShare, repeats->first);
    found.evidence.push_back(repeats->second);
  } else {
    found.attempt = fmt::format(
        "Raise run.repeats to reach n={:.0f} for a {:.0f} % confidence interval",
        std::ceil(samples * factor), 100 * kWantedShare);
  }
  return {found};
}

Findings ProfilerOverhead(const Row& report) {
  const std::vector<Row> phases = report.List("phases");
  std::optional<Finding> worst;
  double worst_ratio = kSlowedDown;
  const double least_s = kWorthTelling * LongestMean(phases);
  for (const Row& slow : phases) {
    if (!slow.Is("profiled", true)) continue;
    for (const Row& fast : phases) {
      const auto before = fast.Number("mean_s");
      const auto after = slow.Number("mean_s");
      const std::optional<double> ratio = ShareOf(after, before);
      if (!fast.Is("profiled", false) || fast.Text("phase") != slow.Text("phase")) {
        continue;
      }
      if (!before || before->value < least_s) continue;
      if (!ratio || *ratio < worst_ratio) continue;
      worst_ratio = *ratio;
      worst = Finding{
          .text = fmt::format("{}: profiling overhead {}x in {} ({} vs {})",
                              Shortened(slow.Text("phase"), kLongestName),
                              estimates::Ratio(*ratio), Quoted(slow.Text("source")),
                              estimates::Seconds(after->value),
                              estimates::Seconds(before->value)),
          .attempt =
              fast.Text("source") == slow.Text("source")
                  ? "Take times from the unprofiled passes; use the profiled pass only "
                    "for shares"
                  : fmt::format("Take times from {}; use {} only for shares",
                                Quoted(fast.Text("source")), Quoted(slow.Text("source"))),
          .evidence = {after->pointer, before->pointer}};
    }
  }
  return worst ? Findings{*worst} : Findings{};
}

Findings RoofUnknown(const Row& report) {
  const Row ledger = report.At("ledger");
  const bool no_compute = ledger.IsNull("compute_flops_per_s");
  const bool no_memory = ledger.IsNull("memory_bytes_per_s");
  if (!no_compute && !no_memory) return {};
  Finding found;
  const std::string device = ledger.Text("device");
  found.text = fmt::format("{} of {} unknown: no roofline",
                           no_compute && no_memory ? "Peak FLOP/s and peak bandwidth"
                           : no_compute            ? "Peak FLOP/s"
                                                   : "Peak bandwidth",
                           (device.empty() ? "this device" : Quoted(device)) +
                               (no_compute && no_memory ? " are" : " is"));
  found.attempt = "Set";
  if (no_compute) {
    found.attempt += " hardware.peak_tflops=...";
    found.evidence.push_back(ledger.PointerTo("compute_flops_per_s"));
  }
  if (no_memory) {
    found.attempt += " hardware.peak_gbps=...";
    found.evidence.push_back(ledger.PointerTo("memory_bytes_per_s"));
  }
  found.attempt +=
      " (vendor numbers: dense, for the dtype in use), or measure them with "
      "pipeline.static_analysis.enable=true";
  return {found};
}

Findings Unattributed(const Row& report) {
  const std::vector<Row> regions = report.List("regions");
  for (const Row& rest : regions) {
    const auto outside = rest.Number("gpu_exclusive_s");
    if (rest.Text("kind") != "unattributed" || !outside) continue;
    const std::string source = rest.Text("source");
    double all_s = 0;
    int64_t ranges = 0;
    for (const Row& region : regions) {
      if (region.Text("source") != source) continue;
      const auto seconds = region.Number("gpu_exclusive_s");
      if (seconds) all_s += seconds->value;
      if (region.Text("kind") != "unattributed") ++ranges;
    }
    if (!(all_s > 0) || outside->value < kMuchUnattributed * all_s) continue;
    return {Finding{
        .text =
            fmt::format("{} of GPU time in {} ({} of {}) is outside all NVTX ranges",
                        Percent(outside->value / all_s), Quoted(source),
                        estimates::Seconds(outside->value), estimates::Seconds(all_s)),
        .attempt =
            ranges == 0
                ? "Add NVTX ranges around the phases of the program and check them "
                  "with 'ridgeline nvtx-list -- PROGRAM'"
                : fmt::format("Add NVTX ranges around the work that the {} miss; a "
                              "range covers only launches from its own thread",
                              Plural(ranges, "region")),
        .evidence = {outside->pointer, report.PointerTo("regions")}}};
  }
  return {};
}

Findings GraphsAsAWhole(const Row& report) {
  for (const Row& device : report.List("devices")) {
    const auto graphs = device.Number("graphs");
    if (!graphs || graphs->value < 1) continue;
    return {Finding{
        .text = fmt::format("{} in {} captured as a whole: their kernels are not listed",
                            Plural(std::llround(graphs->value), "CUDA graph"),
                            Quoted(device.Text("source"))),
        .attempt = "Set pipeline.nsys.cuda_graph_trace=node to list the kernels inside "
                   "graphs; it adds overhead per kernel, so use it for shares, not times",
        .evidence = {graphs->pointer}}};
  }
  return {};
}

Findings MemoryNearlyFull(const Row& report) {
  const Row memory = report.At("memory");
  const auto machine = memory.Number("machine_total_bytes");
  for (const Row& peak : memory.List("peak_rss")) {
    const auto bytes = peak.Number("bytes");
    const std::optional<double> share = ShareOf(bytes, machine);
    if (!share || *share < kNearlyFull) continue;
    Finding found = {
        .text = fmt::format("{}: peak RSS {} of {} total, swapping is likely",
                            Quoted(peak.Text("source")), SignedBytes(bytes->value),
                            SignedBytes(machine->value)),
        .attempt =
            "Measure again with fewer other processes, a smaller dtype for the weights "
            "or "
            "fewer generated tokens",
        .evidence = {bytes->pointer, machine->pointer}};
    if (const std::optional<Row> phase = LargestActivations(memory)) {
      const auto activations = phase->Number("bytes");
      found.attempt += fmt::format("; activations of {} take {}", phase->Text("phase"),
                                   SignedBytes(activations->value));
      found.evidence.push_back(activations->pointer);
    }
    return {found};
  }
  return {};
}

}  // namespace ridgeline::report
