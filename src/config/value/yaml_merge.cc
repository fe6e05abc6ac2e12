#include "config/value/yaml_merge.h"

#include <utility>

namespace ridgeline::config {

using NodeKind = YamlNode::Kind;

Status YamlMerger::Flatten(YamlNodeId mapping, int depth) {
  if (flattening_[mapping] || depth > kMaxYamlDepth) {
    return YamlError(ErrorKind::kLimit, source_,
                     {"while constructing a mapping", nodes_[mapping].mark},
                     "found a mapping that merges itself or too long a chain of merges",
                     nodes_[mapping].mark);
  }
  flattening_[mapping] = true;
  Children merged;
  Children own;
  bool has_merge_key = false;
  const Children& children = nodes_[mapping].children;
  for (size_t i = 0; i < children.size(); i += 2) {
    YamlNode& key = nodes_[children[i]];
    if (key.tag == YamlTag::kMerge) {
      if (!has_merge_key)
        own.assign(children.begin(), children.begin() + static_cast<std::ptrdiff_t>(i));
      has_merge_key = true;
      RIDGELINE_RETURN_IF_ERROR(MergeFrom(mapping, children[i + 1], depth, merged));
      continue;
    }
    if (key.tag == YamlTag::kValue) key.tag = YamlTag::kStr;
    if (has_merge_key) own.insert(own.end(), {children[i], children[i + 1]});
  }
  flattening_[mapping] = false;
  if (!has_merge_key) return Ok();
  merged.insert(merged.end(), own.begin(), own.end());
  nodes_[mapping].children = std::move(merged);
  return Ok();
}

Status YamlMerger::MergeFrom(YamlNodeId mapping, YamlNodeId from, int depth,
                             Children& merged) {
  const YamlContext context = {"while constructing a mapping", nodes_[mapping].mark};
  const NodeKind kind = nodes_[from].kind;
  if (kind == NodeKind::kMapping) return Append(mapping, from, depth, merged);
  if (kind == NodeKind::kScalar) {
    return YamlError(
        ErrorKind::kYamlConstructor, source_, context,
        "expected a mapping or list of mappings for merging, but found scalar",
        nodes_[from].mark);
  }
  // Later in the list means lower precedence, and lower precedence comes first.
  std::vector<Children> parts;
  for (const YamlNodeId item : nodes_[from].children) {
    if (nodes_[item].kind != NodeKind::kMapping) {
      return YamlError(ErrorKind::kYamlConstructor, source_, context,
                       "expected a mapping for merging, but found " +
                           std::string(KindName(nodes_[item].kind)),
                       nodes_[item].mark);
    }
    RIDGELINE_RETURN_IF_ERROR(Append(mapping, item, depth, parts.emplace_back()));
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    merged.insert(merged.end(), part->begin(), part->end());
  }
  return Ok();
}

Status YamlMerger::Append(YamlNodeId mapping, YamlNodeId from, int depth,
                          Children& merged) {
  RIDGELINE_RETURN_IF_ERROR(Flatten(from, depth + 1));
  const Children& children = nodes_[from].children;
  merged_total_ += children.size();
  if (merged_total_ > kMaxYamlValues) {
    return YamlError(ErrorKind::kLimit, source_,
                     "merge keys make more than 1000000 values", nodes_[mapping].mark);
  }
  merged.insert(merged.end(), children.begin(), children.end());
  return Ok();
}

}  // namespace ridgeline::config
