#include "stages/nsys/command.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::stages {
namespace {

std::string Joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ","));
}

// Whether arguments contain a flag: "--wait=all", or "--wait", "all".
bool Sets(const std::vector<std::string>& arguments, const std::string& flag) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& word) {
    return word == flag || word.starts_with(flag + "=");
  });
}

// Builds arguments and records changes.
class NsysArguments {
 public:
  NsysArguments(const NsysFacts& facts, NsysCommand& command)
      : facts_(facts), command_(command) {}

  // Empty values are not passed. A flag that this nsys lacks is omitted, with a note.
  void Add(std::string_view flag, const std::string& value) {
    if (value.empty()) return;
    if (facts_.Knows(flag)) {
      Push(flag, value);
    } else {
      command_.changes.push_back(
          fmt::format("{} omitted: not supported by {}", flag, Name()));
    }
  }
  void Push(std::string_view flag, const std::string& value) {
    command_.command.argv.push_back(fmt::format("{}={}", flag, value));
  }
  void Change(std::string text) { command_.changes.push_back(std::move(text)); }
  void Fail(std::string why) { command_.impossible = std::move(why); }

  std::string Name() const {
    return facts_.version.empty() ? "this nsys" : "nsys " + facts_.version;
  }
  const NsysFacts& facts() const { return facts_; }

 private:
  const NsysFacts& facts_;
  NsysCommand& command_;
};

// "process-tree" was called "cpu" until 2021.
std::string SampleValue(const NsysFacts& facts, const std::string& value) {
  if (facts.Knows("--sample", value)) return value;
  if (value == "cpu" && facts.Knows("--sample", "process-tree")) return "process-tree";
  if (value == "process-tree" && facts.Knows("--sample", "cpu")) return "cpu";
  return value;  // nsys reports the error.
}

// Before 2021, nsys could only end the program at the end of the range, or capture until
// the program ends.
void AddOldRangeEnd(const std::string& end, NsysArguments& arguments) {
  if (end.starts_with("repeat")) {
    arguments.Fail(
        fmt::format("ToolTooOld: {} has no --capture-range-end, so capture_range_end={} "
                    "is not supported; needs nsys 2021.3 or later",
                    arguments.Name(), end));
    return;
  }
  const bool ends = end == "stop-shutdown";
  arguments.Add("--stop-on-range-end", ends ? "true" : "false");
  if (end != "stop") return;
  arguments.Change(
      fmt::format("{} has no --capture-range-end=stop: the capture lasts from the range "
                  "to the end of the program",
                  arguments.Name()));
}

void AddGate(const NsysOptions& options, const std::string& nvtx_capture,
             NsysArguments& arguments) {
  if (!options.IsGated()) return;
  arguments.Add("--capture-range", options.capture_range);
  if (options.WaitsForNvtx()) {
    arguments.Add("--nvtx-capture", nvtx_capture);
    // Ranges of most programs are plain strings, which nsys ignores by default.
    arguments.Push("--env-var", "NSYS_NVTX_PROFILER_REGISTER_ONLY=0");
  }
  if (options.capture_range_end.empty()) return;
  if (arguments.facts().Knows("--capture-range-end")) {
    arguments.Push("--capture-range-end", options.capture_range_end);
  } else {
    AddOldRangeEnd(options.capture_range_end, arguments);
  }
}

struct SummaryNames {
  const char* now;
  const char* before_2023;
};

// Summaries that take time linear in the size of the capture.
constexpr SummaryNames kSummaries[] = {
    {"cuda_gpu_kern_sum", "gpukernsum"},
    {"cuda_gpu_mem_time_sum", "gpumemtimesum"},
    {"cuda_gpu_mem_size_sum", "gpumemsizesum"},
    {"cuda_api_sum", "cudaapisum"},
    {"nvtx_sum", "nvtxsum"},
    {"osrt_sum", "osrtsum"},
};

}  // namespace

NsysCommand BuildNsysCommand(const NsysOptions& options, const NsysFacts& facts,
                             const std::string& nvtx_capture, const os::Command& workload,
                             const std::filesystem::path& report_base) {
  NsysCommand built;
  built.command = workload;
  built.command.argv = {"nsys", "profile"};
  NsysArguments arguments(facts, built);
  arguments.Add("--trace", Joined(options.trace));
  // Always passed: by default nsys samples the whole process tree.
  arguments.Add("--sample", SampleValue(facts, options.sample));
  arguments.Add("--cpuctxsw", options.cpuctxsw);
  // By default nsys also waits for background processes that the program leaves behind.
  // It rejects a repeated flag.
  if (!Sets(options.extra_args, "--wait")) arguments.Add("--wait", "primary");
  AddGate(options, nvtx_capture, arguments);
  arguments.Add("--nvtx-domain-include", Joined(options.nvtx_domain_include));
  arguments.Add("--nvtx-domain-exclude", Joined(options.nvtx_domain_exclude));
  arguments.Add("--cuda-graph-trace", options.cuda_graph_trace);
  // The older name is a prefix of the newer one, but nsys does not accept abbreviations.
  const bool has_new_name =
      facts.Knows("--gpu-metrics-devices") || !facts.Knows("--gpu-metrics-device");
  arguments.Add(has_new_name ? "--gpu-metrics-devices" : "--gpu-metrics-device",
                Joined(options.gpu_metrics));
  arguments.Push("--force-overwrite", options.force_overwrite ? "true" : "false");
  std::vector<std::string>& argv = built.command.argv;
  argv.insert(argv.end(), options.extra_args.begin(), options.extra_args.end());
  argv.insert(argv.end(), {"-o", report_base.string()});
  argv.insert(argv.end(), workload.argv.begin(), workload.argv.end());
  return built;
}

os::Command BuildNsysExport(const std::filesystem::path& report,
                            const std::filesystem::path& sqlite) {
  return {.argv = {"nsys", "export", "--type=sqlite", "--force-overwrite=true", "-o",
                   sqlite.string(), report.string()},
          .environment = {},
          .directory = {}};
}

std::vector<NsysSummary> NsysSummaries(const NsysFacts& facts) {
  std::vector<NsysSummary> summaries;
  for (const SummaryNames& names : kSummaries) {
    for (const char* report : {names.now, names.before_2023}) {
      if (!facts.HasReport(report)) continue;
      summaries.push_back({names.now, report});
      break;
    }
  }
  return summaries;
}

os::Command BuildNsysStats(const std::filesystem::path& sqlite,
                           const std::vector<NsysSummary>& summaries,
                           const std::filesystem::path& base) {
  std::vector<std::string> reports;
  for (const NsysSummary& summary : summaries) reports.push_back(summary.report);
  return {.argv = {"nsys", "stats", "--report", Joined(reports), "--format", "csv",
                   "--force-overwrite", "true", "-o", base.string(), sqlite.string()},
          .environment = {},
          // It runs every *.py in its directory as a report: this one has none.
          .directory = base.parent_path()};
}

}  // namespace ridgeline::stages
