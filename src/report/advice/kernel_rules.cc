#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/kernel_identity.h"
#include "base/plural.h"
#include "hardware/gpu_specs.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

using analysis::Bottleneck;
using analysis::KernelKind;

// Shares of kernel time above which a kind of work is worth advice.
constexpr double kMuchGemv = 0.25;         // Batching turns GEMV into GEMM.
constexpr double kMuchLayout = 0.10;       // No compute.
constexpr double kMuchElementwise = 0.25;  // Removed by fusion.
constexpr double kMuchSoftmax = 0.03;      // Not needed with fused attention.
constexpr double kMuchOfOneKernel = 0.20;
// TF32 is several times faster: at a fifth of kernel time, it saves more than a tenth.
constexpr double kMuchFp32Gemm = 0.20;

constexpr int64_t kManyLaunches = 1000;

// ncu's estimates below this are within the noise of its replays.
constexpr double kMinSpeedupPercent = 10;

constexpr size_t kMaxRule = 400;

// The source in which kernels of a kind take the largest share of their time.
const KernelKindRow* WorstOfKind(const Document& document, KernelKind kind, double much) {
  const KernelKindRow* worst = nullptr;
  double most = much;
  for (const KernelKindRow& row : document.kernel_kinds) {
    if (row.kind != kind || !row.share || *row.share < most) continue;
    if (IsMinorOnGpu(document, row.source, row.total_s, much)) continue;
    most = *row.share;
    worst = &row;
  }
  return worst;
}

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

Advice KindAdvice(const Document& document, const KernelKindRow& kind,
                  std::string_view what) {
  return {.verdict = fmt::format("{} take {} of kernel time in {} ({} in {})", what,
                                 Percent(*kind.share), Quoted(kind.source),
                                 Time(kind.total_s), Launches(kind.launches)),
          .evidence = {Cite(document.kernel_kinds, kind, &KernelKindRow::share),
                       Cite(document.kernel_kinds, kind, &KernelKindRow::total_s),
                       Cite(document.kernel_kinds, kind, &KernelKindRow::launches)}};
}

// Others are not PyTorch's, and torch.compile does not fuse them.
bool HasAtenKernels(const Document& document, const KernelKindRow& kind) {
  return std::any_of(document.kernels.begin(), document.kernels.end(),
                     [&kind](const KernelRow& kernel) {
                       return kernel.source == kind.source && kernel.kind == kind.kind &&
                              Has(kernel.name, "at::native");
                     });
}

// Whether the longest kernel of the kind computes in FP64, which weights that can be
// quantized do not have.
bool IsInFp64(const Document& document, const KernelKindRow& kind) {
  for (const KernelRow& kernel : document.kernels) {
    if (kernel.source != kind.source || kernel.kind != kind.kind) continue;
    return Has(KernelName(kernel.name), "FP64") || Has(kernel.name, "double") ||
           Has(kernel.name, "dgemv");
  }
  return false;
}

// "; longest: ..."
void AddLongest(const Document& document, const KernelKindRow& kind, Advice& advice) {
  for (const KernelRow& kernel : document.kernels) {
    if (kernel.source != kind.source || kernel.kind != kind.kind) continue;
    advice.verdict += fmt::format("; longest: {} ({})", KernelInText(kernel.name),
                                  Time(kernel.total_s));
    advice.evidence.push_back(Cite(document.kernels, kernel, &KernelRow::total_s));
    return;
  }
}

// Tools spell kernel names differently; the short name and the library are the same in
// all of them.
bool IsSameKernel(const analysis::KernelIdentity& a, const analysis::KernelIdentity& b) {
  return !a.name.empty() && a.name == b.name && a.library == b.library;
}

// ncu's memory throughput is that of the unit with the highest utilization: DRAM, a cache
// or shared memory.
bool IsBoundByCaches(const NcuKernelRow& measured) {
  return measured.memory_percent && measured.dram_percent &&
         *measured.dram_percent < *measured.memory_percent / 2;
}

// Above this, more warps per SM would hide little more latency.
constexpr double kHighOccupancy = 70;

// From here on, only less work helps.
constexpr double kNearPeak = 80;

