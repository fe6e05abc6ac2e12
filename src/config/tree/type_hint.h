// Types a node can be bound to. Nodes from YAML have none ("Any"); the built-in `hydra`
// node is typed, which is why it rejects hydra.job.chdir=maybe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::config {

struct StructType;

struct TypeHint {
  enum class Kind { kAny, kString, kInteger, kBool, kEnum, kList, kDict, kStruct };

  Kind kind = Kind::kAny;
  bool optional = true;                   // Whether null is allowed.
  const TypeHint* element = nullptr;      // Lists and dicts; dict keys are strings.
  const StructType* structure = nullptr;  // kStruct only.

  // As Python prints it: "str", "Optional[bool]", "Dict[str, Any]", "JobConf".
  std::string Name() const;
  // The same without Optional[].
  std::string BareName() const;
};

extern const TypeHint kAny;
extern const TypeHint kString;
extern const TypeHint kOptionalString;
extern const TypeHint kInteger;
extern const TypeHint kOptionalInteger;
extern const TypeHint kOptionalBool;
extern const TypeHint kOptionalRunMode;
extern const TypeHint kOptionalListOfAny;
extern const TypeHint kListOfStrings;
extern const TypeHint kDictOfAny;
extern const TypeHint kDictOfStrings;
extern const TypeHint kOptionalDictOfStrings;

// The members of the only enumeration, hydra.types.RunMode.
inline constexpr std::string_view kRunModes[] = {"RUN", "MULTIRUN"};

struct Field {
  enum class Default { kMissing, kNull, kEmpty, kText, kFalse, kNested };

  std::string_view name;
  const TypeHint* hint;
  Default initial = Default::kMissing;
  std::string_view text = {};  // kText only.
};

// A record with a fixed set of fields, like a Python dataclass.
struct StructType {
  std::string_view name;
  std::vector<Field> fields;
};

}  // namespace ridgeline::config
