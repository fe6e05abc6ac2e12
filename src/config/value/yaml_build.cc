#include "config/value/yaml_build.h"

#include <utility>

#include "config/value/python_text.h"
#include "config/value/yaml_merge.h"

namespace ridgeline::config {
namespace {

class Builder {
 public:
  Builder(YamlDocument& document, std::vector<Scalar> scalars, const SourceName& source)
      : document_(document),
        scalars_(std::move(scalars)),
        source_(source),
        open_(document.nodes.size()) {}

  Result<Value> Build(YamlNodeId id, int depth) {
    const YamlNode& node = document_.nodes[id];
    if (open_[id]) return Limit("found unconstructable recursive node", node.mark);
    if (depth > kMaxYamlDepth) {
      return Limit("aliases make more than 256 levels of nesting", node.mark);
    }
    values_total_ += Weight(node);
    if (document_.has_aliases && values_total_ > kMaxYamlValues) {
      return Limit("aliases make more than 1000000 values", node.mark);
    }
    open_[id] = true;
    Result<Value> value = BuildByTag(id, depth);
    open_[id] = false;
    if (!value.ok()) return value;
    value.value().line = node.mark.line;
    value.value().column = node.mark.column;
    return value;
  }

 private:
  // The cost of copying the node itself, in values: long text and the keys of a set count
  // too.
  static size_t Weight(const YamlNode& node) {
    constexpr size_t kTextPerValue = 64;
    const size_t keys = node.tag == YamlTag::kSet ? node.children.size() / 2 : 0;
    return 1 + keys + node.text.size() / kTextPerValue;
  }

  Error Limit(std::string_view problem, YamlMark mark) const {
    return YamlError(ErrorKind::kLimit, source_, problem, mark);
  }

  Result<Value> BuildByTag(YamlNodeId id, int depth) {
    const YamlTag tag = document_.nodes[id].tag;
    if (tag == YamlTag::kSeq) return BuildList(id, depth);
    if (tag == YamlTag::kMap) return BuildDict(id, depth);
    if (tag == YamlTag::kOmap || tag == YamlTag::kPairs) return BuildPairs(id, depth);
    if (tag == YamlTag::kSet) return BuildSet(id);
    return Value(TakeScalar(id));
  }

  // Without aliases every node is used once, so its text can be moved out.
  Scalar TakeScalar(YamlNodeId id) {
    YamlNode& node = document_.nodes[id];
    const bool is_text =
        node.tag == YamlTag::kStr && node.kind == YamlNode::Kind::kScalar;
    if (document_.has_aliases) return is_text ? Scalar(node.text) : scalars_[id];
    return is_text ? Scalar(std::move(node.text)) : std::move(scalars_[id]);
  }

  Result<Value> BuildList(YamlNodeId id, int depth) {
    const std::vector<YamlNodeId>& children = document_.nodes[id].children;
    List list;
    list.reserve(children.size());
    for (const YamlNodeId child : children) {
      RIDGELINE_TRY(Value item, Build(child, depth + 1));
      list.push_back(std::move(item));
    }
    return Value(std::move(list));
  }

  Result<Value> BuildDict(YamlNodeId id, int depth) {
    const std::vector<YamlNodeId>& children = document_.nodes[id].children;
    Dict dict;
    for (size_t i = 0; i < children.size(); i += 2) {
      RIDGELINE_TRY(Value value, Build(children[i + 1], depth + 1));
      dict.Set(TakeScalar(children[i]), std::move(value));
    }
    return Value(std::move(dict));
  }

  // Python builds a list of tuples here; a configuration treats both as lists.
  Result<Value> BuildPairs(YamlNodeId id, int depth) {
    List list;
    for (const YamlNodeId item : document_.nodes[id].children) {
      const YamlNode& node = document_.nodes[item];
      List pair;
      for (const YamlNodeId part : node.children) {
        RIDGELINE_TRY(Value value, Build(part, depth + 2));
        pair.push_back(std::move(value));
      }
      Value& added = list.emplace_back(std::move(pair));
      added.line = node.mark.line;
      added.column = node.mark.column;
    }
    return Value(std::move(list));
  }

  Result<Value> BuildSet(YamlNodeId id) {
    const std::vector<YamlNodeId>& children = document_.nodes[id].children;
    std::string text = "{";
    for (size_t i = 0; i < children.size(); i += 2) {
      if (i > 0) text += ", ";
      text += Repr(Value(TakeScalar(children[i])));
    }
    return Value(Scalar(Opaque{"set", children.empty() ? "set()" : text + "}"}));
  }

  YamlDocument& document_;
  std::vector<Scalar> scalars_;
  const SourceName& source_;
  std::vector<bool> open_;  // By node: on the path from the root to here.
  size_t values_total_ = 0;
};

}  // namespace

Result<Value> BuildValue(YamlDocument& document, std::vector<Scalar> scalars,
                         const SourceName& source) {
  return Builder(document, std::move(scalars), source).Build(*document.root, 0);
}

}  // namespace ridgeline::config
