#include "launchers/slurm_options.h"

#include "config/reader.h"
#include "config/tree/evaluate.h"
#include "config/value/python_text.h"

namespace ridgeline::launchers {
namespace {

using config::Reader;

void RequireAtLeast(Reader& reader, const char* key, int64_t value, int64_t least) {
  if (value >= least) return;
  reader.AddError(key, "must be at least " + std::to_string(least));
}

// The resolved node of `key`; null: missing, null, or an error that was reported.
config::Node* MeantBy(config::Workspace& workspace, Reader& reader, const char* key) {
  config::Node* const node = reader.ReadNode(key);
  if (node == nullptr) return nullptr;
  const config::Result<config::Node*> meant = config::Dereference(workspace, *node);
  if (!meant.ok()) {
    reader.AddError(key, meant.error().message);
    return nullptr;
  }
  return meant.value()->IsNone() ? nullptr : meant.value();
}

// `mem_per_cpu: 4` and `mem_per_cpu: 4GB` are both passed to sbatch as text.
void ReadText(config::Workspace& workspace, Reader& reader, const char* key,
              std::optional<std::string>& target) {
  const config::Node* const meant = MeantBy(workspace, reader, key);
  if (meant == nullptr) return;
  if (!meant->is_scalar()) return reader.AddError(key, "expected text");
  target = config::Str(meant->value);
  if (target->find('\n') != std::string::npos) reader.AddError(key, "must be one line");
}

// One option of sbatch. `exclusive: true` is a flag without a value; false and null omit
// the option.
void ReadParameter(config::Workspace& workspace, Reader& reader, config::Node& child,
                   SlurmOptions& options) {
  std::string name = config::Str(config::Value(child.key));
  for (char& c : name) c = c == '_' ? '-' : c;
  const config::Result<config::Node*> value = config::Dereference(workspace, child);
  const std::string text =
      value.ok() && value.value()->is_scalar() ? config::Str(value.value()->value) : "\n";
  if (name.empty() || name.find_first_of(" \t\n=") != std::string::npos ||
      text.find('\n') != std::string::npos) {
    return reader.AddError("additional_parameters",
                           "'" + name + "': expected an option of sbatch and a scalar");
  }
  if (text == "None" || text == "False") return;
  options.additional_parameters.emplace_back(
      name, text == "True" ? std::nullopt : std::optional(text));
}

void ReadParameters(config::Workspace& workspace, Reader& reader, SlurmOptions& options) {
  constexpr const char* kKey = "additional_parameters";
  config::Node* const meant = MeantBy(workspace, reader, kKey);
  if (meant == nullptr) return;
  if (!meant->is_dict()) {
    return reader.AddError(kKey, "expected a mapping of options of sbatch");
  }
  for (const auto& [key, child] : meant->children) {
    ReadParameter(workspace, reader, *child, options);
  }
}

void ReadCommon(Reader& reader, SlurmOptions& options) {
  reader.Ignore("_target_");
  reader.ReadOptional("submitit_folder", options.submitit_folder);
  reader.ReadOptional("timeout_min", options.timeout_min);
  reader.ReadOptional("cpus_per_task", options.cpus_per_task);
  reader.ReadOptional("gpus_per_node", options.gpus_per_node);
  reader.ReadOptional("tasks_per_node", options.tasks_per_node);
  reader.ReadOptional("mem_gb", options.mem_gb);
  reader.ReadOptional("nodes", options.nodes);
  reader.ReadOptional("name", options.name);
  reader.ReadOptional("stderr_to_stdout", options.stderr_to_stdout);
  RequireAtLeast(reader, "timeout_min", options.timeout_min, 1);
  RequireAtLeast(reader, "tasks_per_node", options.tasks_per_node, 1);
  RequireAtLeast(reader, "nodes", options.nodes, 1);
}

void ReadSlurm(config::Workspace& workspace, Reader& reader, SlurmOptions& options) {
  ReadText(workspace, reader, "partition", options.partition);
  ReadText(workspace, reader, "qos", options.qos);
  ReadText(workspace, reader, "comment", options.comment);
  ReadText(workspace, reader, "constraint", options.constraint);
  ReadText(workspace, reader, "exclude", options.exclude);
  ReadText(workspace, reader, "gres", options.gres);
  reader.ReadOptional("cpus_per_gpu", options.cpus_per_gpu);
  reader.ReadOptional("gpus_per_task", options.gpus_per_task);
  ReadText(workspace, reader, "mem_per_gpu", options.mem_per_gpu);
  ReadText(workspace, reader, "mem_per_cpu", options.mem_per_cpu);
  ReadText(workspace, reader, "account", options.account);
  reader.ReadOptional("signal_delay_s", options.signal_delay_s);
  reader.ReadOptional("max_num_timeout", options.max_num_timeout);
  ReadParameters(workspace, reader, options);
  reader.ReadOptional("array_parallelism", options.array_parallelism);
  std::optional<std::vector<std::string>> lines;
  reader.ReadOptional("setup", lines);
  options.setup = lines.value_or(std::vector<std::string>());
  reader.ReadOptional("srun_args", lines);
  options.srun_args = lines.value_or(std::vector<std::string>());
  std::optional<std::string> python;
  ReadText(workspace, reader, "python", python);
  options.has_python = python.has_value();
  RequireAtLeast(reader, "signal_delay_s", options.signal_delay_s, 1);
  RequireAtLeast(reader, "max_num_timeout", options.max_num_timeout, 0);
  RequireAtLeast(reader, "array_parallelism", options.array_parallelism, 1);
}

}  // namespace

config::Result<SlurmOptions> ReadSlurmOptions(config::Workspace& workspace,
                                              config::Node& launcher, SubmititKind kind) {
  SlurmOptions options;
  Reader reader(workspace, launcher);
  ReadCommon(reader, options);
  if (kind == SubmititKind::kSlurm) ReadSlurm(workspace, reader, options);
  RIDGELINE_RETURN_IF_ERROR(reader.Finish());
  return options;
}

}  // namespace ridgeline::launchers
