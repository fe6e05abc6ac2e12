#include <fmt/format.h>

#include "app/kernel_yaml.h"
#include "app/ncu_kernels/profile_kernels.h"

namespace ridgeline::app {
namespace {

std::string ListOf(const char* key, const std::vector<std::string>& values) {
  if (values.empty()) return fmt::format("{}: []\n", key);
  std::string yaml = fmt::format("{}:\n", key);
  for (const std::string& value : values) {
    yaml += fmt::format("- {}\n", YamlQuoted(value));
  }
  return yaml;
}

std::string KernelsOf(const KernelsJob& job, const ProfiledKernels& profiled) {
  std::string yaml = "kernels:\n";
  for (size_t i = 0; i < job.kernels.size(); ++i) {
    const std::string directory =
        profiled.is_profiled[i] ? YamlQuoted(DirectoryName(job.kernels, i)) : "null";
    yaml +=
        fmt::format("- name: {}\n  regex: {}\n  profiled: {}\n  directory: {}\n",
                    YamlQuoted(job.kernels[i].name), YamlQuoted(job.kernels[i].pattern),
                    profiled.is_profiled[i] ? "true" : "false", directory);
  }
  return yaml;
}

}  // namespace

std::string CommandYaml(const CommandFacts& facts, const NcuKernelsOptions& options,
                        const KernelsJob& job, const ProfiledKernels& profiled) {
  const bool from_file = !options.kernel_config.empty();
  std::string yaml = fmt::format(
      "timestamp: {}\n{}\nversion: {}\noutput_dir: {}\n"
      "kernel_source: '{}'\nlaunch_skip: {}\nlaunch_count: {}\n",
      YamlQuoted(facts.timestamp), kScriptLine, YamlQuoted(facts.version),
      YamlQuoted(facts.output_dir), from_file ? "yaml_config" : "regex", options.skip,
      options.count);
  yaml += ListOf("sections", job.sections);
  yaml += ListOf("launch_command", job.application);
  if (from_file) {
    yaml += fmt::format("kernel_config: {}\n", YamlQuoted(options.kernel_config));
  } else {
    yaml += ListOf("kernel_regex", options.regexes);
  }
  yaml += fmt::format("ncu_version: {}\nmode: '{}'\n", YamlQuoted(facts.ncu_version),
                      job.mode == RunMode::kOneRun ? "one-run" : "run-per-kernel");
  if (profiled.application_exit_code) {
    yaml += fmt::format("application_exit_code: {}\n", *profiled.application_exit_code);
  }
  yaml += ListOf("ncu_commands", profiled.capture_commands);
  return yaml + KernelsOf(job, profiled);
}

}  // namespace ridgeline::app
