// What a string such as "http://${host}:${oc.env:PORT,80}" means, before it is
// evaluated: the parse tree of OmegaConf's interpolation grammar.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "config/value/value.h"

namespace ridgeline::config {

struct Interpolation;
using InterpolationPtr = std::unique_ptr<const Interpolation>;

// Literal characters, already unescaped, or an interpolation to be put there.
using TextPart = std::variant<std::string, InterpolationPtr>;

// Text in which interpolations may stand; never empty. A single interpolation
// keeps the type of what it yields; anything else is joined as a string.
struct Text {
  std::vector<TextPart> parts;
};

struct Element;

// A literal of one token: null, true, 3, 1.5, abc.
struct Literal {
  Value value;
};
// Several tokens or interpolations run together: "${a}-x", "foo bar".
// One interpolation alone keeps its type.
struct Mixed {
  Text text;
};
// '...' or "...": always a string.
struct Quoted {
  Text text;  // May have no parts: the empty string.
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
  std::string source;  // As it was written.
};

struct DictItem {
  Value key;  // A scalar.
  Element value;
};

// ${a.b[0]}, ${..x}, ${[a]}, ${a.${b}}: the pieces of the key, in order; "." "["
// and "]" are pieces of their own, so that the evaluated pieces, joined, are the key.
struct NodeReference {
  std::vector<TextPart> pieces;
};

// ${name:arg,arg}
struct ResolverCall {
  std::vector<TextPart> name;  // Joined by dots.
  std::vector<Element> arguments;
  // "[a,,b" has an element missing: legal but deprecated; the text of the whole
  // sequence for the warning, empty when nothing is missing.
  std::string sequence_with_missing_elements;
};

struct Interpolation {
  std::variant<NodeReference, ResolverCall> form;
  std::string source;  // As it was written, with ${ and }.
};

}  // namespace ridgeline::config
