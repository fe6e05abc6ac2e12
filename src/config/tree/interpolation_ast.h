// Parse tree of OmegaConf's interpolation grammar, for strings such as
// "http://${host}:${oc.env:PORT,80}".
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "config/value/value.h"

namespace ridgeline::config {

struct Interpolation;
using InterpolationPtr = std::unique_ptr<const Interpolation>;

// Unescaped literal text, or an interpolation.
using TextPart = std::variant<std::string, InterpolationPtr>;

// Text that may contain interpolations; never empty. A single interpolation keeps the
// type of its result; anything else is concatenated into a string.
struct Text {
  std::vector<TextPart> parts;
};

struct Element;

// A single-token literal: null, true, 3, 1.5, abc.
struct Literal {
  Value value;
};
// Several adjacent tokens or interpolations: "${a}-x", "foo bar". A single interpolation
// keeps its type.
struct Mixed {
  Text text;
};
// '...' or "...": always a string.
struct Quoted {
  Text text;  // Empty for the empty string.
};
struct ListLiteral {
  std::vector<Element> items;
  // As in ResolverCall.
  std::string sequence_with_missing_elements;
};
struct DictItem;
struct DictLiteral {
  std::vector<DictItem> items;
};

struct Element {
  std::variant<Literal, Mixed, Quoted, ListLiteral, DictLiteral> form;
  std::string source;  // As written.
};

struct DictItem {
  Value key;  // A scalar.
  Element value;
};

// ${a.b[0]}, ${..x}, ${[a]}, ${a.${b}}: the pieces of the key, in order; "." "[" and "]"
// are separate pieces, so that concatenating the evaluated pieces gives the key.
struct NodeReference {
  std::vector<TextPart> pieces;
};

// ${name:arg,arg}
struct ResolverCall {
  std::vector<TextPart> name;  // Dotted.
  std::vector<Element> arguments;
  // "[a,,b" has a missing element: legal but deprecated. The text of the whole sequence
  // for the warning; empty if no element is missing.
  std::string sequence_with_missing_elements;
};

struct Interpolation {
  std::variant<NodeReference, ResolverCall> form;
  std::string source;  // As written, with ${ and }.
};

}  // namespace ridgeline::config
