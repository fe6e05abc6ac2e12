#include "workloads/make_workload.h"

#include "config/reader.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "model_io/datasets/read_options.h"
#include "pipeline/text_list.h"
#include "pipeline/workload_directory.h"
#include "workloads/builtin_model.h"
#include "workloads/model_config.h"
#include "workloads/rank_options.h"

namespace ridgeline::workloads {
namespace {

using config::Node;
using config::Value;
using config::Workspace;
using pipeline::Workload;

// pipeline.workload, for both kinds of workload.
struct Section {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
  std::optional<std::string> input;
  std::optional<ranks::RankOptions> ranks;
};

// Strings and numbers as written; converting true and false to 1 and 0 would be a guess.
config::Status ReadVariables(Workspace& workspace, Node& node,
                             std::map<std::string, std::string>& variables) {
  RIDGELINE_TRY(const Value values, config::ToResolvedValue(workspace, node));
  if (!values.is_dict()) return Ok();
  for (const auto& [key, value] : values.dict()) {
    const std::string name = config::Str(Value(key));
    if (name.empty() || name.find('=') != std::string::npos) {
      return config::WrongValue(node, node, "variable names without '='");
    }
    if (!value.is_scalar() || value.is_null() || value.is_bool()) {
      return config::WrongValue(node, node, "a string or a number for each variable");
    }
    variables[name] = config::Str(value);
  }
  return Ok();
}

config::Result<Section> ReadSection(Workspace& workspace, Node& root) {
  Section section;
  RIDGELINE_TRY(Node * node, config::Select(workspace, root, "pipeline.workload"));
  if (node == nullptr) return section;
  config::Reader reader(workspace, *node);
  reader.IgnoreOthers();
  section.command = pipeline::ReadTextList(reader, workspace, "command");
  // Read by WorkloadDirectory; only type errors are reported here.
  std::optional<std::string> directory;
  reader.ReadOptional("cwd", directory);
  reader.ReadOptional("stdin", section.input);
  reader.Ignore("python");  // See PythonOptions.
  if (Node* ranks = reader.ReadNode("ranks"); ranks != nullptr && !ranks->IsNone()) {
    RIDGELINE_TRY(section.ranks, ReadRankOptions(workspace, *ranks, section.command));
  }
  if (Node* variables = reader.ReadNode("env")) {
    RIDGELINE_RETURN_IF_ERROR(ReadVariables(workspace, *variables, section.environment));
  }
  RIDGELINE_RETURN_IF_ERROR(reader.Finish());
  return section;
}

// Files that a model reads during a run, as far as the configuration names them.
config::Status ReadInputs(Workspace& workspace, Node& root,
                          BuiltinModel::Options& options) {
  const auto text = [&](std::string_view key) -> config::Result<std::string> {
    RIDGELINE_TRY(Node * node, config::Select(workspace, root, key));
    const bool is_given = node != nullptr && !node->IsNone();
    return is_given ? config::Str(node->value) : std::string();
  };
  RIDGELINE_TRY(const std::string path, text("model.path"));
  RIDGELINE_TRY(const std::string preset, text("model.create.preset"));
  RIDGELINE_TRY(const std::string reference, text("parity.reference"));
  const bool is_made_later = !preset.empty();
  const std::filesystem::path base = pipeline::ConfigDirectory(workspace);
  if (!path.empty() && !is_made_later) options.checkpoint = base / path;
  if (!reference.empty()) options.parity_reference = base / reference;
  RIDGELINE_TRY(options.dataset, datasets::ReadOptions(workspace, root, base));
  return Ok();
}

bool IsObserved(const PythonOptions& options, const os::Command& command) {
  if (options.agent == PythonOptions::Agent::kAuto) return python::StartsPython(command);
  return options.agent == PythonOptions::Agent::kAlways;
}

config::Result<std::unique_ptr<Workload>> MakeExternalCommand(
    Workspace& workspace, Node& root, Section section,
    const std::filesystem::path& directory) {
  ExternalCommandOptions options = {.command = std::move(section.command),
                                    .directory = directory,
                                    .environment = std::move(section.environment),
                                    .input = {},
                                    .agent = {},
                                    .python = {},
                                    .ranks = std::move(section.ranks)};
  if (section.input) {
    options.input = pipeline::ConfigDirectory(workspace) / *section.input;
  }
  RIDGELINE_TRY(options.python, ReadPythonOptions(workspace, root));
  const os::Command command = {.argv = options.command,
                               .environment = options.environment,
                               .directory = directory};
  if (IsObserved(options.python, command)) {
    options.agent = python::FindAgent().value_or(std::filesystem::path());
  }
  return std::unique_ptr<Workload>(std::make_unique<ExternalCommand>(std::move(options)));
}

}  // namespace

config::Result<std::unique_ptr<Workload>> MakeWorkload(Workspace& workspace, Node& root) {
  RIDGELINE_TRY(Section section, ReadSection(workspace, root));
  RIDGELINE_TRY(const std::filesystem::path directory,
                pipeline::WorkloadDirectory(workspace, root));
  if (!section.command.empty()) {
    return MakeExternalCommand(workspace, root, std::move(section), directory);
  }
  RIDGELINE_TRY(Node * name, config::Select(workspace, root, "model.name"));
  BuiltinModel::Options options;
  options.name = name == nullptr ? "" : config::Str(name->value);
  options.directory = directory;
  options.environment = std::move(section.environment);
  RIDGELINE_RETURN_IF_ERROR(ReadInputs(workspace, root, options));
  RIDGELINE_TRY(options.config, ModelConfig(workspace, root, options.environment));
  return std::unique_ptr<Workload>(std::make_unique<BuiltinModel>(std::move(options)));
}

}  // namespace ridgeline::workloads
