#include "config/tree/evaluate.h"

#include <algorithm>
#include <utility>

#include "config/tree/interpolation_parser.h"
#include "config/tree/locate.h"
#include "config/tree/scalar_types.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

// Python fails at about this depth too (recursion limit).
constexpr int kMaxInterpolationDepth = 120;

// The location of the text being evaluated.
struct Scope {
  Workspace& workspace;
  Node& parent;
  Node& node;
  Visiting* visiting;
};

Result<Resolved> EvaluateInterpolation(const Interpolation& interpolation, Scope& scope);

// "<class 'int'>", as Python prints a type.
std::string ClassOf(const Resolved& resolved) {
  if (const Value* value = std::get_if<Value>(&resolved)) {
    return "<class '" + TypeName(*value) + "'>";
  }
  return std::get<Node*>(resolved)->is_dict()
             ? "<class 'omegaconf.dictconfig.DictConfig'>"
             : "<class 'omegaconf.listconfig.ListConfig'>";
}

Error Unresolved(std::string text) {
  return Error(ErrorKind::kInterpolationResolution, std::move(text));
}

Result<Resolved> EvaluateText(const Text& text, Scope& scope) {
  if (text.parts.size() == 1) {
    if (const auto* single = std::get_if<InterpolationPtr>(&text.parts[0])) {
      return EvaluateInterpolation(**single, scope);
    }
  }
  std::string joined;
  for (const TextPart& part : text.parts) {
    if (const std::string* literal = std::get_if<std::string>(&part)) {
      joined += *literal;
      continue;
    }
    RIDGELINE_TRY(const Resolved resolved,
                  EvaluateInterpolation(*std::get<InterpolationPtr>(part), scope));
    const Value piece(StrOf(resolved));
    // Doubling a string at every step is another way to exhaust memory.
    if (!scope.workspace.Spend(Weight(piece))) return MultipliesWithoutEnd();
    joined += piece.string();
  }
  return Resolved(Value(std::move(joined)));
}

Result<Value> EvaluatePlain(const Element& element, Scope& scope);

void WarnOfMissingElements(const std::string& sequence, Scope& scope) {
  if (sequence.empty()) return;
  scope.workspace.Warn(
      "In the sequence `" + sequence +
      "` some elements are missing: please replace them with empty quoted strings. See "
      "https://github.com/omry/omegaconf/issues/572 for details.");
}

Result<Resolved> EvaluateForm(const Element& element, Scope& scope) {
  if (const auto* literal = std::get_if<Literal>(&element.form))
    return Resolved(literal->value);
  if (const auto* mixed = std::get_if<Mixed>(&element.form)) {
    return EvaluateText(mixed->text, scope);
  }
  if (const auto* quoted = std::get_if<Quoted>(&element.form)) {
    if (quoted->text.parts.empty()) return Resolved(Value(""));
    RIDGELINE_TRY(const Resolved text, EvaluateText(quoted->text, scope));
    return Resolved(Value(StrOf(text)));
  }
  if (const auto* list = std::get_if<ListLiteral>(&element.form)) {
    List values;
    for (const Element& item : list->items) {
      RIDGELINE_TRY(Value value, EvaluatePlain(item, scope));
      values.push_back(std::move(value));
    }
    WarnOfMissingElements(list->sequence_with_missing_elements, scope);
    return Resolved(Value(std::move(values)));
  }
  Dict values;
  for (const auto& [key, item] : std::get<DictLiteral>(element.form).items) {
    RIDGELINE_TRY(Value value, EvaluatePlain(item, scope));
    values.Set(key.scalar(), std::move(value));
  }
  return Resolved(Value(std::move(values)));
}

// An element inside a list or dict. OmegaConf keeps a reference to a node here, but only
// the node's data is ever used.
Result<Value> EvaluatePlain(const Element& element, Scope& scope) {
  RIDGELINE_TRY(Resolved resolved, EvaluateForm(element, scope));
  resolved = Unwrapped(std::move(resolved));
  if (Value* value = std::get_if<Value>(&resolved)) return std::move(*value);
  Value copied = ToValue(*std::get<Node*>(resolved));
  if (!scope.workspace.Spend(Weight(copied))) return MultipliesWithoutEnd();
  return copied;
}

