// Any text either is refused or comes back from its own dump.
#include <string>
#include <string_view>
#include <variant>

#include "config/value/value.h"
#include "config/value/yaml_dump.h"
#include "config/value/yaml_load.h"
#include "tests/fuzz/fuzz.h"

namespace yaml_load_fuzz {

using ridgeline::config::Opaque;
using ridgeline::config::Scalar;
using ridgeline::config::Value;
using ridgeline::fuzz::AsText;

// nan is not equal to itself, a set or date is dumped as a string, and PyYAML,
// which the dump follows, writes NEL so that it is read as a newline.
bool ComesBack(const Scalar& scalar) {
  if (const double* number = std::get_if<double>(&scalar)) return *number == *number;
  if (const std::string* text = std::get_if<std::string>(&scalar)) {
    return text->find("\xC2\x85") == std::string::npos;
  }
  return !std::holds_alternative<Opaque>(scalar);
}

bool ComesBack(const Value& value) {
  if (value.is_scalar()) return ComesBack(value.scalar());
  if (value.is_list()) {
    for (const Value& item : value.list()) {
      if (!ComesBack(item)) return false;
    }
    return true;
  }
  for (const auto& [key, item] : value.dict()) {
    if (!ComesBack(key) || !ComesBack(item)) return false;
  }
  return true;
}

int Run(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  const auto loaded = ridgeline::config::LoadYaml(text, "fuzz.yaml");
  if (!loaded.ok()) return 0;
  const std::string dumped = ridgeline::config::DumpYaml(loaded.value());
  const auto again = ridgeline::config::LoadYaml(dumped, "dumped.yaml");
  const bool comparable = ComesBack(loaded.value());
  if (!again.ok() && comparable) __builtin_trap();
  if (comparable && !PythonEqual(loaded.value(), again.value())) __builtin_trap();
  return 0;
}

}  // namespace yaml_load_fuzz

RIDGELINE_FUZZ_TARGET(yaml_load_fuzz)
