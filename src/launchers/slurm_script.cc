#include "launchers/slurm_script.h"

#include <fmt/format.h>

#include <algorithm>

#include "os/command.h"

namespace ridgeline::launchers {
namespace {

namespace fs = std::filesystem;

// `%` is special in the names of logs.
std::string WithoutPatterns(const fs::path& path) {
  std::string text;
  for (const char c : path.string()) text += c == '%' ? "%%" : std::string(1, c);
  return text;
}

class ScriptWriter {
 public:
  void Option(std::string_view name, const std::optional<std::string>& value) {
    text_ += fmt::format("#SBATCH --{}", name);
    if (value) text_ += "=" + os::ShellQuoted(*value);
    text_ += '\n';
  }
  template <typename T>
  void OptionIf(std::string_view name, const std::optional<T>& value) {
    if (value) Option(name, fmt::format("{}", *value));
  }
  void Line(std::string_view line) { text_ += std::string(line) + "\n"; }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

bool HasParameter(const SlurmOptions& options, std::string_view name) {
  return std::any_of(options.additional_parameters.begin(),
                     options.additional_parameters.end(),
                     [&](const auto& parameter) { return parameter.first == name; });
}

void WriteResources(const SlurmOptions& options, ScriptWriter& script) {
  script.Option("nodes", std::to_string(options.nodes));
  script.Option("ntasks-per-node", std::to_string(options.tasks_per_node));
  script.OptionIf("cpus-per-task", options.cpus_per_task);
  script.OptionIf("cpus-per-gpu", options.cpus_per_gpu);
  script.OptionIf("gpus-per-node", options.gpus_per_node);
  script.OptionIf("gpus-per-task", options.gpus_per_task);
  script.OptionIf("gres", options.gres);
  // In MB, because Slurm only accepts integers.
  if (options.mem_gb) {
    script.Option("mem",
                  fmt::format("{}M", static_cast<int64_t>(*options.mem_gb * 1024)));
  }
  script.OptionIf("mem-per-gpu", options.mem_per_gpu);
  script.OptionIf("mem-per-cpu", options.mem_per_cpu);
  script.OptionIf("partition", options.partition);
  script.OptionIf("qos", options.qos);
  script.OptionIf("account", options.account);
  script.OptionIf("constraint", options.constraint);
  script.OptionIf("exclude", options.exclude);
  script.OptionIf("comment", options.comment);
}

void WriteOptions(const SlurmOptions& options, const ScriptPlaces& places,
                  ScriptWriter& script) {
  const std::string log = WithoutPatterns(places.folder) + "/%A_%a_0_log.";
  script.Option("job-name", options.name);
  script.Option("output", log + "out");
  if (!options.stderr_to_stdout) script.Option("error", log + "err");
  script.Option("open-mode", "append");
  script.Option("chdir", places.working_directory.string());
  script.Option("time", std::to_string(options.timeout_min));
  // Sent to the batch step, which becomes ridgeline, or to the step started by srun.
  script.Option("signal", fmt::format("{}USR2@{}", options.srun_args.empty() ? "B:" : "",
                                      SignalDelay(options)));
  if (!HasParameter(options, "no-requeue")) script.Option("requeue", std::nullopt);
  WriteResources(options, script);
  for (const auto& [name, value] : options.additional_parameters) {
    script.Option(name, value);
  }
}

void WriteCheck(char test, const fs::path& path, std::string_view hint, int exit_code,
                ScriptWriter& script) {
  script.Line(fmt::format("if [ ! -{} {} ]; then", test, os::ShellQuoted(path.string())));
  script.Line(fmt::format("  echo \"ridgeline: $(hostname):\" {} >&2",
                          os::ShellQuoted(fmt::format("{}: {}", path.string(), hint))));
  script.Line(fmt::format("  exit {}", exit_code));
  script.Line("fi");
}

}  // namespace

fs::path FixedFolder(const fs::path& submitit_folder) {
  fs::path folder;
  for (const fs::path& part : submitit_folder) {
    if (part.string().find('%') != std::string::npos) break;
    folder /= part;
  }
  return folder;
}

int64_t SignalDelay(const SlurmOptions& options) {
  constexpr int64_t kLeastWorkS = 5;
  constexpr int64_t kMinuteS = 60;
  return std::min(options.signal_delay_s, options.timeout_min * kMinuteS - kLeastWorkS);
}

std::string JobScript(const SlurmOptions& options, const ScriptPlaces& places) {
  ScriptWriter script;
  script.Line("#!/bin/bash");
  script.Line("# The jobs of a sweep. Do not edit: `ridgeline sweep resume` checks it.");
  WriteOptions(options, places, script);
  script.Line("# $1: number of the submission, $2: job of array index 0");
  for (const std::string& line : options.setup) script.Line(line);
  WriteCheck('r', places.sweep / "sweep.json", "cannot be read: is the directory shared?",
             kCannotSeeSweep, script);
  WriteCheck('x', places.program, "cannot be executed: install ridgeline on all nodes",
             kCannotSeeProgram, script);
  std::string command = "exec ";
  if (!options.srun_args.empty()) {
    command += "srun --nodes=1 --ntasks=1";
    for (const std::string& word : options.srun_args) {
      command += " " + os::ShellQuoted(word);
    }
    command += " ";
  }
  command += fmt::format("{} sweep run-job {} \"$1\" \"$(($2 + SLURM_ARRAY_TASK_ID))\"",
                         os::ShellQuoted(places.program.string()),
                         os::ShellQuoted(places.sweep.string()));
  script.Line(command);
  return script.Take();
}

std::string ArrayText(const std::vector<int>& jobs, int first_job, int64_t parallelism) {
  std::string text;
  for (size_t i = 0; i < jobs.size();) {
    size_t last = i;
    while (last + 1 < jobs.size() && jobs[last + 1] == jobs[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", jobs[i] - first_job);
    if (last > i) text += fmt::format("-{}", jobs[last] - first_job);
    i = last + 1;
  }
  return fmt::format("{}%{}", text, parallelism);
}

std::vector<ArrayPart> SplitIntoArrays(const std::vector<int>& jobs, int max_array_size) {
  std::vector<ArrayPart> parts;
  for (const int job : jobs) {
    if (parts.empty() || job - parts.back().first_job >= std::max(1, max_array_size)) {
      parts.push_back(
          {.first_job = parts.empty() && job < max_array_size ? 0 : job, .jobs = {}});
    }
    parts.back().jobs.push_back(job);
  }
  return parts;
}

std::string KeyOfMessage(std::string_view message) {
  struct Hint {
    const char* part;
    const char* key;
  };
  // As worded by sbatch 22.05 and 23.11.
  constexpr Hint kHints[] = {
      {"partition", "partition"},
      {"qos", "qos"},
      {"account", "account"},
      {"Generic resource", "gres"},
      {"gres", "gres"},
      {"node configuration", "nodes, cpus_per_task, mem_gb or gres"},
      {"feature", "constraint"},
      {"constraint", "constraint"},
      {"time limit", "timeout_min"},
      {"Memory", "mem_gb"},
      {"memory", "mem_gb"},
      {"node name", "exclude"},
      {"CPU count", "cpus_per_task"},
      {"Node count", "nodes"},
      {"array", "array_parallelism"},
      {"unrecognized option", "additional_parameters"},
      {"invalid option", "additional_parameters"},
  };
  for (const Hint& hint : kHints) {
    if (message.find(hint.part) != std::string_view::npos) return hint.key;
  }
  return "";
}

}  // namespace ridgeline::launchers
