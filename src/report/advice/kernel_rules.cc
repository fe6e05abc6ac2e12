#include <fmt/format.h>

#include <algorithm>

#include "analysis/kernel_identity.h"
#include "estimates/scaled.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {
namespace {

// Shares of kernel time above which a kind of work is worth advice.
constexpr double kMuchGemv = 0.25;         // Batching turns GEMV into GEMM.
constexpr double kMuchLayout = 0.10;       // No compute.
constexpr double kMuchElementwise = 0.25;  // Removed by fusion.
constexpr double kMuchSoftmax = 0.03;      // Not needed with fused attention.
constexpr double kMuchOfOneKernel = 0.20;

constexpr double kManyLaunches = 1000;

// Estimates of ncu below this are within the noise of its replays.
constexpr double kLeastSpeedupPercent = 10;

constexpr size_t kLongestRule = 400;

// The source in which kernels of a kind take the largest share of their time.
std::optional<Row> WorstOfKind(const Row& report, std::string_view kind, double least) {
  std::optional<Row> worst;
  for (const Row& row : report.List("kernel_kinds")) {
    const auto share = row.Number("share");
    if (row.Text("kind") != kind || !share || share->value < least) continue;
    if (!row.Number("total_s") || !row.Number("launches")) continue;
    least = share->value;
    worst = row;
  }
  return worst;
}

std::optional<Row> LongestOfKind(const Row& report, const std::string& source,
                                 std::string_view kind) {
  for (const Row& kernel : report.List("kernels")) {
    if (kernel.Text("source") != source || kernel.Text("kind") != kind) continue;
    if (kernel.Number("total_s")) return kernel;
  }
  return {};
}

std::string NameForPeople(const Row& kernel) {
  return Quoted(analysis::IdentityOf(kernel.Text("name")).name);
}

Finding KindFinding(const Row& kind, std::string_view what) {
  const auto share = kind.Number("share");
  const auto total = kind.Number("total_s");
  const auto launches = kind.Number("launches");
  return {.text = fmt::format("{} take {} of kernel time in {} ({} in {:.0f} launches)",
                              what, Percent(share->value), Quoted(kind.Text("source")),
                              estimates::Seconds(total->value), launches->value),
          .evidence = {share->pointer, total->pointer, launches->pointer}};
}

// "; longest: ..."
void AddLongest(const Row& report, const Row& kind, Finding& found) {
  const auto longest = LongestOfKind(report, kind.Text("source"), kind.Text("kind"));
  if (!longest) return;
  const auto total = longest->Number("total_s");
  found.text += fmt::format("; longest: {} ({})", NameForPeople(*longest),
                            estimates::Seconds(total->value));
  found.evidence.push_back(total->pointer);
}

// Tools spell kernel names differently; the short name and the library are the same in
// all of them.
struct Identity {
  explicit Identity(const Row& row)
      : is_known(!row.Text("name").empty()),
        identity(analysis::IdentityOf(row.Text("name"))) {}

  bool IsSame(const Identity& other) const {
    return is_known && other.is_known && identity.name == other.identity.name &&
           identity.library == other.identity.library;
  }

