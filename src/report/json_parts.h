// Small parts of which the report's JSON is made.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace ridgeline::report {

// Names come from anywhere. Longer ones are cut in their middle, which is where names of
// kernels differ least; results.sqlite has them whole.
inline constexpr size_t kMostTextBytes = 2000;
std::string CutText(std::string_view text);

inline double Seconds(int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1e9;
}

// Null for an empty one.
inline nlohmann::ordered_json TextOrNull(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(CutText(text));
}

// Null where there is nothing to be a share of.
inline nlohmann::ordered_json ShareOrNull(double part, double whole) {
  return whole > 0 ? nlohmann::ordered_json(part / whole) : nlohmann::ordered_json();
}

}  // namespace ridgeline::report
