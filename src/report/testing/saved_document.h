#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "os/testing/golden.h"
#include "report/cite.h"

namespace ridgeline::report {

// The synthetic document tests/data/reports/<name>.json, a metrics.json without `advice`:
// in "gpu_run" nearly every advice rule applies.
inline nlohmann::ordered_json SavedJson(const std::string& name) {
  const std::filesystem::path path =
      std::filesystem::path(RIDGELINE_TESTS_DIR) / "data/reports" / (name + ".json");
  const Result<std::string> text = os::ReadFile(path);
  EXPECT_TRUE(text.ok()) << path;
  return text.ok() ? nlohmann::ordered_json::parse(text.value())
                   : nlohmann::ordered_json();
}

template <typename E>
inline constexpr int kEnumerators = 0;
template <>
inline constexpr int kEnumerators<artifacts::State> = 7;
template <>
inline constexpr int kEnumerators<artifacts::Parity> = 3;
template <>
inline constexpr int kEnumerators<cost::BoundClass> = 3;
template <>
inline constexpr int kEnumerators<analysis::KernelKind> = 16;
template <>
inline constexpr int kEnumerators<analysis::Bottleneck> = 5;
template <>
inline constexpr int kEnumerators<Clock> = 2;

// Inverse of the JSON printer. Missing or null values leave `value` unchanged.
template <typename T>
void ReadInto(const nlohmann::ordered_json& json, T& value) {
  if constexpr (HasFields<T>) {
    if (!json.is_object()) return;
    ForEachField<T>([&](const auto& field) {
      const auto found = json.find(std::string(field.id));
      if (found != json.end() && !found->is_null()) ReadInto(*found, value.*field.member);
    });
  } else if constexpr (kIsOptional<T>) {
    value.emplace();
    ReadInto(json, *value);
  } else if constexpr (std::is_same_v<T, std::vector<Advice>>) {
    return;  // Derived from the rest.
  } else if constexpr (std::is_same_v<T, std::array<double, 2>>) {
    for (size_t i = 0; i < value.size(); ++i) {
      if (json.at(i).is_number()) value[i] = json.at(i);
    }
  } else if constexpr (kIsVector<T>) {
    for (const auto& element : json) {
      if (!element.is_null()) ReadInto(element, value.emplace_back());
    }
  } else if constexpr (std::is_enum_v<T>) {
    for (int i = 0; i < kEnumerators<T>; ++i) {
      if (NameOf(static_cast<T>(i)) == json.template get<std::string>()) {
        value = static_cast<T>(i);
      }
    }
  } else if constexpr (std::is_same_v<T, JsonText>) {
    value.text = json.dump();
  } else {
    value = json.template get<T>();
  }
}

inline Document DocumentOf(const nlohmann::ordered_json& json) {
  Document document;
  ReadInto(json, document);
  return document;
}

inline Document SavedDocument(const std::string& name) {
  return DocumentOf(SavedJson(name));
}

}  // namespace ridgeline::report