// Below this, launch and ramp-up are a large part of a kernel.
constexpr double kShortMeanS = 20e-6;

// The longest launch of the kernel; null: not among the longest of its file.
const NcuRow* LongestLaunch(const Document& document, const NcuKernelRow& kernel) {
  const NcuRow* longest = nullptr;
  for (const NcuRow& launch : document.ncu) {
    if (launch.source != kernel.source || launch.name != kernel.name) continue;
    if (longest == nullptr ||
        launch.duration_s.value_or(0) > longest->duration_s.value_or(0)) {
      longest = &launch;
    }
  }
  return longest;
}

// More work per launch helps only kernels that are short or leave SMs without blocks.
std::string LatencyAction(const Document& document, const NcuKernelRow& measured,
                          std::vector<Cell>& evidence) {
  const NcuRow* const longest = LongestLaunch(document, measured);
  if (longest != nullptr && longest->waves_per_sm && *longest->waves_per_sm < 1) {
    evidence.push_back(Cite(document.ncu, *longest, &NcuRow::waves_per_sm));
    return fmt::format(
        "Give it more work per launch (larger batch, fusion): its grid has {} waves/SM",
        Ratio(*longest->waves_per_sm));
  }
  if (measured.mean_s && *measured.mean_s < kShortMeanS) {
    evidence.push_back(Cite(document.ncu_kernels, measured, &NcuKernelRow::mean_s));
    return fmt::format(
        "Give it more work per launch (larger batch, fusion): a launch takes only {}",
        Time(*measured.mean_s));
  }
  if (measured.occupancy_percent.value_or(0) >= kHighOccupancy) {
    return "Find what its warps wait for (ncu --section WarpStateStats): occupancy "
           "is high, but few of them are ready to issue";
  }
  return "Raise its occupancy (fewer registers or less shared memory per block, another "
         "block size) and find what its warps wait for (ncu --section WarpStateStats)";
}

std::string ComputeAction(const NcuKernelRow& measured) {
  constexpr std::string_view kSeePipe =
      "see the busiest pipe (ncu --section ComputeWorkloadAnalysis)";
  const double sm_percent = measured.sm_percent.value_or(0);
  if (sm_percent >= kNearPeak) {
    return fmt::format(
        "SM throughput is near peak: {}; fewer instructions or a lower precision help",
        kSeePipe);
  }
  return fmt::format("Compute-bound (SM {} of peak): {}",
                     Number(sm_percent, Unit::kPercent), kSeePipe);
}

std::string ClassAction(const Document& document, const NcuKernelRow& measured,
                        std::vector<Cell>& evidence) {
  switch (measured.kernel_class) {
    case Bottleneck::kMemory:
      if (IsBoundByCaches(measured)) {
        return "Reduce L1, L2 and shared-memory traffic (coalescing, reuse in registers)";
      }
      return "Move fewer bytes: lower the precision or fuse it with its neighbours";
    case Bottleneck::kCompute:
      return ComputeAction(measured);
    case Bottleneck::kLatency:
      return LatencyAction(document, measured, evidence);
    case Bottleneck::kBalanced:
    case Bottleneck::kUnknown:
      break;
  }
  return "Use a larger tile or batch to shift it towards compute-bound";
}

std::string ClassSentence(const Document& document, const NcuKernelRow& measured,
                          std::vector<Cell>& evidence) {
  std::string numbers;
  const auto add = [&](OptionalNumber NcuKernelRow::*member, const char* what) {
    if (!(measured.*member)) return;
    numbers += fmt::format(", {} {}", what, Number(*(measured.*member), Unit::kPercent));
    evidence.push_back(Cite(document.ncu_kernels, measured, member));
  };
  evidence.push_back(Cite(document.ncu_kernels, measured, &NcuKernelRow::kernel_class));
  add(&NcuKernelRow::sm_percent, "SM");
  add(&NcuKernelRow::memory_percent, "memory");
  add(&NcuKernelRow::dram_percent, "DRAM");
  add(&NcuKernelRow::occupancy_percent, "occupancy");
  const std::string action = ClassAction(document, measured, evidence);
  return fmt::format("{} (ncu: {}{})", action, ClassText(measured.kernel_class), numbers);
}

