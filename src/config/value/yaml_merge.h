#pragma once

#include <cstddef>
#include <vector>

#include "config/value/yaml_node.h"

namespace ridgeline::config {

// Values that one document may hold once its aliases and merges are written
// out; a few lines of aliases of aliases would otherwise fill all memory.
constexpr size_t kMaxYamlValues = 1'000'000;

// Replaces merge keys by what they merge. Merged keys come first, in front of
// the mapping's own, which therefore win; of a list of mappings the first wins.
class YamlMerger {
 public:
  YamlMerger(YamlDocument& document, const SourceName& source)
      : nodes_(document.nodes), source_(source), flattening_(document.nodes.size()) {}

  // Also flattens, for good, every mapping that is merged from.
  Status Flatten(YamlNodeId mapping, int depth = 0);

 private:
  using Children = std::vector<YamlNodeId>;

  Status MergeFrom(YamlNodeId mapping, YamlNodeId from, int depth, Children& merged);
  Status Append(YamlNodeId mapping, YamlNodeId from, int depth, Children& merged);

  std::vector<YamlNode>& nodes_;
  const SourceName& source_;
  std::vector<bool> flattening_;  // By node: its merge keys are being replaced.
  size_t merged_total_ = 0;
};

}  // namespace ridgeline::config
