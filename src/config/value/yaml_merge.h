#pragma once

#include <cstddef>
#include <vector>

#include "config/value/yaml_node.h"

namespace ridgeline::config {

// Limit on the values of one document with aliases and merges expanded; otherwise a few
// lines of nested aliases would exhaust memory.
constexpr size_t kMaxYamlValues = 1'000'000;

// Expands merge keys. Merged keys precede the mapping's own, which therefore win; in a
// list of mappings the first wins.
class YamlMerger {
 public:
  YamlMerger(YamlDocument& document, const SourceName& source)
      : nodes_(document.nodes), source_(source), flattening_(document.nodes.size()) {}

  // Also flattens, permanently, every mapping that is merged from.
  Status Flatten(YamlNodeId mapping, int depth = 0);

 private:
  using Children = std::vector<YamlNodeId>;

  Status MergeFrom(YamlNodeId mapping, YamlNodeId from, int depth, Children& merged);
  Status Append(YamlNodeId mapping, YamlNodeId from, int depth, Children& merged);

  std::vector<YamlNode>& nodes_;
  const SourceName& source_;
  std::vector<bool> flattening_;  // By node: its merge keys are being expanded.
  size_t merged_total_ = 0;
};

}  // namespace ridgeline::config