// How to profile the kernel with ncu; `rank`: its rank in its source.
std::string MeasureIt(const Document& document, const KernelRow& kernel, size_t rank) {
  if (!document.is_imported()) {
    return fmt::format(
        "Profile it with ncu: pipeline.ncu.enable=true run.top_n_kernels={}", rank);
  }
  const auto source =
      std::find_if(document.sources.begin(), document.sources.end(),
                   [&kernel](const SourceRow& row) { return row.file == kernel.source; });
  if (source != document.sources.end() && !source->format.starts_with("nsys")) {
    return fmt::format(
        "Profile it with ncu: 'ridgeline ncu-kernels --kernel-regex {} -- COMMAND'",
        Shortened(analysis::FunctionOf(kernel.name), kMaxRule));
  }
  return fmt::format(
      "Profile it with ncu: 'ridgeline top-kernels {} --top {} -o "
      "kernels.yaml', then 'ridgeline ncu-kernels --kernel-config "
      "kernels.yaml -- COMMAND'",
      Shortened(kernel.source, kMaxRule), rank);
}

// "local" estimates are of one hardware unit, not of the runtime.
constexpr std::string_view kOfRuntime = "global";

// An ncu rule and a launch that it was evaluated for.
struct LaunchRule {
  const NcuRow* launch;
  const NcuRuleRow* rule;

  double share() const { return std::min(1.0, *rule->speedup_percent / 100); }
  double saving_s() const { return share() * launch->duration_s.value_or(0); }
};

// The strongest message of each rule of a launch: those of one rule overlap.
std::map<std::string, LaunchRule> StrongRulesOf(const NcuRow& launch) {
  std::map<std::string, LaunchRule> rules;
  for (const NcuRuleRow& rule : launch.rules) {
    if (rule.speedup_percent.value_or(0) < kMinSpeedupPercent) continue;
    if (rule.text.empty() || rule.speedup_kind != kOfRuntime) continue;
    const auto [known, is_new] = rules.try_emplace(rule.rule, LaunchRule{&launch, &rule});
    const double most = *known->second.rule->speedup_percent;
    if (!is_new && *rule.speedup_percent > most) known->second.rule = &rule;
  }
  return rules;
}

// An ncu rule over all profiled launches of a kernel for which it has an estimate.
struct KernelRule {
  std::vector<LaunchRule> launches;  // Largest saving first.
  double total_s = 0;
  double saving_s = 0;
};

// Each launch has its own estimate.
std::vector<KernelRule> RulesOfKernels(const Document& document) {
  using Key = std::tuple<std::string, std::string, std::string>;  // File, kernel, rule.
  std::map<Key, KernelRule> by_key;
  for (const NcuRow& launch : document.ncu) {
    if (launch.duration_s.value_or(0) <= 0) continue;
    for (const auto& [name, found] : StrongRulesOf(launch)) {
      KernelRule& rule = by_key[{launch.source, launch.name, name}];
      rule.launches.push_back(found);
      rule.total_s += *launch.duration_s;
      rule.saving_s += found.saving_s();
    }
  }
  std::vector<KernelRule> rules;
  for (auto& [key, rule] : by_key) {
    std::stable_sort(rule.launches.begin(), rule.launches.end(),
                     [](const LaunchRule& a, const LaunchRule& b) {
                       return a.saving_s() > b.saving_s();
                     });
    rules.push_back(std::move(rule));
  }
  return rules;
}

// Whole sentences, or words if the first sentence is too long; without the last full
// stop.
std::string RuleText(std::string_view text) {
  std::string whole = Shortened(text, text.size());
  if (whole.size() > kMaxRule) {
    const size_t sentence = whole.rfind(". ", kMaxRule);
    const size_t word = whole.rfind(' ', kMaxRule);
    const bool has_sentence = sentence != whole.npos && sentence > 0;
    if (!has_sentence && word == whole.npos) return Shortened(whole, kMaxRule);
    whole.resize(has_sentence ? sentence : word);
    if (!has_sentence) whole += " ...";
  }
  while (whole.ends_with('.') && !whole.ends_with("...")) whole.pop_back();
  return whole;
}

