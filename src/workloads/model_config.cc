#include "workloads/model_config.h"

#include <algorithm>

#include "config/tree/assign.h"
#include "config/tree/build.h"
#include "config/tree/evaluate.h"
#include "config/tree/resolvers.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "os/files.h"
#include "pipeline/workload_directory.h"

namespace ridgeline::workloads {
namespace {

using config::Node;
using config::Value;
using config::Workspace;

constexpr const char* kEnvironment = "oc.env";

// Can be written as ${oc.env:NAME} without quotes.
bool IsPlainName(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z');
  });
}

// A resolver that returns its own text if the variable is set.
config::Resolver Unexpanded(config::Resolver resolver) {
  return [resolver = std::move(resolver)](
             const config::ResolverInput& input) -> config::Result<config::Resolved> {
    const std::string name = config::StrOf(input.arguments.front());
    if (!input.workspace.world().environment.contains(name) || !IsPlainName(name)) {
      return resolver(input);
    }
    return config::Resolved(Value("${oc.env:" + name + "}"));
  };
}

// Whether the model's process will read `text` as `value`.
bool ReadsAs(const Value& text, const Value& value, const config::World& world) {
  Workspace workspace(world);
  config::AddBuiltinResolvers(workspace);
  config::Dict dict;
  dict.Set(std::string("value"), text);
  config::Result<Node*> root = config::CreateRoot(workspace, Value(std::move(dict)));
  if (!root.ok()) return false;
  const config::Result<Value> read = config::ToResolvedValue(workspace, *root.value());
  if (!read.ok()) return false;
  const Value& found = *read.value().dict().Find(std::string("value"));
  return found.is_string() == value.is_string() && config::PythonEqual(found, value);
}

// `unexpanded` if it is equivalent; otherwise the value itself, as for
// ${oc.decode:${oc.env:N}}.
Value Choose(const Value& unexpanded, const Value& value, const config::World& world) {
  if (value.is_dict() && unexpanded.is_dict()) {
    config::Dict dict;
    for (const auto& [key, child] : value.dict()) {
      const Value* other = unexpanded.dict().Find(key);
      dict.Set(key, other == nullptr ? child : Choose(*other, child, world));
    }
    return Value(std::move(dict));
  }
  if (value.is_list() && unexpanded.is_list() &&
      value.list().size() == unexpanded.list().size()) {
    config::List list;
    for (size_t i = 0; i < value.list().size(); ++i) {
      list.push_back(Choose(unexpanded.list()[i], value.list()[i], world));
    }
    return Value(std::move(list));
  }
  const bool differs = unexpanded.is_string() && !config::PythonEqual(unexpanded, value);
  return differs && ReadsAs(unexpanded, value, world) ? unexpanded : value;
}

// `value` of `node` with unexpanded variables; parts that cannot be evaluated this way,
// such as ${paths.${oc.env:SITE}}, keep their value.
Value WithVariables(Workspace& workspace, Node& node, const Value& value,
                    const config::World& world) {
  if (node.is_dict() && !node.special && value.is_dict()) {
    config::Dict dict;
    for (const auto& [key, child] : node.children) {
      dict.Set(key, WithVariables(workspace, *child, *value.dict().Find(key), world));
    }
    return Value(std::move(dict));
  }
  const config::Result<Node*> meant = config::Dereference(workspace, node);
  if (!meant.ok()) return value;
  const config::Result<Value> unexpanded =
      config::ToResolvedValue(workspace, *meant.value());
  return unexpanded.ok() ? Choose(unexpanded.value(), value, world) : value;
}

config::Result<Value> ResolvedButEnvironment(Workspace& workspace, Node& root,
                                             const config::World& world) {
  RIDGELINE_TRY(Value value, config::ToResolvedValue(workspace, root));
  const config::Resolver* found = workspace.FindResolver(kEnvironment);
  if (found == nullptr) return value;
  const config::Resolver resolver = *found;
  workspace.AddResolver(kEnvironment, Unexpanded(resolver));
  value = WithVariables(workspace, root, value, world);
  workspace.AddResolver(kEnvironment, resolver);
  return value;
}

// A list that exists only below dataset.root is kept as is: the model finds it there.
bool IsFoundElsewhere(std::string_view key, const std::filesystem::path& path) {
  return key.ends_with("filelist") && !os::IsRegularFile(path);
}

config::Status MakePathsAbsolute(Workspace& workspace, Node& root) {
  const std::filesystem::path base = pipeline::ConfigDirectory(workspace);
  for (const char* key : {"model.path", "dataset.root", "dataset.subset_filelist",
                          "run.dataset_subset_filelist", "parity.reference"}) {
    RIDGELINE_TRY(Node * node, config::Select(workspace, root, key));
    if (base.empty() || node == nullptr || !node->value.is_string()) continue;
    const std::filesystem::path path = node->value.string();
    if (path.empty() || path.is_absolute()) continue;
    if (IsFoundElsewhere(key, base / path)) continue;
    RIDGELINE_RETURN_IF_ERROR(config::Update(
        workspace, root, key, Value((base / path).string()), config::AddKeys::kForce));
  }
  return Ok();
}

}  // namespace

config::Result<Value> ModelConfig(Workspace& workspace, Node& root,
                                  const std::map<std::string, std::string>& environment) {
  Node& changed = workspace.DeepCopy(root);
  for (const char* stage : {"torch_profiler", "static_analysis"}) {
    RIDGELINE_TRY(Node * section,
                  config::Select(workspace, changed, std::string("pipeline.") + stage));
    if (section == nullptr) continue;
    const Value off(false);
    RIDGELINE_RETURN_IF_ERROR(config::SetItem(workspace, *section, std::string("enable"),
                                              &off, config::Access::kAttribute));
  }
  RIDGELINE_RETURN_IF_ERROR(MakePathsAbsolute(workspace, changed));
  config::World world = workspace.world();
  for (const auto& [name, value] : environment) world.environment[name] = value;
  return ResolvedButEnvironment(workspace, changed, world);
}

}  // namespace ridgeline::workloads
