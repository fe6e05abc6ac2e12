#include "app/analyze/analyze_options.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "app/flags.h"

namespace ridgeline::app {
namespace {

// Reads a number above `least`, if the flag is given.
Status ReadNumber(const ParsedFlags& flags, std::string_view name, double least,
                  std::optional<double>& number) {
  if (!flags.Has(name)) return Ok();
  const std::string text = flags.Get(name);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  const bool is_good = parsed.ec == std::errc() && parsed.ptr == end &&
                       std::isfinite(value) && value >= least;
  if (!is_good) {
    return UsageError(
        fmt::format("flag {}: expected a number >= {}, got '{}'", name, least, text));
  }
  number = value;
  return Ok();
}

Status ReadThresholds(const ParsedFlags& flags, analysis::ClassThresholds& thresholds) {
  struct Threshold {
    std::string_view flag;
    double& value;
  };
  const Threshold table[] = {{"--near-ceiling", thresholds.near_ceiling_percent},
                             {"--balance", thresholds.balance_points},
                             {"--gap", thresholds.gap_points},
                             {"--low", thresholds.low_percent}};
  for (const Threshold& threshold : table) {
    std::optional<double> value;
    RIDGELINE_RETURN_IF_ERROR(ReadNumber(flags, threshold.flag, 0, value));
    if (value) threshold.value = *value;
  }
  return ReadNumber(flags, "--ridge", 0, thresholds.ridge_flops_per_byte);
}

void UseOutputDirectory(const std::string& directory, AnalyzeOptions& options) {
  const auto fill = [&](std::string& file, std::string_view name) {
    if (file.empty()) file = directory + "/" + std::string(name);
  };
  fill(options.json, "analysis.json");
  fill(options.csv, "kernels.csv");
  fill(options.metrics_csv, "metrics.csv");
  fill(options.roofline_csv, "roofline.csv");
  if (options.svg_dir.empty()) options.svg_dir = directory;
}

}  // namespace

std::span<const Flag> AnalyzeFlags() {
  static const std::vector<Flag> flags = {
      {"--class-rule",
       "",
       Flag::Takes::kValue,
       "RULE",
       "classification rule: ridgeline (near a ceiling or not), throughput-gap (SM % vs "
       "DRAM %), ridge (arithmetic intensity and throughput)",
       {"ridgeline", "throughput-gap", "ridge"}},
      {"--near-ceiling", "", Flag::Takes::kValue, "PERCENT",
       "ridgeline: percent of peak that counts as near the ceiling (default: 60)"},
      {"--balance", "", Flag::Takes::kValue, "POINTS",
       "ridgeline: throughputs this close, in percentage points, are balanced "
       "(default: 10)"},
      {"--gap", "", Flag::Takes::kValue, "POINTS",
       "throughput-gap, ridge: required lead in percentage points (default: 5)"},
      {"--low", "", Flag::Takes::kValue, "PERCENT",
       "ridge: percent of peak up to which a throughput is low (default: 20)"},
      {"--ridge", "", Flag::Takes::kValue, "FLOP/BYTE",
       "ridge: ridge point in FLOP/byte (default: from the ceilings)"},
      {"--gpu", "", Flag::Takes::kValue, "NAME", "GPU, if the files do not name it"},
      {"--peak-tflops", "", Flag::Takes::kValue, "TFLOPS",
       "peak TFLOP/s of the tensor cores"},
      {"--peak-gbps", "", Flag::Takes::kValue, "GBPS", "peak DRAM bandwidth in GB/s"},
      {"--top", "", Flag::Takes::kValue, "N", "number of kernels to list (default: 20)"},
      {"--json", "", Flag::Takes::kValue, "FILE", "write everything to this JSON file"},
      {"--csv", "", Flag::Takes::kValue, "FILE", "write the kernel table to this file"},
      {"--metrics-csv", "", Flag::Takes::kValue, "FILE",
       "write all metrics to this file"},
      {"--roofline-csv", "", Flag::Takes::kValue, "FILE",
       "write roofline points to this file"},
      {"--svg-dir", "", Flag::Takes::kValue, "DIR", "write plots to this directory"},
      {"--output-dir", "", Flag::Takes::kValue, "DIR",
       "write all of the above to this directory"},
      {"--png", "", Flag::Takes::kNothing, "",
       "also write plots as PNG (needs rsvg-convert)"},
      {"--help", "-h", Flag::Takes::kNothing, "", "show this help"},
  };
  return flags;
}

void PrintAnalyzeUsage(std::ostream& out) {
  out << "ridgeline analyze DIR [flags]\n"
         "  Classifies kernels profiled with Nsight Compute (compute-, memory-, "
         "latency-\n"
         "  bound) and writes rooflines, tables and plots. DIR is searched recursively "
         "for\n"
         "  reports (.ncu-rep) and pages (ncu --csv --page raw or details); a single "
         "file\n"
         "  works too.\n";
  out << FlagsHelp(AnalyzeFlags());
}

Result<AnalyzeOptions> AnalyzeOptionsOf(const ParsedFlags& flags) {
  if (flags.words.size() != 1) {
    return UsageError("analyze needs one DIR (reports or CSV pages of ncu)");
  }
  for (const std::string_view flag : {"--gpu", "--json", "--csv", "--metrics-csv",
                                      "--roofline-csv", "--svg-dir", "--output-dir"}) {
    if (flags.Has(flag) && flags.Get(flag).empty()) {
      return UsageError("flag " + std::string(flag) + " needs a value");
    }
  }
  AnalyzeOptions options = {.path = flags.words[0],
                            .gpu = flags.Get("--gpu"),
                            .json = flags.Get("--json"),
                            .csv = flags.Get("--csv"),
                            .metrics_csv = flags.Get("--metrics-csv"),
                            .roofline_csv = flags.Get("--roofline-csv"),
                            .svg_dir = flags.Get("--svg-dir"),
                            .has_png = flags.Has("--png")};
  if (flags.Has("--class-rule")) {
    options.rule =
        analysis::ClassRuleOf(flags.Get("--class-rule")).value_or(options.rule);
  }
  RIDGELINE_RETURN_IF_ERROR(ReadThresholds(flags, options.thresholds));
  RIDGELINE_RETURN_IF_ERROR(ReadNumber(flags, "--peak-tflops", 0, options.peak_tflops));
  RIDGELINE_RETURN_IF_ERROR(ReadNumber(flags, "--peak-gbps", 0, options.peak_gbps));
  std::optional<double> top;
  RIDGELINE_RETURN_IF_ERROR(ReadNumber(flags, "--top", 1, top));
  if (top) options.top = static_cast<size_t>(*top);
  if (flags.Has("--output-dir")) UseOutputDirectory(flags.Get("--output-dir"), options);
  if (options.has_png && options.svg_dir.empty()) {
    return UsageError("flag --png needs --svg-dir or --output-dir");
  }
  return options;
}

}  // namespace ridgeline::app
