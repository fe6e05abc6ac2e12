#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "estimates/scaled.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {
namespace {

// At a ceiling from 60 % on, as in ncu_findings.h.
constexpr double kNearRoof = 0.60;

// Below a third of peak, overhead dominates.
constexpr double kFarFromRoof = 0.33;

// Share of launch gaps that explains why a phase is far from its roofline.
constexpr double kExplainingGap = 0.10;

// Share of padding and masked FLOPs.
constexpr double kMuchWaste = 0.10;

// A phase to start with: the others together cannot save much more.
constexpr double kMainShare = 0.40;

struct Gap {
  double share = 0;
  std::vector<std::string> evidence;
};

// Launch gaps of a phase; nothing: few, or not measured.
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
  std::string_view bound;  // In the ledger.
  std::string_view what;
  std::string_view use_key;
  std::string_view work_key;
  std::string_view less;      // Advice for a phase at the ceiling.
  std::string_view more;      // Advice for a phase below it...
  std::string_view more_cpu;  // ...on a CPU.
};

constexpr Roof kMemory = {
    .bound = "memory",
    .what = "peak bandwidth",
    .use_key = "mbu",
    .work_key = "bytes",
    .less =
        "Near peak: only fewer bytes help. Quantize weights or KV cache, or raise the "
        "batch size to share each read of the weights",
    .more =
        "Fuse small kernels and raise the batch size, so that each launch moves more "
        "bytes",
    .more_cpu =
        "Raise the batch size or fuse small operators, and use enough threads to "
        "saturate memory bandwidth"};
constexpr Roof kCompute = {
    .bound = "compute",
    .what = "peak FLOP/s",
    .use_key = "mfu",
    .work_key = "flops",
    .less = "Near peak: only fewer FLOPs or a lower precision (bf16, fp8) help",
    .more =
        "Raise the batch size for larger GEMMs, use a dtype with tensor-core support, "
        "and "
        "check which kernels are not GEMMs",
    .more_cpu =
        "Fuse small operators or raise the batch size, then check thread scaling"};

struct NonGemmTime {
  double share = 0;
  std::string names;  // The longest: "aten::softmax 11 %, aten::add 10 %".
  std::vector<std::string> evidence;
};

bool IsGemmOperator(std::string_view name) {
  constexpr std::string_view kParts[] = {"mm", "linear", "conv", "attention", "einsum"};
  return std::any_of(std::begin(kParts), std::end(kParts), [name](std::string_view part) {
    return name.find(part) != name.npos;
  });
}

// Operators outside GEMMs in the first source that has operators; nothing if they do not
// take most of the time.
std::optional<NonGemmTime> NonGemmOf(const Row& report) {
  constexpr double kMostOfIt = 0.5;
  constexpr size_t kMostNamedOperators = 2;
  const std::vector<Row> operators = report.List("operators");
  NonGemmTime rest;
  for (const Row& op : operators) {
    const auto share = op.Number("share");
    const std::string name = op.Text("name");
    if (!share || op.Text("source") != operators.front().Text("source")) continue;
    if (IsGemmOperator(name)) continue;
    rest.share += share->value;
    if (rest.evidence.size() == kMostNamedOperators) continue;
    rest.names += fmt::format("{}{} {}", rest.names.empty() ? "" : ", ",
                              Shortened(name, kLongestName), Percent(share->value));
    rest.evidence.push_back(share->pointer);
  }
  if (rest.share < kMostOfIt) return {};
  return rest;
}