// From this compute capability on (Ampere), tensor cores have TF32 and BF16.
constexpr int kFirstMajorWithTf32 = 8;

// The GPU of that name, or null if it is unknown or has no TF32.
const hardware::GpuSpec* GpuWithTf32(std::string_view model) {
  for (const std::string_view vendor : {"NVIDIA ", "Tesla "}) {
    if (model.starts_with(vendor)) model.remove_prefix(vendor.size());
  }
  if (model.empty()) return nullptr;
  for (const hardware::GpuSpec& gpu : hardware::GpuSpecs()) {
    const auto& names = gpu.driver_names;
    if (std::find(names.begin(), names.end(), model) == names.end()) continue;
    return gpu.chip->capability.major >= kFirstMajorWithTf32 ? &gpu : nullptr;
  }
  return nullptr;
}

const hardware::GpuSpec* GpuWithTf32(const Document& document, const KernelRow& kernel) {
  for (const DeviceRow& device : document.devices) {
    if (device.source != kernel.source || device.device != kernel.device) continue;
    return device.model ? GpuWithTf32(*device.model) : nullptr;
  }
  return nullptr;
}

// Kernels of one source.
struct Fp32GemmTime {
  const hardware::GpuSpec* gpu = nullptr;
  std::vector<const KernelRow*> rows;
  double share = 0;
  double total_s = 0;
  int64_t launches = 0;
};

// The source in which they take the largest share.
Fp32GemmTime MostFp32Gemms(const Document& document) {
  std::map<std::string, Fp32GemmTime> sources;
  for (const KernelRow& kernel : document.kernels) {
    if (!kernel.share || !analysis::IsFp32GemmWithoutTensorCores(kernel.name)) continue;
    const hardware::GpuSpec* const gpu = GpuWithTf32(document, kernel);
    if (gpu == nullptr) continue;
    Fp32GemmTime& gemms = sources[kernel.source];
    gemms.gpu = gpu;
    gemms.rows.push_back(&kernel);
    gemms.share += *kernel.share;
    gemms.total_s += kernel.total_s;
    gemms.launches += kernel.launches;
  }
  Fp32GemmTime most;
  for (auto& [source, gemms] : sources) {
    if (IsMinorOnGpu(document, source, gemms.total_s, kMuchFp32Gemm)) continue;
    if (gemms.share > most.share) most = std::move(gemms);
  }
  return most;
}

// At peak rates; nullopt if one of them is not published.
OptionalNumber SavingWithTf32(const Fp32GemmTime& gemms) {
  const hardware::ByArithmetic& rates = gemms.gpu->chip->flop_per_clock_per_sm;
  const std::optional<double>& fp32 = rates.Of(hardware::Arithmetic::kFp32);
  const std::optional<double>& tf32 = rates.Of(hardware::Arithmetic::kTf32);
  if (!fp32 || !tf32 || !(*tf32 > 0)) return {};
  return SavingOf(gemms.total_s * (1 - *fp32 / *tf32));
}

}  // namespace

std::vector<Advice> Fp32Gemms(const Document& document) {
  constexpr size_t kMaxCited = 3;
  const Fp32GemmTime gemms = MostFp32Gemms(document);
  if (gemms.share < kMuchFp32Gemm) return {};
  const KernelRow& longest = *gemms.rows.front();
  Advice advice = {
      .verdict = fmt::format(
          "FP32 GEMMs without tensor cores take {} of kernel time in {} ({} in {}); "
          "longest: {} ({})",
          Percent(gemms.share), Quoted(longest.source), Time(gemms.total_s),
          Launches(gemms.launches), KernelInText(longest.name), Time(longest.total_s)),
      .action = fmt::format(
          "Allow TF32 (torch.set_float32_matmul_precision(\"high\")) or run the model in "
          "bf16: {} has tensor cores for both. Check the output: TF32 rounds inputs to "
          "10 mantissa bits, bf16 to 7",
          gemms.gpu->name),
      .saving_s = SavingWithTf32(gemms)};
  for (size_t i = 0; i < std::min(kMaxCited, gemms.rows.size()); ++i) {
    AddTo(advice.evidence,
          {Cite(document.kernels, *gemms.rows[i], &KernelRow::share),
           Cite(document.kernels, *gemms.rows[i], &KernelRow::total_s),
           Cite(document.kernels, *gemms.rows[i], &KernelRow::launches)});
  }
  return {advice};
}

