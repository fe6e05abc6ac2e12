#include "config/tree/type_hint.h"

namespace ridgeline::config {

using Kind = TypeHint::Kind;

const TypeHint kAny = {};
const TypeHint kString = {.kind = Kind::kString, .optional = false};
const TypeHint kOptionalString = {.kind = Kind::kString};
const TypeHint kInteger = {.kind = Kind::kInteger, .optional = false};
const TypeHint kOptionalInteger = {.kind = Kind::kInteger};
const TypeHint kOptionalBool = {.kind = Kind::kBool};
const TypeHint kOptionalRunMode = {.kind = Kind::kEnum};
const TypeHint kOptionalListOfAny = {.kind = Kind::kList, .element = &kAny};
const TypeHint kListOfStrings = {
    .kind = Kind::kList, .optional = false, .element = &kString};
const TypeHint kDictOfAny = {.kind = Kind::kDict, .optional = false, .element = &kAny};
const TypeHint kDictOfStrings = {
    .kind = Kind::kDict, .optional = false, .element = &kString};
const TypeHint kOptionalDictOfStrings = {.kind = Kind::kDict, .element = &kString};

std::string TypeHint::BareName() const {
  switch (kind) {
    case Kind::kAny:
      return "Any";
    case Kind::kString:
      return "str";
    case Kind::kInteger:
      return "int";
    case Kind::kBool:
      return "bool";
    case Kind::kEnum:
      return "RunMode";
    case Kind::kList:
      return "List[" + element->Name() + "]";
    case Kind::kDict:
      return "Dict[str, " + element->Name() + "]";
    case Kind::kStruct:
      return std::string(structure->name);
  }
  return "Any";
}

std::string TypeHint::Name() const {
  if (!optional || kind == Kind::kAny) return BareName();
  return "Optional[" + BareName() + "]";
}

}  // namespace ridgeline::config
