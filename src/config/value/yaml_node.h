// A YAML document as a graph of nodes, before scalars become values. Merge keys,
// duplicate keys and aliases are handled at this level.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/value/value.h"
#include "config/value/yaml_mark.h"
#include "config/value/yaml_scalar.h"

namespace ridgeline::config {

using YamlNodeId = uint32_t;

// Nesting limit; Python fails with a RecursionError slightly later.
constexpr int kMaxYamlDepth = 256;

struct YamlNode {
  enum class Kind { kScalar, kSequence, kMapping };

  Kind kind = Kind::kScalar;
  YamlTag tag = YamlTag::kStr;
  YamlMark mark;
  std::string tag_name;  // Only for an unknown tag.
  std::string text;      // Only for a scalar.
  // Items of a sequence, or alternating keys and values of a mapping. An alias is the id
  // of the node it refers to, so a node may have several parents.
  std::vector<YamlNodeId> children;
};

struct YamlDocument {
  std::vector<YamlNode> nodes;
  std::optional<YamlNodeId> root;  // Empty: no document in the text.
  bool has_aliases = false;
};

// "scalar", "sequence" or "mapping", as used in messages.
std::string_view KindName(YamlNode::Kind kind);

// Parses UTF-8 text (already checked) with at most one document.
Result<YamlDocument> ComposeYaml(std::string_view text, const SourceName& source);

}  // namespace ridgeline::config