// One piece of a key or of a resolver's name.
Result<std::string> EvaluateName(const TextPart& part, Scope& scope,
                                 std::string (*complain)(const Resolved&,
                                                         const std::string&)) {
  if (const std::string* literal = std::get_if<std::string>(&part)) return *literal;
  const Interpolation& nested = *std::get<InterpolationPtr>(part);
  RIDGELINE_TRY(Resolved resolved, EvaluateInterpolation(nested, scope));
  resolved = Unwrapped(std::move(resolved));
  const Value* value = std::get_if<Value>(&resolved);
  if (value != nullptr && value->is_string()) return value->string();
  return Unresolved(complain(resolved, nested.source));
}

std::string NotAKey(const Resolved& resolved, const std::string& source) {
  return "The following interpolation is used to denote a config key and thus should "
         "return a string, but instead returned `" +
         StrOf(resolved) + "` of type `" + ClassOf(resolved) + "`: " + source;
}

std::string NotAName(const Resolved& resolved, const std::string& source) {
  return "The name of a resolver must be a string, but the interpolation " + source +
         " resolved to `" + StrOf(resolved) + "` which is of type " + ClassOf(resolved);
}

Result<Resolved> EvaluateReference(const NodeReference& reference, Scope& scope) {
  std::string key;
  for (const TextPart& piece : reference.pieces) {
    RIDGELINE_TRY(const std::string text, EvaluateName(piece, scope, NotAKey));
    key += text;
  }
  Result<KeyBase> base = ResolveBase(scope.parent, key);
  if (!base.ok()) {
    return Error(ErrorKind::kInterpolationKey,
                 "ConfigKeyError while resolving interpolation: " + base.error().message);
  }
  Result<Selected> selected =
      SelectFrom(scope.workspace, *base.value().root, base.value().key,
                 {.fail_on_missing = true, .visiting = scope.visiting});
  if (!selected.ok()) {
    if (selected.error().kind != ErrorKind::kMissingMandatoryValue) {
      return std::move(selected).error();
    }
    return Error(ErrorKind::kInterpolationToMissingValue,
                 "MissingMandatoryValue while resolving interpolation: " +
                     selected.error().message);
  }
  Node* target = selected.value().node;
  if (target == nullptr) {
    return Error(ErrorKind::kInterpolationKey,
                 "Interpolation key '" + std::string(base.value().key) + "' not found");
  }
  for (const Node* node = &scope.parent; node != nullptr; node = node->parent) {
    if (node == target) return Unresolved("Interpolation to parent node detected");
  }
  return Resolved(target);
}

Result<Resolved> EvaluateCall(const ResolverCall& call, Scope& scope) {
  std::string name;
  for (const TextPart& part : call.name) {
    RIDGELINE_TRY(const std::string text, EvaluateName(part, scope, NotAName));
    if (!name.empty()) name += '.';
    name += text;
  }
  ResolverInput input = {scope.workspace, scope.parent, scope.node, {}};
  for (const Element& argument : call.arguments) {
    RIDGELINE_TRY(Resolved value, EvaluateForm(argument, scope));
    input.arguments.push_back(Unwrapped(std::move(value)));
  }
  WarnOfMissingElements(call.sequence_with_missing_elements, scope);
  const Resolver* resolver = scope.workspace.FindResolver(name);
  if (resolver == nullptr) {
    return Error(ErrorKind::kUnsupportedInterpolationType,
                 "Unsupported interpolation type " + name);
  }
  return (*resolver)(input);
}

Result<Resolved> EvaluateInterpolation(const Interpolation& interpolation, Scope& scope) {
  if (!scope.workspace.Spend(1) || !scope.workspace.HasRoom())
    return MultipliesWithoutEnd();
  if (const auto* reference = std::get_if<NodeReference>(&interpolation.form)) {
    return EvaluateReference(*reference, scope);
  }
  return EvaluateCall(std::get<ResolverCall>(interpolation.form), scope);
}

// Any failure inside an interpolation becomes an InterpolationResolutionError.
Error AsResolutionError(Error error) {
  if (IsInterpolationResolution(error.kind) || error.kind == ErrorKind::kLimit)
    return error;
  return Unresolved(std::string(ClassName(error.kind)) +
                    " raised while resolving interpolation: " + error.message);
}

