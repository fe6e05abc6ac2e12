#include "app/ncu_kernels/options.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "app/flags.h"

namespace ridgeline::app {
namespace {

constexpr const char* kDefaultSections[] = {"SpeedOfLight", "MemoryWorkloadAnalysis",
                                            "Occupancy", "SchedulerStats"};

// Limit for launches and kernels: far above real numbers, and sums do not overflow.
constexpr int64_t kMost = 1'000'000'000;

// Becomes part of a file name.
bool IsIdentifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

// The value of an integer flag; nullopt if it was not given.
Result<std::optional<int64_t>> IntegerOf(const ParsedFlags& flags, std::string_view flag,
                                         int64_t least) {
  if (!flags.Has(flag)) return std::optional<int64_t>();
  const std::string text = flags.Get(flag);
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || value < least || value > kMost) {
    return UsageError(fmt::format("flag {}: expected an integer from {} to {}, got '{}'",
                                  flag, least, kMost, text));
  }
  return std::optional(value);
}

Status CheckTogether(const ParsedFlags& flags, const NcuKernelsOptions& options) {
  if (!flags.words.empty()) {
    return UsageError("unexpected argument '" + flags.words[0] +
                      "'; put the application after --");
  }
  if (options.application.empty()) {
    return UsageError(
        "ncu-kernels needs an application after --, e.g. ridgeline ncu-kernels "
        "--kernel-regex 'gemm' -- ./serve");
  }
  if (flags.Has("--kernel-config") == flags.Has("--kernel-regex")) {
    return UsageError("ncu-kernels needs either --kernel-config or --kernel-regex");
  }
  for (const std::string_view flag : {"--kernel-config", "--output-dir"}) {
    if (flags.Has(flag) && flags.Get(flag).empty()) {
      return UsageError("flag " + std::string(flag) + " needs a value");
    }
  }
  if (std::find(options.regexes.begin(), options.regexes.end(), "") !=
      options.regexes.end()) {
    return UsageError("flag --kernel-regex needs a value");
  }
  if (flags.Has("--top") && !flags.Has("--kernel-config")) {
    return UsageError("flag --top needs --kernel-config");
  }
  if (flags.Has("--one-run") && flags.Has("--run-per-kernel")) {
    return UsageError("flags --one-run and --run-per-kernel are mutually exclusive");
  }
  return Ok();
}

}  // namespace

std::span<const Flag> NcuKernelsFlags() {
  using Takes = Flag::Takes;
  static const std::vector<Flag> flags = {
      {"--kernel-config", "", Takes::kValue, "FILE",
       "YAML with the kernels, written by ridgeline top-kernels"},
      {"--kernel-regex", "", Takes::kValueEachTime, "REGEX",
       "kernels whose demangled name matches; may be repeated"},
      {"--output-dir", "", Takes::kValue, "DIR",
       "output directory (default: tmp/ncu-profile/<time>)"},
      {"--top", "", Takes::kValue, "N", "only the first N kernels of the YAML"},
      {"--extra-sections", "", Takes::kValues, "NAME",
       "ncu sections to add to the four default ones"},
      {"--num-kernel-call-skip", "", Takes::kValue, "N",
       "launches of each kernel to skip before profiling (default: 200)"},
      {"--num-kernel-call-profile", "", Takes::kValue, "N",
       "launches to profile per kernel (default: 1)"},
      {"--force-overwrite", "", Takes::kNothing, "",
       "replace an existing output directory"},
      {"--one-run", "", Takes::kNothing, "",
       "as few application runs as ncu allows (default)"},
      {"--run-per-kernel", "", Takes::kNothing, "", "one application run per kernel"},
      {"--help", "-h", Takes::kNothing, "", "show this help"},
  };
  return flags;
}

Result<NcuKernelsOptions> ReadNcuKernelsOptions(const ParsedFlags& flags,
                                                std::vector<std::string> application) {
  NcuKernelsOptions options;
  options.kernel_config = flags.Get("--kernel-config");
  options.regexes = flags.GetAll("--kernel-regex");
  options.output_dir = flags.Get("--output-dir");
  options.force_overwrite = flags.Has("--force-overwrite");
  options.run_per_kernel = flags.Has("--run-per-kernel");
  options.application = std::move(application);
  RIDGELINE_RETURN_IF_ERROR(CheckTogether(flags, options));
  RIDGELINE_TRY(const auto top, IntegerOf(flags, "--top", 1));
  if (top) options.top = static_cast<size_t>(*top);
  RIDGELINE_TRY(const auto skip, IntegerOf(flags, "--num-kernel-call-skip", 0));
  options.skip = skip.value_or(options.skip);
  RIDGELINE_TRY(const auto count, IntegerOf(flags, "--num-kernel-call-profile", 1));
  options.count = count.value_or(options.count);
  options.sections.assign(std::begin(kDefaultSections), std::end(kDefaultSections));
  for (const std::string& section : flags.GetAll("--extra-sections")) {
    if (!IsIdentifier(section)) {
      return UsageError("flag --extra-sections: '" + section +
                        "' is not a section identifier; see ncu --list-sections");
    }
    const auto known =
        std::find(options.sections.begin(), options.sections.end(), section);
    if (known == options.sections.end()) options.sections.push_back(section);
  }
  return options;
}

}  // namespace ridgeline::app
