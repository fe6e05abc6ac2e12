#include "stages/ncu/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/plural.h"
#include "config/value/python_text.h"
#include "config/value/yaml_load.h"
#include "model_io/tokenizers/regex.h"
#include "profiles/kernel_pattern.h"

namespace ridgeline::stages {
namespace {

using pipeline::KernelTime;

// An argument is limited to 128 KiB, and names can take several.
constexpr size_t kMaxFilter = 96 << 10;

constexpr std::string_view kRegex = "regex:";

// Names, or expressions after "regex:", which match any part of a name.
class Exclusion {
 public:
  static Result<Exclusion> Of(const std::vector<std::string>& entries) {
    Exclusion exclusion;
    for (const std::string& entry : entries) {
      if (!entry.starts_with(kRegex)) {
        exclusion.names_.push_back(entry);
        continue;
      }
      Result<tokenizers::Regex> pattern = tokenizers::Regex::Compile(
          entry.substr(kRegex.size()), tokenizers::PatternKind::kRegex);
      if (!pattern.ok()) {
        return std::move(pattern).error().While("pipeline.ncu.ncu_cli.kernel_exclude");
      }
      exclusion.patterns_.push_back(std::move(pattern).value());
    }
    return exclusion;
  }

  bool Has(const std::string& name) {
    using Outcome = tokenizers::RegexSearch::Outcome;
    return std::find(names_.begin(), names_.end(), name) != names_.end() ||
           std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& pattern) {
             return pattern.Find(name, 0, scratch_).outcome == Outcome::kMatch;
           });
  }

 private:
  std::vector<std::string> names_;
  std::vector<tokenizers::Regex> patterns_;
  tokenizers::RegexScratch scratch_;
};

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// Time that ncu needs in addition to the kernel itself, to save and restore memory and to
// read counters. A rule of thumb; large working sets take longer.
constexpr double kSecondsPerPass = 0.01;

int64_t ProfiledLaunches(const KernelTime& kernel, const NcuOptions& options) {
  const int64_t left =
      std::max<int64_t>(0, kernel.launches - options.launch_skip.value_or(0));
  return std::min(
      left, options.launch_count.value_or(options.launches_per_kernel.value_or(left)));
}

double EstimatedSeconds(const KernelTime& kernel, int64_t launches, int64_t passes) {
  if (kernel.launches == 0) return 0;
  const double mean_s =
      static_cast<double>(kernel.time_ns) * 1e-9 / static_cast<double>(kernel.launches);
  return static_cast<double>(launches * passes) * (mean_s + kSecondsPerPass);
}

}  // namespace

Result<NcuSelection> SelectKernels(const std::vector<KernelTime>& all,
                                   const NcuOptions& options, int64_t passes) {
  RIDGELINE_TRY(Exclusion excluded, Exclusion::Of(options.kernel_exclude));
  NcuSelection selection;
  const int64_t total_ns = std::accumulate(
      all.begin(), all.end(), int64_t{0},
      [](int64_t sum, const KernelTime& kernel) { return sum + kernel.time_ns; });
  const double wanted_ns = options.plan_share * static_cast<double>(total_ns);
  int64_t chosen_ns = 0;
  std::string alternatives;
  for (const KernelTime& kernel : all) {
    if (std::ssize(selection.kernels) >= options.top_kernels) break;
    if (static_cast<double>(chosen_ns) >= wanted_ns && chosen_ns > 0) break;
    if (excluded.Has(kernel.name)) continue;
    const int64_t launches = ProfiledLaunches(kernel, options);
    const double seconds = EstimatedSeconds(kernel, launches, passes);
    const double budget_s = options.plan_budget_s.value_or(kNoLimit);
    if (selection.estimated_s + seconds > budget_s) continue;
    const std::string pattern = profiles::NcuNamePattern(kernel.name);
    if (alternatives.size() + pattern.size() > kMaxFilter) continue;
    if (!alternatives.empty()) alternatives += '|';
    alternatives += pattern;
    chosen_ns += kernel.time_ns;
    selection.launches += launches;
    selection.estimated_s += seconds;
    selection.kernels.push_back(kernel);
  }
  if (selection.kernels.empty()) return selection;
  selection.filter = "regex:" + alternatives;
  if (total_ns > 0) {
    selection.share = static_cast<double>(chosen_ns) / static_cast<double>(total_ns);
  }
  return selection;
}

std::optional<int64_t> SampledLaunches(const NcuSelection& selection,
                                       const NcuOptions& options, int64_t passes) {
  if (options.launch_count || !options.launches_per_kernel) return std::nullopt;
  if (selection.launches > 0) return selection.launches;
  const int64_t launches = options.top_kernels * *options.launches_per_kernel;
  if (!options.timeout_s) return launches;
  const double fitting =
      *options.timeout_s / (static_cast<double>(passes) * kSecondsPerPass);
  return std::clamp<int64_t>(static_cast<int64_t>(std::min(fitting, 1e9)), 1, launches);
}

std::vector<std::string> OverridesThatFit(const NcuSelection& selection,
                                          const NcuOptions& options) {
  if (!options.timeout_s || selection.estimated_s <= *options.timeout_s) return {};
  return {fmt::format("pipeline.ncu.plan.budget_s={:g}", *options.timeout_s * 0.8)};
}

Result<std::vector<KernelTime>> ReadKernelConfig(const std::string& yaml,
                                                 const std::string& origin) {
  const auto loaded = config::LoadYaml(yaml, origin);
  if (!loaded.ok()) return Error(ErrorCode::kParse, loaded.error().message);
  const config::Value* list =
      loaded.value().is_dict() ? loaded.value().dict().Find("kernels") : nullptr;
  if (list == nullptr || !list->is_list()) {
    return Error(
        ErrorCode::kParse,
        origin + ": missing list 'kernels'; `ridgeline top-kernels` writes this file");
  }
  std::vector<KernelTime> kernels;
  for (const config::Value& item : list->list()) {
    const config::Value* name = item.is_dict() ? item.dict().Find("name") : nullptr;
    if (name == nullptr || !name->is_string()) {
      return Error(ErrorCode::kParse,
                   fmt::format("{}: kernel {} has no name", origin, kernels.size() + 1));
    }
    const auto number = [&item](const char* key) -> int64_t {
      const config::Value* value = item.dict().Find(key);
      if (value == nullptr || !value->is_int()) return 0;
      const auto& integer = std::get<config::Integer>(value->scalar());
      return integer.fits_int64() ? integer.AsInt64() : 0;
    };
    kernels.push_back({config::Str(*name), number("calls"), number("time_total_ns")});
  }
  return kernels;
}

std::string SelectionYaml(const NcuSelection& selection) {
  std::string text = fmt::format(
      "# Kernels selected for ncu: {:.1f} % of the kernel time seen by nsys.\n"
      "# {}, estimated {:.0f} s.\n"
      "kernels:\n",
      selection.share * 100, Plural(selection.launches, "launch"), selection.estimated_s);
  for (size_t i = 0; i < selection.kernels.size(); ++i) {
    const KernelTime& kernel = selection.kernels[i];
    std::string quoted;
    for (const char c : kernel.name) quoted += c == '\'' ? "''" : std::string(1, c);
    text += fmt::format("- name: '{}'\n  rank: {}\n  calls: {}\n  time_total_ns: {}\n",
                        quoted, i + 1, kernel.launches, kernel.time_ns);
  }
  return text;
}

}  // namespace ridgeline::stages