std::string AttemptFor(const Row& report, const std::string& phase, double use,
                       const Roof& roof, std::vector<std::string>& evidence) {
  const bool is_cpu = report.At("ledger").Text("device").starts_with("cpu");
  const std::string_view more = is_cpu ? roof.more_cpu : roof.more;
  if (use >= kNearRoof) return std::string(roof.less);
  if (use >= kFarFromRoof) return std::string(more);
  if (const std::optional<Gap> gap = GapOf(report, phase)) {
    evidence.insert(evidence.end(), gap->evidence.begin(), gap->evidence.end());
    return fmt::format("Close launch gaps first: the GPU is idle for {} of {}. {}",
                       Percent(gap->share), phase, more);
  }
  if (is_cpu) {
    const std::optional<NonGemmTime> rest = NonGemmOf(report);
    if (!rest) {
      return fmt::format(
          "Overhead dominates: look for allocator churn, idle threads and small "
          "operators. {}",
          more);
    }
    evidence.insert(evidence.end(), rest->evidence.begin(), rest->evidence.end());
    return fmt::format(
        "Overhead dominates: most time is outside GEMMs (see Operators: {}). {}",
        rest->names, more);
  }
  const bool has_timeline = !report.List("regions").empty();
  return fmt::format(
      "Overhead dominates: {}. {}",
      has_timeline ? "look for copies, synchronizing calls and CPU work in the timeline"
                   : "capture a timeline to find it (pipeline.nsys.enable=true)",
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
  for (const Row& phase : MajorRows(report.At("ledger").List("phases"))) {
    const std::string name = Shortened(phase.Text("name"), kLongestName);
    const auto use = phase.Number(std::string(roof.use_key));
    // A page is the sum of the others.
    if (phase.Text("bound") != roof.bound || name == "page" || !use) continue;
    Finding found = {.text = fmt::format("{}: {}-bound at {} of {}", name, roof.bound,
                                         Percent(use->value), roof.what),
                     .evidence = {use->pointer}};
    const auto distance = phase.Number("distance");
    const auto work = phase.Number(std::string(roof.work_key));
    const auto measured = phase.Number("measured_s");
    const auto least = phase.Number("least_s");
    if (distance && work && measured) {
      found.text +=
          fmt::format(", {}x roofline ({} in {})", estimates::Ratio(distance->value),
                      WorkText(work->value, roof), estimates::Seconds(measured->value));
      found.evidence.insert(found.evidence.end(), {distance->pointer, work->pointer});
    }
    found.attempt = AttemptFor(report, name, use->value, roof, found.evidence);
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

// Phases of a page, which follow each other. Measured prefill includes vision.
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
  for (const Row& phase : MajorRows(report.At("ledger").List("phases"))) {
    const auto mfu = phase.Number("mfu");
    const auto ideal = phase.Number("mfu_ideal");
    const auto measured = phase.Number("measured_s");
    const std::optional<double> needed = ShareOf(ideal, mfu);
    if (!needed || !measured || 1 - *needed < kMuchWaste) continue;
    const std::string name = Shortened(phase.Text("name"), kLongestName);
    if (phase.Text("bound") != kCompute.bound || name == "page") continue;
    findings.push_back({.text = fmt::format("{}: {} of FLOPs are padding or masked", name,
                                            Percent(1 - *needed)),
                        .attempt = fmt::format(
                            "Skip padding and masked work in {}: attention that skips "
                            "masked blocks, unpadded windows",
                            name),
                        .gain_s = GainOf(measured->value * (1 - *needed)),
                        .evidence = {mfu->pointer, ideal->pointer, measured->pointer}});
  }
  return findings;
}

Findings MainPhase(const Row& report) {
  std::vector<Row> phases = report.List("phases");
  // Direct inference runs without a profiler.
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
        .text = fmt::format("{} takes {} of a page ({} of {}): a 2x faster {} gives {}x",
                            main.name, Percent(share), estimates::Seconds(main.seconds),
                            estimates::Seconds(whole->value), main.name,
                            estimates::Ratio(1 / (1 - share / 2))),
        .attempt = fmt::format("Optimize {} first", main.name),
        .evidence = main.evidence};
    found.evidence.push_back(whole->pointer);
    if (share < 1) {
      found.attempt += fmt::format(": everything else together gives at most {}x",
                                   estimates::Ratio(1 / share));
    }
    return {found};
  }
  return {};
}

}  // namespace ridgeline::report