std::vector<Advice> GemvShare(const Document& document) {
  const KernelKindRow* const kind = WorstOfKind(document, KernelKind::kGemv, kMuchGemv);
  if (kind == nullptr) return {};
  Advice advice = KindAdvice(document, *kind, "GEMV kernels");
  AddLongest(document, *kind, advice);
  advice.action = fmt::format(
      "Raise the batch size: each of the {} launches reads a whole matrix for one "
      "vector{}",
      WithCommas(kind->launches),
      IsInFp64(document, *kind) ? "" : ". Or quantize the weights");
  return {advice};
}

std::vector<Advice> LayoutConversion(const Document& document) {
  const KernelKindRow* const kind = WorstOfKind(document, KernelKind::kCopy, kMuchLayout);
  if (kind == nullptr) return {};
  Advice advice = KindAdvice(document, *kind, "Copies, casts and layout conversions");
  AddLongest(document, *kind, advice);
  advice.action =
      "Find their callers (aten::copy_, aten::to, aten::cat under Operators): keep "
      "weights and caches in the compute dtype, and write into preallocated caches "
      "instead of copying";
  advice.saving_s = SavingOf(kind->total_s);
  return {advice};
}

std::vector<Advice> ElementwiseShare(const Document& document) {
  const KernelKindRow* const kind =
      WorstOfKind(document, KernelKind::kElementwise, kMuchElementwise);
  if (kind == nullptr) return {};
  Advice advice = KindAdvice(document, *kind, "Elementwise kernels");
  AddLongest(document, *kind, advice);
  const auto launches = static_cast<double>(std::max<int64_t>(1, kind->launches));
  const DeviceRow* const device = LongestDevice(document, kind->source);
  const bool is_much =
      device == nullptr || kind->total_s >= kMinKernelShare * device->span_s;
  advice.action = fmt::format(
      "Fuse them into their neighbours ({}fused norm and activation kernels): each reads "
      "and writes its tensors again, mean {}",
      is_much && HasAtenKernels(document, *kind) ? "torch.compile, " : "",
      Time(kind->total_s / launches));
  return {advice};
}

std::vector<Advice> UnfusedAttention(const Document& document) {
  const KernelKindRow* const softmax =
      WorstOfKind(document, KernelKind::kSoftmax, kMuchSoftmax);
  if (softmax == nullptr) return {};
  for (const KernelKindRow& kind : document.kernel_kinds) {
    if (kind.source == softmax->source && kind.kind == KernelKind::kAttention) return {};
  }
  Advice advice = KindAdvice(document, *softmax, "Softmax kernels");
  advice.verdict += ", and there is no fused attention kernel";
  advice.action = fmt::format(
      "Use fused attention ({}scaled_dot_product_attention): scores stay on chip, and "
      "softmax, masking and scaling need no separate kernels",
      document.is_imported() ? "" : "use_flash_attn=true, ");
  advice.saving_s = SavingOf(softmax->total_s);
  advice.evidence.push_back(CiteAll(document.kernel_kinds));
  return {advice};
}

// A kernel on all devices of a source: each device has a row with part of its share.
struct KernelOfSource {
  std::vector<const KernelRow*> rows;
  double share = 0;
  double total_s = 0;
  int64_t launches = 0;
};

// Ordered by their longest rows.
std::vector<KernelOfSource> KernelsOfSources(const Document& document) {
  std::vector<KernelOfSource> kernels;
  std::map<std::pair<std::string, std::string>, size_t> index;
  for (const KernelRow& row : document.kernels) {
    // ncu cannot replay collectives; exposed communication has a separate rule.
    if (!row.share || row.kind == KernelKind::kCommunication) continue;
    const auto [known, is_new] =
        index.try_emplace({row.source, row.name}, kernels.size());
    if (is_new) kernels.emplace_back();
    KernelOfSource& kernel = kernels[known->second];
    kernel.rows.push_back(&row);
    kernel.share += *row.share;
    kernel.total_s += row.total_s;
    kernel.launches += row.launches;
  }
  return kernels;
}

