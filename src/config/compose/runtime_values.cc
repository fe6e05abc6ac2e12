#include "config/compose/runtime_values.h"

#include <algorithm>
#include <string>
#include <utility>

#include "config/compose/builtin_configs.h"
#include "config/tree/assign.h"
#include "config/tree/build.h"
#include "config/tree/evaluate.h"
#include "config/tree/select.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

// cfg.a.b.c, as in Python.
Result<Node*> Read(Workspace& workspace, Node& node,
                   std::initializer_list<const char*> path) {
  Node* current = &node;
  for (const char* key : path) {
    RIDGELINE_TRY(current,
                  ReadItem(workspace, *current, std::string(key), Access::kAttribute));
    if (!current->is_container() && key != *(path.end() - 1)) {
      return Error(ErrorKind::kAttribute,
                   "'" + TypeName(current->value) + "' object has no attribute");
    }
  }
  return current;
}

Status Set(Workspace& workspace, Node& node, const char* key, Value value) {
  return SetItem(workspace, node, std::string(key), &value, Access::kAttribute);
}

Status SetChoices(Workspace& workspace, Node& runtime, const Choices& choices) {
  RIDGELINE_TRY(Node * node, Read(workspace, runtime, {"choices"}));
  for (const auto& [key, choice] : choices) {
    const Value value = choice ? Value(*choice) : Value();
    RIDGELINE_RETURN_IF_ERROR(SetItem(workspace, *node, key, &value));
  }
  return Ok();
}

Status CopyEnvironment(Workspace& workspace, Node& job) {
  RIDGELINE_TRY(Node * copied, Read(workspace, job, {"env_copy"}));
  RIDGELINE_TRY(Node * target, Read(workspace, job, {"env_set"}));
  for (size_t i = 0; i < copied->items.size(); ++i) {
    RIDGELINE_TRY(const Node* name,
                  ReadItem(workspace, *copied, Integer(static_cast<int64_t>(i))));
    const std::string key = Str(name->value);
    const auto& environment = workspace.world().environment;
    const auto found = environment.find(key);
    if (found == environment.end()) return Error(ErrorKind::kKey, Repr(key));
    const Value value(found->second);
    RIDGELINE_RETURN_IF_ERROR(SetItem(workspace, *target, key, &value));
  }
  return Ok();
}

Status SetSources(Workspace& workspace, Node& runtime,
                  const std::vector<ConfigSource>& sources) {
  Node* list = FindNode(runtime, std::string("config_sources"));
  if (list == nullptr || !list->is_list()) {
    return Error(ErrorKind::kConfigComposition,
                 "hydra.runtime.config_sources is not a list");
  }
  list->special = false;
  list->value = Value();
  list->items.clear();
  for (const ConfigSource& source : sources) {
    const Place place = {list, Integer(static_cast<int64_t>(list->items.size())),
                         &ElementHint(*list)};
    Node& entry = MakeStruct(workspace, kConfigSourceInfo, place);
    RIDGELINE_RETURN_IF_ERROR(Set(workspace, entry, "path", Value(source.path)));
    RIDGELINE_RETURN_IF_ERROR(
        Set(workspace, entry, "schema", Value(source.SchemeName())));
    RIDGELINE_RETURN_IF_ERROR(Set(workspace, entry, "provider", Value(source.provider)));
    list->items.push_back(&entry);
  }
  return Ok();
}

// "a=1,b=2": the job's overrides, sorted and usable as a directory name.
Result<std::string> OverrideDirname(Workspace& workspace, Node& job,
                                    const std::vector<Override>& overrides) {
  RIDGELINE_TRY(Node * config, Read(workspace, job, {"config", "override_dirname"}));
  RIDGELINE_TRY(const Node* kv_sep, Read(workspace, *config, {"kv_sep"}));
  RIDGELINE_TRY(const Node* item_sep, Read(workspace, *config, {"item_sep"}));
  RIDGELINE_TRY(Node * excluded, Read(workspace, *config, {"exclude_keys"}));
  std::vector<std::string> lines;
  for (const Override& override : overrides) {
    if (override.IsHydra()) continue;
    const bool is_excluded = std::any_of(
        excluded->items.begin(), excluded->items.end(), [&](const Node* item) {
          return PythonEqual(item->value, Value(override.key_or_group));
        });
    if (!is_excluded) lines.push_back(override.input_line);
  }
  std::sort(lines.begin(), lines.end());
  std::string joined;
  for (size_t i = 0; i < lines.size(); ++i) {
    joined += (i == 0 ? "" : Str(item_sep->value)) + lines[i];
  }
  std::string name;
  for (const char c : joined) {
    if (c == '=') {
      name += Str(kv_sep->value);
    } else {
      name += c;
    }
  }
  return name;
}

Status FillJob(Workspace& workspace, Node& hydra, const RuntimeFacts& facts) {
  RIDGELINE_TRY(Node * job, Read(workspace, hydra, {"job"}));
  const Node* name = FindNode(*job, std::string("name"));
  if (name == nullptr || name->IsMissing()) {
    RIDGELINE_RETURN_IF_ERROR(
        Set(workspace, *job, "name", Value(facts.request.job_name)));
  }
  RIDGELINE_TRY(const std::string dirname,
                OverrideDirname(workspace, *job, facts.overrides));
  RIDGELINE_RETURN_IF_ERROR(Set(workspace, *job, "override_dirname", Value(dirname)));
  const auto& config_name = facts.request.config_name;
  return Set(workspace, *job, "config_name", config_name ? Value(*config_name) : Value());
}

}  // namespace

Status ListOverrides(Workspace& workspace, Node& root,
                     const std::vector<Override>& overrides) {
  RIDGELINE_TRY(Node * own, Read(workspace, root, {"hydra", "overrides", "hydra"}));
  RIDGELINE_TRY(Node * task, Read(workspace, root, {"hydra", "overrides", "task"}));
  for (const Override& override : overrides) {
    const Value line(override.input_line);
    RIDGELINE_RETURN_IF_ERROR(
        AppendItem(workspace, override.IsHydra() ? *own : *task, &line));
  }
  return Ok();
}

Status FillRuntime(Workspace& workspace, Node& root, const RuntimeFacts& facts) {
  RIDGELINE_RETURN_IF_ERROR(ListOverrides(workspace, root, facts.overrides));
  RIDGELINE_TRY(Node * hydra, Read(workspace, root, {"hydra"}));
  RIDGELINE_TRY(Node * runtime, Read(workspace, *hydra, {"runtime"}));
  {
    StructFlagGuard open(*hydra, false);
    RIDGELINE_RETURN_IF_ERROR(SetChoices(workspace, *runtime, facts.choices));
    RIDGELINE_TRY(Node * job, Read(workspace, *hydra, {"job"}));
    RIDGELINE_RETURN_IF_ERROR(CopyEnvironment(workspace, *job));
  }
  RIDGELINE_RETURN_IF_ERROR(Set(workspace, *runtime, "version", Value(kHydraVersion)));
  RIDGELINE_RETURN_IF_ERROR(
      Set(workspace, *runtime, "version_base", Value(kVersionBase)));
  RIDGELINE_RETURN_IF_ERROR(
      Set(workspace, *runtime, "cwd", Value(facts.request.working_directory)));
  RIDGELINE_RETURN_IF_ERROR(SetSources(workspace, *runtime, facts.sources));
  return FillJob(workspace, *hydra, facts);
}

}  // namespace ridgeline::config
