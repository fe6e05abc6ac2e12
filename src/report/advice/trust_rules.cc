#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "estimates/scaled.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {
namespace {

// Half of a 95 % interval against its mean. Above a tenth, a change of a tenth, which is
// a good one, cannot be seen; at a twentieth it can.
constexpr double kWideShare = 0.10;
constexpr double kWantedShare = 0.05;

// A profiler that slows a phase down by a fifth distorts it.
constexpr double kSlowedDown = 1.2;

// Phases that are shorter than this share of the longest one are left to the tables.
constexpr double kWorthTelling = 0.1;

// GPU time outside of all regions that makes tables of regions misleading.
constexpr double kMuchUnattributed = 0.20;

// Of the machine's memory; what is left is needed by the page cache that holds weights.
constexpr double kNearlyFull = 0.85;

constexpr size_t kLongestOverride = 200;

bool IsEndedWell(const Row& stage) {
  const std::string state = stage.Text("state");
  return state.empty() || state == "done" || state == "disabled";
}

std::string MendingOf(const Row& stage) {
  const std::string name = Quoted(stage.Text("name"));
  if (const std::string again = stage.Text("retry_with"); !again.empty()) {
    return "run again with " + Shortened(again, kLongestOverride);
  }
  if (stage.Text("state") == "skipped") {
    return fmt::format("'ridgeline doctor' says how to get what {} needs", name);
  }
  return fmt::format("read the log in the folder of {}, then 'ridgeline run --resume'",
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
  double share = 0;  // Half of the interval against the mean.
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
          "the model no longer says what its reference says: times of this run mean "
          "nothing",
      .attempt =
          "see in direct_inference/parity.json which page differs first, mend "
          "that, and measure again",
      .evidence = {verdict.PointerTo("valid")}};
  if (const size_t pages = report.List("predictions").size(); pages > 0) {
    found.attempt = fmt::format(
        "see in direct_inference/parity.json which of {} differs first, mend that, and "
        "measure again",
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
    found.attempt += (bad == 1 ? "" : "; ") + MendingOf(stage);
    found.evidence.push_back(stage.PointerTo("state"));
  }
  if (bad > 0) {
    found.text = fmt::format(
                     "{} of {} did not end well, and what they would have "
                     "measured is not here",
                     bad, Plural(static_cast<int64_t>(stages.size()), "stage")) +
                 found.text;
    return {found};
  }
  found.text = "the run did not end as it should";
  if (const std::string why = run.Text("why"); !why.empty()) {
    found.text += ": " + Quoted(why);
    found.evidence.push_back(run.PointerTo("why"));
  }
  found.attempt = "go on with 'ridgeline run --resume'";
  return {found};
}

Findings WideInterval(const Row& report) {
  std::optional<Spread> widest;
  for (const Row& phase : report.List("phases")) {
    std::optional<Spread> spread = SpreadOf(phase);
    if (spread && (!widest || spread->share > widest->share)) widest = std::move(spread);
  }
  if (!widest || widest->share < kWideShare) return {};
  // The interval shrinks with the square root of the number of samples.
  const double factor = std::pow(widest->share / kWantedShare, 2);
  const double samples = widest->samples.value;
  Finding found = {
      .text = fmt::format("the mean of {} is known to {} only ({} to {}, {})",
                          Quoted(widest->phase.Text("phase")), Percent(widest->share),
                          estimates::Seconds(widest->interval[0].value),
                          estimates::Seconds(widest->interval[1].value),
                          Plural(std::llround(samples), "sample")),
      .attempt = fmt::format("{:.0f} samples would tell it to {}",
                             std::ceil(samples * factor), Percent(kWantedShare)),
      .evidence = {widest->mean.pointer, widest->samples.pointer,
                   widest->interval[0].pointer, widest->interval[1].pointer}};
  if (const auto repeats = ConfiguredRepeats(report)) {
    found.attempt += fmt::format(": run.repeats={:.0f} instead of {:.0f}",
                                 std::ceil(repeats->first * factor), repeats->first);
    found.evidence.push_back(repeats->second);
  } else {
    found.attempt += ": more repeats (run.repeats) or more pages";
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
          .text =
              fmt::format("{} takes {} times as long under the profiler of {} ({}) as "
                          "without one ({})",
                          Quoted(slow.Text("phase")), estimates::Ratio(*ratio),
                          Quoted(slow.Text("source")), estimates::Seconds(after->value),
                          estimates::Seconds(before->value)),
          .attempt = fmt::format("read times in {}, and only shares and orders in {}",
                                 fast.Text("source") == slow.Text("source")
                                     ? "its passes without the profiler"
                                     : Quoted(fast.Text("source")),
                                 fast.Text("source") == slow.Text("source")
                                     ? "the one with it"
                                     : Quoted(slow.Text("source"))),
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
  found.text = fmt::format(
      "how fast the {} of {} can be is not known, nor how far from that it is used",
      no_compute && no_memory ? "arithmetic and the memory"
      : no_compute            ? "arithmetic"
                              : "memory",
      device.empty() ? "this device" : Quoted(device));
  found.attempt = "give the vendor's numbers, dense and for the type that runs:";
  if (no_compute) {
    found.attempt += " hardware.peak_tflops=...";
    found.evidence.push_back(ledger.PointerTo("compute_flops_per_s"));
  }
  if (no_memory) {
    found.attempt += " hardware.peak_gbps=...";
    found.evidence.push_back(ledger.PointerTo("memory_bytes_per_s"));
  }
  found.attempt += "; or have them measured: pipeline.static_analysis.enable=true";
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
            fmt::format("{} of the GPU's time in {} ({} of {}) was launched outside "
                        "of every region",
                        Percent(outside->value / all_s), Quoted(source),
                        estimates::Seconds(outside->value), estimates::Seconds(all_s)),
        .attempt = ranges == 0
                       ? "open NVTX ranges around the phases of the program; 'ridgeline "
                         "nvtx-list -- PROGRAM' shows whether they are seen"
                       : fmt::format("open NVTX ranges around what the {} there are "
                                     "leave out; ranges of one thread do not hold what "
                                     "others launch",
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
        .text = fmt::format("{} in {} were measured as a whole: their kernels are in no "
                            "table",
                            Plural(std::llround(graphs->value), "CUDA graph"),
                            Quoted(device.Text("source"))),
        .attempt = "pipeline.nsys.cuda_graph_trace=node sees the kernels inside, and "
                   "costs time for each: for shares, not for times",
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
        .text = fmt::format("{} needed {} of the machine's {}: pages may have been "
                            "written to disk or read twice",
                            Quoted(peak.Text("source")), SignedBytes(bytes->value),
                            SignedBytes(machine->value)),
        .attempt =
            "measure again with fewer neighbours, a smaller type of weights or "
            "shorter answers",
        .evidence = {bytes->pointer, machine->pointer}};
    if (const std::optional<Row> phase = LargestActivations(memory)) {
      const auto activations = phase->Number("bytes");
      found.attempt += fmt::format("; activations of {} are {} of it",
                                   phase->Text("phase"), SignedBytes(activations->value));
      found.evidence.push_back(activations->pointer);
    }
    return {found};
  }
  return {};
}

}  // namespace ridgeline::report
