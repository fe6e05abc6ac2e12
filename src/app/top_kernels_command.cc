#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

#include "analysis/analyze.h"
#include "app/command_support.h"
#include "app/commands.h"
#include "app/flags.h"
#include "app/kernel_yaml.h"
#include "app/output_file.h"
#include "app/secrets_warning.h"
#include "config/tree/suggest.h"
#include "os/files.h"
#include "profiles/formats.h"

namespace ridgeline::app {
namespace {

using results::GpuTotal;

std::span<const Flag> TopKernelsFlags() {
  static const std::vector<Flag> flags = {
      {"--output", "-o", Flag::Takes::kValue, "FILE", "write the YAML to this file"},
      {"--top", "", Flag::Takes::kValue, "N", "maximum number of kernels (default: 10)"},
      {"--min-share", "", Flag::Takes::kValue, "FRACTION",
       "minimum share of kernel time, 0 to 1 (default: 0)"},
      {"--region", "", Flag::Takes::kValue, "NAME",
       "only kernels launched in this NVTX region, e.g. prefill/sam"},
      {"--help", "-h", Flag::Takes::kNothing, "", "show this help"},
  };
  return flags;
}

void PrintTopKernelsUsage(std::ostream& out) {
  out << "ridgeline top-kernels FILE [flags]\n"
         "  Lists the kernels with the most GPU time, as YAML with exact names and "
         "regular\n"
         "  expressions, as input for ncu. FILE is an nsys SQLite export or an nsys "
         "stats\n"
         "  kernel summary (CSV).\n";
  out << FlagsHelp(TopKernelsFlags());
}

struct TopKernelsOptions {
  std::string file;
  std::string output;  // Empty: none.
  size_t top = 10;
  double min_share = 0;
  std::string region;  // Empty: everything.
};

template <typename Number>
bool Read(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

Result<TopKernelsOptions> TopKernelsOptionsOf(const ParsedFlags& flags) {
  TopKernelsOptions options;
  if (flags.words.size() != 1) {
    return UsageError(
        "top-kernels needs one FILE: an nsys SQLite export or kernel summary");
  }
  options.file = flags.words[0];
  options.output = flags.Get("--output");
  options.region = flags.Get("--region");
  for (const std::string_view flag : {"--output", "--region"}) {
    if (flags.Has(flag) && flags.Get(flag).empty()) {
      return UsageError("flag " + std::string(flag) + " needs a value");
    }
  }
  const std::string top = flags.Get("--top");
  if (flags.Has("--top") && (!Read(top, options.top) || options.top == 0)) {
    return UsageError("flag --top: expected an integer >= 1, got '" + top + "'");
  }
  const std::string share = flags.Get("--min-share");
  if (flags.Has("--min-share") && (!Read(share, options.min_share) ||
                                   !(options.min_share >= 0 && options.min_share <= 1))) {
    return UsageError("flag --min-share: expected a number from 0 to 1, got '" + share +
                      "'");
  }
  return options;
}

bool IsInRegion(const std::string& path, const std::string& region) {
  return path == region || path.starts_with(region + "/");
}

Error NoRegion(const std::string& region, const analysis::RegionFindings& findings) {
  std::set<std::string> paths;
  for (const results::RegionTotal& total : findings.regions) paths.insert(total.path);
  const std::string nearest =
      config::Nearest(region, std::vector<std::string>(paths.begin(), paths.end()));
  std::string text = "flag --region: no such region: '" + region + "'";
  if (!nearest.empty())
    return UsageError(text + "\nhint: did you mean '" + nearest + "'?");
  if (paths.empty()) return UsageError(text + "; the file has no NVTX ranges");
  text += "\nhint: regions of the file:";
  constexpr size_t kShown = 10;
  size_t shown = 0;
  for (const std::string& path : paths) {
    if (++shown > kShown) break;
    text += (shown == 1 ? " " : ", ") + path;
  }
  if (paths.size() > kShown) {
    text += " and " + std::to_string(paths.size() - kShown) + " more";
  }
  return UsageError(text);
}

Result<std::vector<GpuTotal>> KernelsOfRegion(const analysis::AnalyzedExport& imported,
                                              const std::string& region) {
  const analysis::RegionFindings& findings = imported.findings.regions;
  std::vector<bool> is_inside;
  for (const results::RegionTotal& total : findings.regions) {
    is_inside.push_back(IsInRegion(total.path, region));
  }
  if (std::find(is_inside.begin(), is_inside.end(), true) == is_inside.end()) {
    return NoRegion(region, findings);
  }
  analysis::GpuTotalSum sum;
  size_t index = 0;
  for (const results::NsysGpuOp& op : imported.rows.gpu_ops) {
    const uint32_t of_op = findings.region_of_op[index++];
    if (op.kind != results::GpuActivityKind::kKernel || of_op == results::kNone ||
        !is_inside[of_op]) {
      continue;
    }
    sum.Add({.name = imported.rows.kernel_shapes[op.detail].name,
             .count = 1,
             .time_total_ns = op.duration_ns,
             .time_min_ns = op.duration_ns,
             .time_max_ns = op.duration_ns});
  }
  return sum.ByTimeDescending(imported.rows.names);
}

std::vector<RankedKernel> Ranked(const std::vector<GpuTotal>& totals,
                                 const StringPool& names,
                                 const TopKernelsOptions& options) {
  double whole_ns = 0;
  for (const GpuTotal& total : totals)
    whole_ns += static_cast<double>(total.time_total_ns);
  std::vector<RankedKernel> kernels;
  for (const GpuTotal& total : totals) {
    const double share =
        whole_ns > 0 ? static_cast<double>(total.time_total_ns) / whole_ns : 0;
    if (kernels.size() == options.top || share < options.min_share) break;
    kernels.push_back({.name = std::string(names.text(total.name)),
                       .calls = total.count,
                       .time_total_ns = total.time_total_ns,
                       .time_share = share});
  }
  return kernels;
}

Result<std::vector<GpuTotal>> KernelsOf(const analysis::AnalyzedProfile& profile,
                                        const std::string& region) {
  if (region.empty()) return analysis::KernelsOf(profile);
  if (const auto* const all = std::get_if<analysis::AnalyzedExport>(&profile)) {
    return KernelsOfRegion(*all, region);
  }
  return UsageError(
      "flag --region needs an SQLite export; kernel summaries have no regions");
}

int64_t GraphTime(const analysis::AnalyzedProfile& profile) {
  if (const auto* const summary = std::get_if<analysis::AnalyzedSummary>(&profile)) {
    return summary->rows.graph_total_ns;
  }
  const auto* const all = std::get_if<analysis::AnalyzedExport>(&profile);
  return all == nullptr ? 0 : all->findings.graph_total_ns;
}

// Empty if the kernels in graphs are listed, or take less time than the others.
std::string HiddenKernelsWarning(const std::string& file,
                                 const analysis::AnalyzedProfile& profile) {
  const auto graphs_ns = static_cast<double>(GraphTime(profile));
  double all_ns = graphs_ns;
  for (const GpuTotal& total : analysis::KernelsOf(profile)) {
    all_ns += static_cast<double>(total.time_total_ns);
  }
  if (graphs_ns <= all_ns / 2) return "";
  return fmt::format(
      "{}: CUDA graphs captured as a whole take {:.0f} % of kernel and graph time; their "
      "kernels are not listed. Capture with nsys --cuda-graph-trace=node "
      "(pipeline.nsys.cuda_graph_trace=node)",
      file, 100 * graphs_ns / all_ns);
}

// Why a list is empty.
std::string NoKernelsWarning(const TopKernelsOptions& options, size_t kernels_in_file) {
  if (kernels_in_file > 0) {
    return options.file + ": no kernel has a share of at least --min-share " +
           fmt::format("{:g}", options.min_share);
  }
  if (!options.region.empty()) {
    return options.file + ": no kernels were launched in region '" + options.region + "'";
  }
  return options.file +
         ": no kernels in the capture; capture a program that uses the GPU with "
         "nsys profile --trace cuda";
}

// Adds to `warnings` if there are any.
Result<KernelYaml> Find(const TopKernelsOptions& options,
                        std::vector<std::string>& warnings) {
  RIDGELINE_TRY(
      profiles::Profile profile,
      profiles::OpenProfile(options.file, {.only_kernels = options.region.empty()},
                            {profiles::Tool::kNsys}));
  if (std::string secrets = SecretsWarning(profile.info); !secrets.empty()) {
    warnings.push_back(std::move(secrets));
  }
  RIDGELINE_TRY(const analysis::AnalyzedProfile analyzed,
                analysis::Analyze(std::move(profile)));
  RIDGELINE_TRY(const std::vector<GpuTotal> totals, KernelsOf(analyzed, options.region));
  KernelYaml list = {.source = options.file,
                     .region = options.region,
                     .kernels = Ranked(totals, analysis::NamesOf(analyzed), options)};
  if (std::string hidden = HiddenKernelsWarning(options.file, analyzed);
      !hidden.empty()) {
    warnings.push_back(std::move(hidden));
  } else if (list.kernels.empty()) {
    warnings.push_back(NoKernelsWarning(options, totals.size()));
  }
  return list;
}

}  // namespace

ExitStatus TopKernelsCommand(std::span<const std::string> arguments,
                             const Streams& streams) {
  Result<ParsedFlags> flags = ParseFlags(TopKernelsFlags(), arguments);
  if (!flags.ok()) return Fail(streams, flags.error());
  if (flags.value().Has("--help")) {
    PrintTopKernelsUsage(streams.out);
    return ExitStatus::kDone;
  }
  Result<TopKernelsOptions> options = TopKernelsOptionsOf(flags.value());
  if (!options.ok()) return Fail(streams, options.error());
  std::vector<std::string> warnings;
  Result<KernelYaml> list = Find(options.value(), warnings);
  if (!list.ok()) {
    Fail(streams, list.error());
    return ExitStatus::kUsage;  // Also for unreadable files.
  }
  for (const std::string& warning : warnings) {
    streams.err << "ridgeline: warning: " << warning << '\n';
  }
  const std::string yaml = ToYaml(list.value());
  if (options.value().output.empty()) {
    streams.out << yaml;
    return ExitStatus::kDone;
  }
  const Status written =
      WriteOutput({options.value().output, "written by ridgeline top-kernels",
                   std::span(&options.value().file, 1)},
                  yaml);
  return written.ok() ? ExitStatus::kDone : Fail(streams, written.error());
}

}  // namespace ridgeline::app