// Less than this is not all of the time of a source, but for rounding.
constexpr double kAll = 0.999;

// A share of 100 % says nothing about it. ncu's kernels without a duration are kernels,
// too.
bool IsOnlyKernel(const Document& document, const KernelRow& kernel) {
  const auto is_other = [&kernel](const auto& row) {
    return row.source == kernel.source && row.name != kernel.name;
  };
  return std::none_of(document.kernels.begin(), document.kernels.end(), is_other) &&
         std::none_of(document.ncu_kernels.begin(), document.ncu_kernels.end(), is_other);
}

// What shares of a file of ncu are relative to: "the measured time (4 of 5 launches)" if
// ncu could not measure the duration of all.
std::string ProfiledTime(const Document& document, const std::string& source) {
  int64_t launches = 0;
  int64_t measured = 0;
  for (const NcuKernelRow& row : document.ncu_kernels) {
    if (row.source != source) continue;
    launches += row.launches;
    if (row.total_s) measured += row.launches;
  }
  if (measured == launches) return "the profiled time";
  return fmt::format("the measured time ({})", PartOf(measured, launches, "launch"));
}

std::vector<Advice> TopKernel(const Document& document) {
  std::vector<KernelOfSource> kernels = KernelsOfSources(document);
  std::erase_if(kernels, [&document](const KernelOfSource& kernel) {
    return IsMinorOnGpu(document, kernel.rows.front()->source, kernel.total_s,
                        kMuchOfOneKernel);
  });
  const auto longest =
      std::max_element(kernels.begin(), kernels.end(),
                       [](const auto& a, const auto& b) { return a.share < b.share; });
  if (longest == kernels.end() || longest->share < kMuchOfOneKernel) return {};
  const KernelRow& kernel = *longest->rows.front();
  const double mean_s =
      longest->total_s / static_cast<double>(std::max<int64_t>(1, longest->launches));
  // Filtered or not: ncu's launches are not the time of the program.
  const bool is_profiled = std::any_of(
      document.ncu_kernels.begin(), document.ncu_kernels.end(),
      [&kernel](const NcuKernelRow& row) { return row.source == kernel.source; });
  const std::string share =
      longest->share > kAll && IsOnlyKernel(document, kernel)
          ? "is the only kernel"
          : fmt::format(
                "takes {} of {}", Percent(longest->share),
                is_profiled ? ProfiledTime(document, kernel.source) : "kernel time");
  Advice advice = {.verdict = fmt::format(
                       "{} {} in {} ({}, mean {})", KernelInText(kernel.name), share,
                       Quoted(kernel.source), Launches(longest->launches), Time(mean_s))};
  for (const KernelRow* row : longest->rows) {
    AddTo(advice.evidence, {Cite(document.kernels, *row, &KernelRow::share),
                            Cite(document.kernels, *row, &KernelRow::launches),
                            Cite(document.kernels, *row, &KernelRow::mean_s)});
  }
  const analysis::KernelIdentity identity = analysis::IdentityOf(kernel.name);
  for (const NcuKernelRow& measured : document.ncu_kernels) {
    if (measured.kernel_class == Bottleneck::kUnknown) continue;
    if (!IsSameKernel(analysis::IdentityOf(measured.name), identity)) continue;
    advice.action = ClassSentence(document, measured, advice.evidence);
    return {advice};
  }
  if (is_profiled) return {};  // By ncu, without the metrics for its class.
  const auto rank =
      std::count_if(kernels.begin(), longest + 1, [&kernel](const KernelOfSource& other) {
        return other.rows.front()->source == kernel.source;
      });
  advice.action = MeasureIt(document, kernel, static_cast<size_t>(rank));
  return {advice};
}

// Totals of the kernels of one source: the sum over kinds.
struct KernelTime {
  int64_t launches = 0;
  double total_s = 0;
  std::vector<Cell> evidence;
};

