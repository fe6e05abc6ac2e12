#include "tests/reference/compare.h"

#include <algorithm>
#include <cmath>

namespace ridgeline::reference {
namespace {

std::string Short(const Json& json) {
  constexpr size_t kShown = 100;
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() > kShown ? text.substr(0, kShown) + "..." : text;
}

bool IsEqual(const Json& got, const Json& want) {
  if (!got.is_number() || !want.is_number()) return got == want;
  if (got.is_number_integer() && want.is_number_integer()) return got == want;
  const double a = got.get<double>();
  const double b = want.get<double>();
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

void CompareAt(const std::string& path, const Json& got, const Json& want,
               Comparison& comparison) {
  if (want.is_object() && got.is_object()) {
    for (const auto& [key, value] : want.items()) {
      if (got.contains(key)) {
        CompareAt(path + "." + key, got.at(key), value, comparison);
      } else {
        comparison.wrong.push_back(path + "." + key + ": is missing");
      }
    }
    for (const auto& [key, value] : got.items()) {
      if (!want.contains(key)) comparison.wrong.push_back(path + "." + key + ": is more");
    }
    return;
  }
  if (want.is_array() && got.is_array() && want.size() == got.size()) {
    for (size_t i = 0; i < want.size(); ++i) {
      CompareAt(path + "[" + std::to_string(i) + "]", got[i], want[i], comparison);
    }
    return;
  }
  ++comparison.checks;
  if (IsEqual(got, want)) return;
  comparison.wrong.push_back(path + ": " + Short(got) + " instead of " + Short(want));
}

}  // namespace

Comparison Compare(const Json& got, const Json& want) {
  Comparison comparison;
  CompareAt("", got, want, comparison);
  return comparison;
}

}  // namespace ridgeline::reference
