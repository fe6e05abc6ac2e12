#include "config/value/yaml_construct.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "config/value/python_text.h"
#include "config/value/yaml_build.h"
#include "config/value/yaml_merge.h"

namespace ridgeline::config {
namespace {

using NodeKind = YamlNode::Kind;

// Below this many keys, comparing all pairs is faster than hashing.
constexpr size_t kHashFrom = 16;

// Walks the graph once, breadth first: a collection is filled after all its siblings have
// been started. PyYAML merges and reports errors at that point; both depend on the order,
// because merging into a mapping changes the node that others merge from.
class Constructor {
 public:
  Constructor(YamlDocument& document, const SourceName& source)
      : nodes_(document.nodes), source_(source), merger_(document, source) {
    scalars_.resize(nodes_.size());
    begun_.resize(nodes_.size());
  }

  Result<std::vector<Scalar>> Construct(YamlNodeId root) {
    RIDGELINE_RETURN_IF_ERROR(Begin(root));
    for (size_t i = 0; i < waiting_.size(); ++i) {
      RIDGELINE_RETURN_IF_ERROR(Fill(waiting_[i]));
    }
    return std::move(scalars_);
  }

 private:
  Error At(ErrorKind kind, std::string_view problem, YamlNodeId id) const {
    return YamlError(kind, source_, problem, nodes_[id].mark);
  }

  // Python's own errors (ValueError) have no location in their message.
  Error Place(Error error, YamlNodeId id) const {
    if (error.kind == ErrorKind::kYamlConstructor) {
      return At(error.kind, error.message, id);
    }
    const YamlMark mark = nodes_[id].mark;
    error.origin = {.source = source_, .line = mark.line, .column = mark.column};
    return error;
  }

  Status Begin(YamlNodeId id) {
    if (begun_[id]) return Ok();
    begun_[id] = true;
    const YamlNode& node = nodes_[id];
    switch (node.tag) {
      case YamlTag::kSeq:
      case YamlTag::kMap:
      case YamlTag::kSet:
      case YamlTag::kOmap:
      case YamlTag::kPairs:
        waiting_.push_back(id);
        return Ok();
      case YamlTag::kStr:
        if (node.kind == NodeKind::kScalar) return Ok();  // Its text is its value.
        return BeginScalar(id);
      case YamlTag::kNull:
      case YamlTag::kBool:
      case YamlTag::kInt:
      case YamlTag::kFloat:
      case YamlTag::kBinary:
      case YamlTag::kTimestamp:
        return BeginScalar(id);
      case YamlTag::kMerge:
      case YamlTag::kValue:
      case YamlTag::kUnknown:
        break;
    }
    const std::string_view name =
        node.tag == YamlTag::kUnknown ? node.tag_name : TagName(node.tag);
    return At(ErrorKind::kYamlConstructor,
              "could not determine a constructor for the tag " + Repr(name), id);
  }

  Status BeginScalar(YamlNodeId id) {
    RIDGELINE_TRY(const YamlNodeId text_id, TextOf(id));
    Result<Scalar> made = ConstructScalar(nodes_[id].tag, nodes_[text_id].text);
    if (!made.ok()) return Place(std::move(made).error(), id);
    scalars_[id] = std::move(made).value();
    return Ok();
  }

  // The scalar that provides the text. A mapping with a scalar's tag stands for the value
  // of its key "=": !!int {=: 5}.
  Result<YamlNodeId> TextOf(YamlNodeId id) const {
    YamlNodeId at = id;
    for (int depth = 0; depth < kMaxYamlDepth; ++depth) {
      const YamlNode& node = nodes_[at];
      if (node.kind == NodeKind::kScalar) return at;
      const size_t key = DefaultKey(node);
      if (key == node.children.size()) {
        return At(ErrorKind::kYamlConstructor,
                  "expected a scalar node, but found " + std::string(KindName(node.kind)),
                  at);
      }
      at = node.children[key + 1];
    }
    return At(ErrorKind::kLimit, "found unconstructable recursive node", id);
  }

  size_t DefaultKey(const YamlNode& node) const {
    if (node.kind != NodeKind::kMapping) return node.children.size();
    size_t key = 0;
    while (key < node.children.size() &&
           nodes_[node.children[key]].tag != YamlTag::kValue) {
      key += 2;
    }
    return key;
  }

  Status Fill(YamlNodeId id) {
    const YamlTag tag = nodes_[id].tag;
    if (tag == YamlTag::kSeq) return FillSequence(id);
    if (tag == YamlTag::kOmap) return FillPairs(id, "while constructing an ordered map");
    if (tag == YamlTag::kPairs) return FillPairs(id, "while constructing pairs");
    return FillMapping(id);
  }

