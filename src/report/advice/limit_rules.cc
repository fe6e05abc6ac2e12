#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "estimates/scaled.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {
namespace {

// A roof limits what comes near to it: the same 60 % that ncu_findings.h takes for
// kernels.
constexpr double kNearRoof = 0.60;

// Below a third of its roof, a phase mostly waits for something else.
constexpr double kFarFromRoof = 0.33;

// Gaps between kernels that explain why a phase is far from its roof.
constexpr double kExplainingGap = 0.10;

// FLOPs that no result needs, of those that are executed.
constexpr double kMuchWaste = 0.10;

// A phase to begin with: the others together cannot gain much more than it.
constexpr double kMainShare = 0.40;

struct Gap {
  double share = 0;
  std::vector<std::string> evidence;
};

// How much of a phase's time on the GPU no kernel runs; nothing: not much, or not known.
std::optional<Gap> GapOf(const Row& report, const std::string& phase) {
  for (const Row& region : report.List("regions")) {
    const auto gap = region.Number("gpu_gap_s");
    const auto span = region.Number("gpu_span_s");
    const std::optional<double> share = ShareOf(gap, span);
    if (region.Text("path") != phase || !share || *share < kExplainingGap) continue;
    return Gap{*share, {gap->pointer, span->pointer}};
  }
  return {};
}

struct Roof {
  std::string_view bound;  // As the ledger calls it.
  std::string_view what;
  std::string_view use_key;
  std::string_view work_key;
  std::string_view less;      // What makes a phase faster that is at the roof.
  std::string_view more;      // What brings one nearer...
  std::string_view more_cpu;  // ...on a CPU.
};

constexpr Roof kMemory = {
    .bound = "memory",
    .what = "memory bandwidth",
    .use_key = "mbu",
    .work_key = "bytes",
    .less =
        "only fewer bytes make it faster: weights or KV cache in a smaller type, or "
        "several pages that share one read of the weights",
    .more =
        "fuse small kernels and read several pages together, so that each launch "
        "moves more bytes",
    .more_cpu =
        "read several pages together and fuse small operators, so that each call "
        "moves more bytes; use as many threads as saturate the memory"};
constexpr Roof kCompute = {
    .bound = "compute",
    .what = "arithmetic",
    .use_key = "mfu",
    .work_key = "flops",
    .less = "only fewer FLOPs or a faster type (bf16, fp8) make it faster",
    .more =
        "use larger products (more rows at once) and a type that tensor cores take; "
        "look which kernels are no products",
    .more_cpu =
        "use larger products (more rows at once) and all cores; look which operators "
        "are no products"};

std::string AttemptFor(const Row& report, const std::string& phase, double use,
                       const Roof& roof, std::vector<std::string>& evidence) {
  const bool is_cpu = report.At("ledger").Text("device").starts_with("cpu");
  const std::string_view more = is_cpu ? roof.more_cpu : roof.more;
  if (use >= kNearRoof) return std::string(roof.less);
  if (use >= kFarFromRoof) return std::string(more);
  if (const std::optional<Gap> gap = GapOf(report, phase)) {
    evidence.insert(evidence.end(), gap->evidence.begin(), gap->evidence.end());
    return fmt::format(
        "first close the gaps, in which no kernel runs: they are {} of its "
        "time on the GPU; then {}",
        Percent(gap->share), more);
  }
  const bool has_timeline = !report.List("regions").empty();
  std::string_view look = "a timeline shows for what (pipeline.nsys.enable=true)";
  if (has_timeline) look = "look for copies, synchronizing calls and work of the CPU";
  if (is_cpu) look = "operators, threads that wait, and memory that is asked for anew";
  return fmt::format("it waits for something other than {}: {}; then {}", roof.what, look,
                     more);
}

std::string WorkText(double amount, const Roof& roof) {
  if (roof.bound == kMemory.bound) return SignedBytes(amount);
  constexpr double kMostExact = 1e19;  // Of 64 bits.
  return estimates::Flops(
      cost::Count(static_cast<uint64_t>(std::clamp(amount, 0.0, kMostExact))));
}

Findings BoundBy(const Row& report, const Roof& roof) {
  Findings findings;
  for (const Row& phase : report.At("ledger").List("phases")) {
    const std::string name = Shortened(phase.Text("name"), kLongestName);
    const auto use = phase.Number(std::string(roof.use_key));
    // A page is the sum of the others.
    if (phase.Text("bound") != roof.bound || name == "page" || !use) continue;
    Finding found = {.text = fmt::format("{} is bound by {} and reaches {} of it", name,
                                         roof.what, Percent(use->value)),
                     .evidence = {use->pointer}};
    const auto distance = phase.Number("distance");
    const auto work = phase.Number(std::string(roof.work_key));
    if (distance && work) {
      found.text +=
          fmt::format(": {} times the least time that {} need",
                      estimates::Ratio(distance->value), WorkText(work->value, roof));
      found.evidence.insert(found.evidence.end(), {distance->pointer, work->pointer});
    }
    found.attempt = AttemptFor(report, name, use->value, roof, found.evidence);
    const auto measured = phase.Number("measured_s");
    const auto least = phase.Number("least_s");
    if (measured && least) {
      found.gain_s = GainOf(measured->value - least->value);
      found.evidence.insert(found.evidence.end(), {measured->pointer, least->pointer});
    }
    findings.push_back(std::move(found));
  }
  return findings;
}

struct Part {
  std::string name;
  double seconds = 0;
  std::vector<std::string> evidence;
};

std::optional<Cited> MeanOf(const std::vector<Row>& phases, const std::string& source,
                            std::string_view name) {
  for (const Row& phase : phases) {
    if (phase.Text("phase") != name || phase.Text("source") != source) continue;
    if (phase.Is("profiled", false)) return phase.Number("mean_s");
  }
  return {};
}

// What a page is made of, one after the other. The clock of prefill holds vision.
std::vector<Part> PartsOfPage(const std::vector<Row>& phases, const std::string& source) {
  std::vector<Part> parts;
  const auto vision = MeanOf(phases, source, "vision");
  constexpr std::array<const char*, 4> kNames = {"preprocess", "vision", "prefill",
                                                 "decode"};
  for (const char* name : kNames) {
    const auto mean = MeanOf(phases, source, name);
    if (!mean) continue;
    Part part = {name, mean->value, {mean->pointer}};
    if (vision && part.name == "prefill") {
      part.seconds -= vision->value;
      part.evidence.push_back(vision->pointer);
    }
    if (part.seconds > 0) parts.push_back(std::move(part));
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.seconds > b.seconds; });
  return parts;
}

}  // namespace