KernelTime KernelTimeOf(const Document& document, const std::string& source) {
  KernelTime time;
  for (const KernelKindRow& kind : document.kernel_kinds) {
    if (kind.source != source) continue;
    time.launches += kind.launches;
    time.total_s += kind.total_s;
    AddTo(time.evidence, {Cite(document.kernel_kinds, kind, &KernelKindRow::launches),
                          Cite(document.kernel_kinds, kind, &KernelKindRow::total_s)});
  }
  return time;
}

std::optional<Advice> TinyKernelsOf(const Document& document, const std::string& source) {
  KernelTime all = KernelTimeOf(document, source);
  if (all.launches < kManyLaunches) return std::nullopt;
  const double mean_s = all.total_s / static_cast<double>(all.launches);
  if (mean_s >= kShortKernelS) return std::nullopt;
  Advice advice = {
      .verdict =
          fmt::format("{} with a mean of {}", Launches(all.launches), Time(mean_s)),
      .action = "Launch less often: CUDA graphs, fused kernels, a larger batch",
      .evidence = std::move(all.evidence)};
  for (const ApiRow& api : document.api_calls) {
    if (api.source != source || api.calls == 0) continue;
    if (!api.name.starts_with("cudaLaunchKernel")) continue;
    advice.verdict += fmt::format(", launch overhead {} each",
                                  Time(api.total_s / static_cast<double>(api.calls)));
    AddTo(advice.evidence, {Cite(document.api_calls, api, &ApiRow::total_s),
                            Cite(document.api_calls, api, &ApiRow::calls)});
    break;
  }
  const KernelRow* most = nullptr;
  for (const KernelRow& kernel : document.kernels) {
    if (kernel.source != source) continue;
    if (most == nullptr || kernel.launches > most->launches) most = &kernel;
  }
  if (most != nullptr) {
    advice.action += fmt::format("; {} alone has {}", KernelInText(most->name),
                                 Launches(most->launches));
    advice.evidence.push_back(Cite(document.kernels, *most, &KernelRow::launches));
  }
  return advice;
}

std::vector<Advice> ShortKernels(const Document& document) {
  for (const SourceRow& source : document.sources) {
    if (auto advice = TinyKernelsOf(document, source.file)) return {*advice};
  }
  return {};
}

std::vector<Advice> NcuRule(const Document& document) {
  constexpr size_t kMaxCited = 3;
  std::vector<analysis::KernelIdentity> identities;
  for (const KernelRow& kernel : document.kernels) {
    identities.push_back(analysis::IdentityOf(kernel.name));
  }
  const auto is_in_timeline = [&identities](const KernelRule& rule) {
    const auto identity = analysis::IdentityOf(rule.launches.front().launch->name);
    return std::any_of(
        identities.begin(), identities.end(),
        [&identity](const auto& other) { return IsSameKernel(identity, other); });
  };
  std::vector<KernelRule> rules = RulesOfKernels(document);
  std::stable_sort(
      rules.begin(), rules.end(),
      [](const KernelRule& a, const KernelRule& b) { return a.saving_s > b.saving_s; });
  const auto best = std::find_if(rules.begin(), rules.end(), is_in_timeline);
  if (best == rules.end()) return {};
  const LaunchRule& first = best->launches.front();
  Advice advice = {
      .verdict = fmt::format("{}: ncu estimates a speedup of {} for {} ({}), as profiled",
                             KernelInText(first.launch->name),
                             Percent(best->saving_s / best->total_s),
                             Launches(std::ssize(best->launches)), Time(best->total_s)),
      .action = RuleText(first.rule->text),
      .saving_s = SavingOf(best->saving_s)};
  for (size_t i = 0; i < std::min(kMaxCited, best->launches.size()); ++i) {
    const auto& [launch, rule] = best->launches[i];
    const Cell all = Cite(document.ncu, *launch, &NcuRow::rules);
    const auto of_rule = [&, rule = rule, launch = launch](auto member) {
      return Within(all, Cite(launch->rules, *rule, member));
    };
    AddTo(advice.evidence, {of_rule(&NcuRuleRow::speedup_percent),
                            Cite(document.ncu, *launch, &NcuRow::duration_s)});
    if (i == 0) advice.evidence.push_back(of_rule(&NcuRuleRow::text));
  }
  return {advice};
}

}  // namespace ridgeline::report