  bool is_known;
  analysis::KernelIdentity identity;
};

std::string ClassSentence(const Row& measured, std::vector<std::string>& evidence) {
  const std::string kind = measured.Text("class");
  std::string numbers;
  const auto add = [&](const char* key, const char* what) {
    const auto percent = measured.Number(key);
    if (!percent) return;
    numbers += fmt::format(", {} {}", what, Percent(percent->value / 100));
    evidence.push_back(percent->pointer);
  };
  evidence.push_back(measured.PointerTo("class"));
  add("sm_percent", "SM");
  add("dram_percent", "DRAM");
  add("occupancy_percent", "occupancy");
  const std::string_view attempt =
      kind == "memory_bound"
          ? "Move fewer bytes: lower the precision or fuse it with its "
            "neighbours"
      : kind == "compute_bound" ? "Lower the precision or reduce FLOPs: it runs near peak"
      : kind == "latency_bound" ? "Give it more work per launch (larger batch, fusion)"
                                : "Use a larger tile or batch to shift it towards "
                                  "compute-bound";
  std::string name = Shortened(kind, kLongestName);
  std::replace(name.begin(), name.end(), '_', '-');
  return fmt::format("{} (ncu: {}{})", attempt, name, numbers);
}

// How to profile the kernel with ncu; it is the rank-th of its source.
std::string MeasureIt(const Row& report, const Row& kernel, size_t rank) {
  if (report.At("run").Text("state") != "imported") {
    return fmt::format(
        "Profile it with ncu: pipeline.ncu.enable=true run.top_n_kernels={}", rank);
  }
  return fmt::format(
      "Profile it with ncu: 'ridgeline top-kernels {} --topk {} -o "
      "kernels.yaml', then 'ridgeline ncu-kernels --kernel-config "
      "kernels.yaml -- COMMAND'",
      Shortened(kernel.Text("source"), kLongestRule), rank);
}

struct RuleOfNcu {
  Cited speedup;  // In percent.
  std::string text;
  std::string text_pointer;
};

// The ncu rule with the largest estimate for a launch, if one is large enough.
std::optional<RuleOfNcu> StrongestRule(const Row& measured) {
  std::optional<RuleOfNcu> strongest;
  for (const Row& rule : measured.List("rules")) {
    const auto speedup = rule.Number("speedup_percent");
    if (!speedup || speedup->value < kLeastSpeedupPercent) continue;
    if (strongest && speedup->value <= strongest->speedup.value) continue;
    std::string text = Shortened(rule.Text("text"), kLongestRule);
    if (!text.empty()) strongest = {*speedup, std::move(text), rule.PointerTo("text")};
  }
  return strongest;
}

}  // namespace

Findings GemvShare(const Row& report) {
  const std::optional<Row> kind = WorstOfKind(report, "gemv", kMuchGemv);
  if (!kind) return {};
  Finding found = KindFinding(*kind, "GEMV kernels");
  AddLongest(report, *kind, found);
  found.attempt = fmt::format(
      "Raise the batch size: each of the {:.0f} launches reads a whole matrix for one "
      "row. Or quantize the weights",
      kind->Number("launches")->value);
  return {found};
}

Findings LayoutShare(const Row& report) {
  const std::optional<Row> kind = WorstOfKind(report, "copy", kMuchLayout);
  if (!kind) return {};
  Finding found = KindFinding(*kind, "Copies, casts and layout conversions");
  AddLongest(report, *kind, found);
  found.attempt = fmt::format(
      "Find their callers (aten::copy_, aten::to, aten::cat under Operators): keep "
      "weights and caches in the compute dtype, and write into preallocated caches "
      "instead of {:.0f} copies",
      kind->Number("launches")->value);
  found.gain_s = GainOf(kind->Number("total_s")->value);
  return {found};
}

Findings ElementwiseShare(const Row& report) {
  const std::optional<Row> kind = WorstOfKind(report, "elementwise", kMuchElementwise);
  if (!kind) return {};
  Finding found = KindFinding(*kind, "Elementwise kernels");
  AddLongest(report, *kind, found);
  const double mean_s =
      kind->Number("total_s")->value / std::max(1.0, kind->Number("launches")->value);
  found.attempt = fmt::format(
      "Fuse them into their neighbours (torch.compile, fused norm and activation "
      "kernels): each reads and writes its tensors again, mean {}",
      estimates::Seconds(mean_s));
  return {found};
}

Findings UnfusedAttention(const Row& report) {
  const std::optional<Row> softmax = WorstOfKind(report, "softmax", kMuchSoftmax);
  if (!softmax) return {};
  for (const Row& kind : report.List("kernel_kinds")) {
    if (kind.Text("source") != softmax->Text("source")) continue;
    if (kind.Text("kind") == "attention") return {};
  }
  Finding found = KindFinding(*softmax, "Softmax kernels");
  found.text += ", and there is no fused attention kernel";
  found.attempt =
      "Use fused attention (use_flash_attn=true, scaled_dot_product_attention): scores "
      "stay on chip, and softmax, masking and scaling need no separate kernels";
  found.gain_s = GainOf(softmax->Number("total_s")->value);
  found.evidence.push_back(report.PointerTo("kernel_kinds"));
  return {found};
}

