#include "config/compose/override_values.h"

#include <memory>
#include <string>
#include <utility>

#include "config/tree/assign.h"
#include "config/tree/evaluate.h"
#include "config/tree/select.h"
#include "config/tree/suggest.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

Error Because(Error outer, Error cause) {
  outer.origin = cause.origin;
  outer.hint = cause.hint;
  outer.cause = std::make_shared<const Error>(std::move(cause));
  return outer;
}

// Whether `~key=value` matches the current value.
Result<bool> HoldsValue(Workspace& workspace, Node& node, const Value& value) {
  if (!node.is_container()) return PythonEqual(node.value, value);
  RIDGELINE_TRY(const Value held, ToResolvedValue(workspace, node));
  return PythonEqual(held, value);
}

Status Delete(Workspace& workspace, Node& root, const Override& override,
              const Value& value) {
  const std::string& key = override.key_or_group;
  RIDGELINE_TRY(Node * node, Select(workspace, root, key));
  if (node == nullptr || node->IsNone()) {
    return CompositionError("Could not delete from config. '" + key +
                            "' does not exist.");
  }
  if (!value.is_null()) {
    RIDGELINE_TRY(const bool holds, HoldsValue(workspace, *node, value));
    if (!holds) {
      return CompositionError("Could not delete from config. The value of '" + key +
                              "' is " + StrOf(Resolved(node)) + " and not " + Str(value) +
                              ".");
    }
  }
  StructFlagGuard open(root, false);
  const size_t last_dot = key.rfind('.');
  if (last_dot == std::string::npos) return DeleteItem(root, key);
  RIDGELINE_TRY(Node * parent, Select(workspace, root, key.substr(0, last_dot)));
  if (parent == nullptr || !parent->is_dict()) {
    return Error(ErrorKind::kType, "list indices must be integers or slices, not str");
  }
  return DeleteItem(*parent, key.substr(last_dot + 1));
}

Status AddValue(Workspace& workspace, Node& root, const Override& override,
                const Value& value) {
  const std::string& key = override.key_or_group;
  RIDGELINE_TRY(const Node* existing, Select(workspace, root, key));
  if (existing == nullptr || existing->IsNone() || !value.is_scalar()) {
    return Update(workspace, root, key, value, AddKeys::kForce);
  }
  return CompositionError("Could not append to config. An item is already at '" + key +
                          "'.\nEither remove + prefix: '" +
                          override.input_line.substr(1) +
                          "'\nOr add a second + to add or override '" + key + "': '+" +
                          override.input_line + "'\n");
}

Status Change(Workspace& workspace, Node& root, const Override& override,
              const Value& value) {
  Status changed = Update(workspace, root, override.key_or_group, value, AddKeys::kNo);
  if (changed.ok()) return changed;
  Error error = std::move(changed).error();
  if (error.kind != ErrorKind::kConfigAttribute && error.kind != ErrorKind::kConfigKey) {
    return error;
  }
  error.hint = SuggestKey(root, override.key_or_group);
  return Because(
      CompositionError("Could not override '" + override.key_or_group +
                       "'.\nTo append to your config use +" + override.input_line),
      std::move(error));
}

Status Apply(Workspace& workspace, Node& root, const Override& override) {
  RIDGELINE_TRY(const Value value, override.PlainValue());
  switch (override.type) {
    case OverrideType::kDelete:
      return Delete(workspace, root, override, value);
    case OverrideType::kAdd:
      return AddValue(workspace, root, override, value);
    case OverrideType::kForceAdd:
      return Update(workspace, root, override.key_or_group, value, AddKeys::kForce);
    case OverrideType::kChange:
      return Change(workspace, root, override, value);
  }
  return Ok();
}

}  // namespace

Status ApplyOverrides(Workspace& workspace, Node& root,
                      const std::vector<Override>& overrides) {
  for (const Override& override : overrides) {
    if (override.package) {
      return CompositionError("Override " + override.input_line +
                              " looks like a config group override, but config group '" +
                              override.key_or_group + "' does not exist.");
    }
    workspace.source =
        std::make_shared<const std::string>("override '" + override.input_line + "'");
    Status applied = Apply(workspace, root, override);
    workspace.source = nullptr;
    if (applied.ok()) continue;
    Error error = std::move(applied).error();
    if (!IsOmegaConf(error.kind)) return error;
    return Because(CompositionError("Error merging override " + override.input_line),
                   std::move(error));
  }
  return Ok();
}

}  // namespace ridgeline::config