  Status FillSequence(YamlNodeId id) {
    const YamlNode& node = nodes_[id];
    if (node.kind != NodeKind::kSequence) {
      return At(ErrorKind::kYamlConstructor,
                "expected a sequence node, but found " + std::string(KindName(node.kind)),
                id);
    }
    for (const YamlNodeId child : node.children) {
      RIDGELINE_RETURN_IF_ERROR(Begin(child));
    }
    return Ok();
  }

  Status FillMapping(YamlNodeId id) {
    if (nodes_[id].kind != NodeKind::kMapping) {
      return At(
          ErrorKind::kYamlConstructor,
          "expected a mapping node, but found " + std::string(KindName(nodes_[id].kind)),
          id);
    }
    RIDGELINE_RETURN_IF_ERROR(CheckDuplicateKeys(id));
    RIDGELINE_RETURN_IF_ERROR(merger_.Flatten(id));
    const std::vector<YamlNodeId>& children = nodes_[id].children;
    for (size_t i = 0; i < children.size(); i += 2) {
      RIDGELINE_RETURN_IF_ERROR(Begin(children[i]));
      if (!IsHashable(children[i])) {
        return YamlError(ErrorKind::kYamlConstructor, source_,
                         {"while constructing a mapping", nodes_[id].mark},
                         "found unhashable key", nodes_[children[i]].mark);
      }
      RIDGELINE_RETURN_IF_ERROR(Begin(children[i + 1]));
    }
    return Ok();
  }

  bool IsHashable(YamlNodeId id) const {
    const YamlTag tag = nodes_[id].tag;
    return tag != YamlTag::kSeq && tag != YamlTag::kMap && tag != YamlTag::kSet &&
           tag != YamlTag::kOmap && tag != YamlTag::kPairs;
  }

  // OmegaConf's check: string keys only, before merging.
  Status CheckDuplicateKeys(YamlNodeId id) const {
    const std::vector<YamlNodeId>& children = nodes_[id].children;
    std::vector<std::string_view> few;
    std::unordered_set<std::string_view> many;
    const bool hashing = children.size() / 2 > kHashFrom;
    for (size_t i = 0; i < children.size(); i += 2) {
      const YamlNode& key = nodes_[children[i]];
      if (key.tag != YamlTag::kStr) continue;
      if (key.kind != NodeKind::kScalar) {
        return At(ErrorKind::kType, "unhashable type: 'list'", children[i]);
      }
      const bool seen = hashing
                            ? !many.insert(key.text).second
                            : std::find(few.begin(), few.end(), key.text) != few.end();
      if (seen) {
        return YamlError(ErrorKind::kYamlConstructor, source_,
                         {"while constructing a mapping", nodes_[id].mark},
                         "found duplicate key " + key.text, key.mark);
      }
      if (!hashing) few.push_back(key.text);
    }
    return Ok();
  }

  Status FillPairs(YamlNodeId id, const std::string& doing) {
    const YamlNode& node = nodes_[id];
    const YamlContext context = {doing, node.mark};
    if (node.kind != NodeKind::kSequence) {
      return YamlError(
          ErrorKind::kYamlConstructor, source_, context,
          "expected a sequence, but found " + std::string(KindName(node.kind)),
          node.mark);
    }
    for (const YamlNodeId item : node.children) {
      const YamlNode& pair = nodes_[item];
      if (pair.kind != NodeKind::kMapping) {
        return YamlError(ErrorKind::kYamlConstructor, source_, context,
                         "expected a mapping of length 1, but found " +
                             std::string(KindName(pair.kind)),
                         pair.mark);
      }
      if (pair.children.size() != 2) {
        return YamlError(ErrorKind::kYamlConstructor, source_, context,
                         "expected a single mapping item, but found " +
                             std::to_string(pair.children.size() / 2) + " items",
                         pair.mark);
      }
      RIDGELINE_RETURN_IF_ERROR(Begin(pair.children[0]));
      RIDGELINE_RETURN_IF_ERROR(Begin(pair.children[1]));
    }
    return Ok();
  }

  std::vector<YamlNode>& nodes_;
  const SourceName& source_;
  YamlMerger merger_;
  std::vector<Scalar> scalars_;      // By node; for strings the node's text is used.
  std::vector<bool> begun_;          // By node.
  std::vector<YamlNodeId> waiting_;  // Collections, in the order in which to fill them.
};

}  // namespace

Result<Value> ConstructYaml(YamlDocument document, const SourceName& source) {
  if (!document.root) return Value();
  RIDGELINE_TRY(std::vector<Scalar> scalars,
                Constructor(document, source).Construct(*document.root));
  return BuildValue(document, std::move(scalars), source);
}

}  // namespace ridgeline::config