Findings MemoryBound(const Row& report) { return BoundBy(report, kMemory); }
Findings ComputeBound(const Row& report) { return BoundBy(report, kCompute); }

Findings WastedFlops(const Row& report) {
  Findings findings;
  for (const Row& phase : report.At("ledger").List("phases")) {
    const auto mfu = phase.Number("mfu");
    const auto ideal = phase.Number("mfu_ideal");
    const auto measured = phase.Number("measured_s");
    const std::optional<double> needed = ShareOf(ideal, mfu);
    if (!needed || !measured || 1 - *needed < kMuchWaste) continue;
    const std::string name = Shortened(phase.Text("name"), kLongestName);
    if (phase.Text("bound") != kCompute.bound || name == "page") continue;
    findings.push_back({.text = fmt::format("no result needs {} of what {} multiplies",
                                            Percent(1 - *needed), name),
                        .attempt = fmt::format(
                            "leave out of {} what a mask hides and what only fills up "
                            "windows or batches: attention that skips hidden blocks, "
                            "unpadded windows",
                            name),
                        .gain_s = GainOf(measured->value * (1 - *needed)),
                        .evidence = {mfu->pointer, ideal->pointer, measured->pointer}});
  }
  return findings;
}

Findings MainPhase(const Row& report) {
  std::vector<Row> phases = report.List("phases");
  // Direct inference measures nothing else.
  std::stable_partition(phases.begin(), phases.end(), [](const Row& phase) {
    return phase.Text("source").starts_with("direct_inference/");
  });
  for (const Row& page : phases) {
    const auto whole = page.Number("mean_s");
    if (page.Text("phase") != "page" || !page.Is("profiled", false)) continue;
    if (!whole || !(whole->value > 0)) continue;
    const std::vector<Part> parts = PartsOfPage(phases, page.Text("source"));
    if (parts.empty()) continue;
    const Part& main = parts.front();
    const double share = std::min(1.0, main.seconds / whole->value);
    if (share < kMainShare) continue;
    Finding found = {
        .text = fmt::format("{} is {} of a page ({} of {}): twice as fast, it would make "
                            "pages {} times as fast",
                            main.name, Percent(share), estimates::Seconds(main.seconds),
                            estimates::Seconds(whole->value),
                            estimates::Ratio(1 / (1 - share / 2))),
        .attempt = fmt::format("begin with {}", main.name),
        .evidence = main.evidence};
    found.evidence.push_back(whole->pointer);
    if (share < 1) {
      found.attempt += fmt::format(
          ": all the rest, were it gone, would make pages {} "
          "times as fast",
          estimates::Ratio(1 / share));
    }
    return {found};
  }
  return {};
}

}  // namespace ridgeline::report
