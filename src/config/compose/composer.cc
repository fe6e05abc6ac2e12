#include "config/compose/composer.h"

#include <utility>

#include "config/compose/config_repository.h"
#include "config/compose/merge_defaults.h"
#include "config/compose/override_values.h"
#include "config/compose/runtime_values.h"
#include "config/compose/search_path.h"
#include "config/overrides/override_parser.h"
#include "config/tree/evaluate.h"
#include "config/tree/resolvers.h"
#include "config/tree/select.h"

namespace ridgeline::config {
namespace {

Status CheckSweep(const Override& override, RunMode mode) {
  if (!override.IsSweep()) return Ok();
  if (mode == RunMode::kMultirun) {
    if (!override.IsHydra()) return Ok();
    return CompositionError("Sweeping over Hydra's configuration is not supported : '" +
                            override.input_line + "'");
  }
  if (override.value_type == ValueType::kSimpleChoiceSweep) {
    return CompositionError(
        "Ambiguous value for argument '" + override.input_line +
        "'\n1. To use it as a list, use key=[value1,value2]"
        "\n2. To use it as string, quote the value: key=\\'value1,value2\\'"
        "\n3. To sweep over it, add --multirun to your command line");
  }
  return CompositionError("Sweep parameters '" + override.input_line +
                          "' requires --multirun");
}

// Everything up to the defaults list; all that --info needs.
struct Prepared {
  std::vector<Override> overrides;
  DefaultsList defaults;
};

Result<Prepared> Prepare(ConfigRepository& repository, const ComposeRequest& request) {
  RIDGELINE_RETURN_IF_ERROR(CheckDirectories(repository));
  RIDGELINE_TRY(std::vector<Override> overrides, ParseOverrides(request.overrides));
  RIDGELINE_RETURN_IF_ERROR(ExtendSearchPath(repository, request, overrides));
  for (const Override& override : overrides) {
    RIDGELINE_RETURN_IF_ERROR(CheckSweep(override, request.mode));
  }
  const auto missing = request.mode == RunMode::kMultirun ? MissingOptions::kSkip
                                                          : MissingOptions::kRefuse;
  RIDGELINE_TRY(DefaultsList defaults,
                CreateDefaultsList(repository, request.config_name, overrides, missing));
  return Prepared{std::move(overrides), std::move(defaults)};
}

Result<Composition> ComposeRaw(Workspace& workspace, const ComposeRequest& request) {
  ConfigRepository repository(workspace, *request.files, request.working_directory);
  RIDGELINE_RETURN_IF_ERROR(repository.SetSearchPath(BaseSearchPath(request)));
  RIDGELINE_TRY(Prepared prepared, Prepare(repository, request));
  RIDGELINE_TRY(Node * root, MergeDefaults(repository, prepared.defaults.defaults));
  root->struct_flag = true;
  if (request.adapt) RIDGELINE_RETURN_IF_ERROR(request.adapt(workspace, *root));
  RIDGELINE_RETURN_IF_ERROR(
      ApplyOverrides(workspace, *root, prepared.defaults.config_overrides));
  if (request.adapt) RIDGELINE_RETURN_IF_ERROR(request.adapt(workspace, *root));
  RIDGELINE_RETURN_IF_ERROR(FillRuntime(
      workspace, *root,
      {request, prepared.overrides, prepared.defaults.choices, repository.sources()}));
  return Composition{root, std::move(prepared.defaults), std::move(prepared.overrides),
                     repository.sources()};
}

// Hydra wraps OmegaConf exceptions in its own exception, without a message.
Error Wrapped(Error error) {
  if (!IsOmegaConf(error.kind)) return error;
  Error outer(ErrorKind::kConfigComposition, "");
  outer.origin = error.origin;
  outer.hint = error.hint;
  outer.cause = std::make_shared<const Error>(std::move(error));
  return outer;
}

}  // namespace

Result<Composition> Compose(Workspace& workspace, const ComposeRequest& request) {
  AddBuiltinResolvers(workspace);
  Result<Composition> composed = ComposeRaw(workspace, request);
  if (!composed.ok()) return Wrapped(std::move(composed).error());
  return composed;
}

Status AddOverrides(Workspace& workspace, Composition& composition,
                    const std::vector<std::string>& lines) {
  RIDGELINE_TRY(const std::vector<Override> overrides, ParseOverrides(lines));
  RIDGELINE_RETURN_IF_ERROR(ApplyOverrides(workspace, *composition.root, overrides));
  RIDGELINE_RETURN_IF_ERROR(ListOverrides(workspace, *composition.root, overrides));
  composition.overrides.insert(composition.overrides.end(), overrides.begin(),
                               overrides.end());
  return Ok();
}

Result<DefaultsList> ComposeDefaults(Workspace& workspace,
                                     const ComposeRequest& request) {
  AddBuiltinResolvers(workspace);
  ConfigRepository repository(workspace, *request.files, request.working_directory);
  RIDGELINE_RETURN_IF_ERROR(repository.SetSearchPath(BaseSearchPath(request)));
  Result<Prepared> prepared = Prepare(repository, request);
  if (!prepared.ok()) return Wrapped(std::move(prepared).error());
  return std::move(prepared.value().defaults);
}

void UseHydraNode(Workspace& workspace, const Node& root) {
  workspace.hydra = &workspace.DeepCopy(**root.children.Find("hydra"));
}

Node& JobConfig(Workspace& workspace, const Node& root) {
  Node& job = workspace.DeepCopy(root);
  job.children.Erase(std::string("hydra"));
  // Hydra's copy has the job's configuration as its parent, which has no hydra node.
  if (workspace.hydra != nullptr) workspace.hydra->parent = &job;
  return job;
}

void TakeOutHydra(Workspace& workspace, Node& root) {
  if (Node** hydra = root.children.Find("hydra")) workspace.hydra = *hydra;
  root.children.Erase(std::string("hydra"));
}

Node& HydraConfig(Workspace& workspace, const Node& root) {
  Node& config = workspace.NewNode(Node::Shape::kDict);
  Node& hydra = workspace.DeepCopy(**root.children.Find("hydra"));
  hydra.children.Erase(std::string("hydra_help"));
  hydra.children.Erase(std::string("help"));
  hydra.parent = &config;
  config.children.Set(std::string("hydra"), &hydra);
  return config;
}

Result<std::string> RunDirectory(Workspace& workspace, Node& root) {
  RIDGELINE_TRY(Node * node, Select(workspace, root, "hydra.run.dir"));
  return node == nullptr ? "None" : StrOf(Resolved(node));
}

}  // namespace ridgeline::config
