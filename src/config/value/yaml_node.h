// A YAML document as a graph of nodes, before its scalars have become values:
// what merge keys, duplicate keys and aliases are about.
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

// Levels of nesting; Python gives up with a RecursionError a little later.
constexpr int kMaxYamlDepth = 256;

struct YamlNode {
  enum class Kind { kScalar, kSequence, kMapping };

  Kind kind = Kind::kScalar;
  YamlTag tag = YamlTag::kStr;
  YamlMark mark;
  std::string tag_name;  // Only of an unknown tag.
  std::string text;      // Of a scalar.
  // Items of a sequence; keys and values, in turn, of a mapping. An alias is the
  // id of the node that it names, so a node may have several parents.
  std::vector<YamlNodeId> children;
};

struct YamlDocument {
  std::vector<YamlNode> nodes;
  std::optional<YamlNodeId> root;  // Empty: no document in the text.
  bool has_aliases = false;
};

// "scalar", "sequence" or "mapping", as messages call it.
std::string_view KindName(YamlNode::Kind kind);

// Parses a text (UTF-8, checked) that holds at most one document.
Result<YamlDocument> ComposeYaml(std::string_view text, const SourceName& source);

}  // namespace ridgeline::config