// Counts the nesting depth of evaluations.
class DepthGuard {
 public:
  explicit DepthGuard(Workspace& workspace) : workspace_(workspace) {
    ++workspace_.interpolation_depth;
  }
  ~DepthGuard() { --workspace_.interpolation_depth; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;

  Status Check() const {
    if (workspace_.interpolation_depth <= kMaxInterpolationDepth) return Ok();
    return Unresolved(
        "RecursionError raised while resolving interpolation: maximum recursion depth "
        "exceeded");
  }

 private:
  Workspace& workspace_;
};

Node& Computed(Workspace& workspace, Node& like, Value value) {
  Node& node = workspace.NewNode(Node::Shape::kScalar);
  node.computed = true;
  node.value = std::move(value);
  node.parent = like.parent;
  node.key = like.key;
  node.origin = like.origin;
  return node;
}

// A typed field converts the result of its interpolation.
Result<Node*> FitToType(Workspace& workspace, Node& node, Resolved resolved) {
  Node* const* target = std::get_if<Node*>(&resolved);
  if (!node.is_typed_scalar()) {
    if (target != nullptr) return *target;
    return &Computed(workspace, node, std::move(std::get<Value>(resolved)));
  }
  const Resolved unwrapped = Unwrapped(resolved);
  const Value* value = std::get_if<Value>(&unwrapped);
  const Value plain = value != nullptr ? *value : ToValue(*std::get<Node*>(unwrapped));
  const Shown shown = value != nullptr ? Show(*value) : Show(*std::get<Node*>(unwrapped));
  Result<Value> converted = ConvertScalar(*node.hint, plain);
  if (!converted.ok()) {
    return Locate(Error(ErrorKind::kInterpolationValidation,
                        "While dereferencing interpolation '" + Str(node.value) +
                            "': " + converted.error().message),
                  node.parent, node.key, shown);
  }
  if (target != nullptr && TypeName(converted.value()) == shown.type) return *target;
  return &Computed(workspace, node, std::move(converted).value());
}

}  // namespace

size_t Weight(const Value& value) {
  constexpr size_t kBytesPerStep = 64;
  if (value.is_string()) return 1 + value.string().size() / kBytesPerStep;
  size_t weight = 1;
  if (value.is_list()) {
    for (const Value& item : value.list()) weight += Weight(item);
  } else if (value.is_dict()) {
    for (const auto& [key, item] : value.dict()) weight += Weight(item);
  }
  return weight;
}

Error MultipliesWithoutEnd() {
  return Error(ErrorKind::kLimit,
               "the interpolations of this configuration multiply without end");
}

Resolved Unwrapped(Resolved resolved) {
  Node* const* node = std::get_if<Node*>(&resolved);
  if (node == nullptr) return resolved;
  if ((*node)->is_scalar() || (*node)->special) return Resolved((*node)->value);
  return resolved;
}

std::string StrOf(const Resolved& resolved) {
  if (const Value* value = std::get_if<Value>(&resolved)) return Str(*value);
  return Str(ToValue(*std::get<Node*>(resolved)));
}

Result<Resolved> EvaluateElement(Workspace& workspace, const Element& element,
                                 Node& parent, Node& node, Visiting* visiting) {
  const DepthGuard depth(workspace);
  RIDGELINE_RETURN_IF_ERROR(depth.Check());
  Scope scope = {workspace, parent, node, visiting};
  Result<Resolved> resolved = EvaluateForm(element, scope);
  if (!resolved.ok()) return AsResolutionError(std::move(resolved).error());
  return resolved;
}

Result<Node*> Dereference(Workspace& workspace, Node& node, Visiting* visiting) {
  if (!node.IsInterpolation()) return &node;
  if (node.parent == nullptr) {
    return Unresolved("Cannot resolve interpolation for a node without a parent");
  }
  RIDGELINE_TRY(const Text text, ParseText(node.value.string()));
  const DepthGuard depth(workspace);
  RIDGELINE_RETURN_IF_ERROR(depth.Check());
  Scope scope = {workspace, *node.parent, node, visiting};
  Result<Resolved> resolved = EvaluateText(text, scope);
  if (!resolved.ok()) {
    Error error = AsResolutionError(std::move(resolved).error());
    if (!error.origin.known()) error.origin = node.origin;
    return error;
  }
  return FitToType(workspace, node, std::move(resolved).value());
}

Result<Node*> TryDereference(Workspace& workspace, Node& node) {
  Result<Node*> target = Dereference(workspace, node);
  if (target.ok() || !IsInterpolationResolution(target.error().kind)) return target;
  return nullptr;
}

}  // namespace ridgeline::config