Findings LongestKernel(const Row& report) {
  const std::vector<Row> kernels = report.List("kernels");
  std::optional<size_t> most;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const auto share = kernels[i].Number("share");
    if (!share || share->value < kMuchOfOneKernel) continue;
    if (!most || share->value > kernels[*most].Number("share")->value) most = i;
  }
  if (!most) return {};
  const Row& kernel = kernels[*most];
  const auto share = kernel.Number("share");
  Finding found = {
      .text = fmt::format("{} takes {} of kernel time in {}", NameForPeople(kernel),
                          Percent(share->value), Quoted(kernel.Text("source"))),
      .evidence = {share->pointer}};
  const auto launches = kernel.Number("launches");
  const auto mean = kernel.Number("mean_s");
  if (launches && mean) {
    found.text += fmt::format(" ({:.0f} launches, mean {})", launches->value,
                              estimates::Seconds(mean->value));
    found.evidence.insert(found.evidence.end(), {launches->pointer, mean->pointer});
  }
  const Identity identity(kernel);
  for (const Row& measured : report.List("ncu")) {
    const std::string kind = measured.Text("class");
    if (kind.empty() || kind == "unknown") continue;
    if (!Identity(measured).IsSame(identity)) continue;
    found.attempt = ClassSentence(measured, found.evidence);
    return {found};
  }
  const auto rank = std::count_if(
      kernels.begin(), kernels.begin() + static_cast<ptrdiff_t>(*most) + 1,
      [&kernel](const Row& k) { return k.Text("source") == kernel.Text("source"); });
  found.attempt = MeasureIt(report, kernel, static_cast<size_t>(rank));
  return {found};
}

Findings TinyKernels(const Row& report) {
  const Row all = report.At("kernels_in_all");
  const auto launches = all.Number("launches");
  const auto total = all.Number("total_s");
  const std::optional<double> mean_s = ShareOf(total, launches);
  if (!mean_s || launches->value < kManyLaunches || *mean_s >= kShortKernelS) return {};
  Finding found = {
      .text = fmt::format("{:.0f} launches with a mean of {}", launches->value,
                          estimates::Seconds(*mean_s)),
      .attempt = "Launch less often: CUDA graphs, fused kernels, a larger batch",
      .evidence = {launches->pointer, total->pointer}};
  for (const Row& api : report.List("apis")) {
    if (!api.Text("name").starts_with("cudaLaunchKernel")) continue;
    const auto calls = api.Number("calls");
    const auto seconds = api.Number("total_s");
    const std::optional<double> call_s = ShareOf(seconds, calls);
    if (!call_s) continue;
    found.text += fmt::format(", launch overhead {} each", estimates::Seconds(*call_s));
    found.evidence.insert(found.evidence.end(), {seconds->pointer, calls->pointer});
    break;
  }
  std::optional<Row> most;
  double most_launches = 0;
  for (const Row& kernel : report.List("kernels")) {
    const auto count = kernel.Number("launches");
    if (!count || count->value <= most_launches) continue;
    most_launches = count->value;
    most = kernel;
  }
  if (most) {
    found.attempt += fmt::format("; {} alone has {:.0f} launches", NameForPeople(*most),
                                 most_launches);
    found.evidence.push_back(most->PointerTo("launches"));
  }
  return {found};
}

Findings NcuRule(const Row& report) {
  const std::vector<Row> kernels = report.List("kernels");
  const std::vector<Identity> identities(kernels.begin(), kernels.end());
  std::optional<Finding> best;
  for (const Row& measured : report.List("ncu")) {
    const std::optional<RuleOfNcu> rule = StrongestRule(measured);
    if (!rule) continue;
    const Identity identity(measured);
    for (size_t i = 0; i < kernels.size(); ++i) {
      const auto total = kernels[i].Number("total_s");
      if (!total || !identity.IsSame(identities[i])) continue;
      const double share = std::min(1.0, rule->speedup.value / 100);
      const std::optional<double> gain_s = GainOf(total->value * share);
      if (!gain_s || (best && *gain_s <= *best->gain_s)) continue;
      best = Finding{
          .text = fmt::format("{}: ncu estimates a speedup of {} ({} in total)",
                              NameForPeople(kernels[i]), Percent(share),
                              estimates::Seconds(total->value)),
          .attempt = rule->text,
          .gain_s = gain_s,
          .evidence = {rule->speedup.pointer, rule->text_pointer, total->pointer}};
    }
  }
  return best ? Findings{*best} : Findings{};
}

}  // namespace ridgeline::report
