#include "estimates/measured_gpu.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/json.h"

namespace ridgeline::estimates {
namespace {

using hardware::Arithmetic;
using SortedJson = nlohmann::json;

constexpr int kRoofsVersion = 1;

Error BrokenRoofs(std::string_view origin, const std::string& what) {
  return {ErrorCode::kParse, fmt::format("{}: {}", origin, what)};
}

std::optional<Arithmetic> ArithmeticNamed(const std::string& name) {
  for (const Arithmetic arithmetic : hardware::kArithmetics) {
    if (hardware::Name(arithmetic) == name) return arithmetic;
  }
  return std::nullopt;
}

struct Number {
  double per_s = 0;
  std::string what;
};

// {"flops_per_s": 1.5e14, "what": "..."}
std::optional<Number> NumberOf(const SortedJson& json, const char* key) {
  const bool is_number = json.is_object() && json.contains(key) &&
                         json[key].is_number() && json.contains("what") &&
                         json["what"].is_string();
  if (!is_number) return std::nullopt;
  Number number = {json[key].get<double>(), json["what"].get<std::string>()};
  if (!(number.per_s > 0) || !std::isfinite(number.per_s)) return std::nullopt;
  return number;
}

Result<hardware::MeasuredPeak> ParsePeak(const SortedJson& json,
                                         std::string_view origin) {
  const std::optional<Number> number = NumberOf(json, "flops_per_s");
  if (!number || !json.contains("name") || !json["name"].is_string()) {
    return BrokenRoofs(origin,
                       "expected {name, flops_per_s, what}, got " + DumpJson(json));
  }
  const std::string name = json["name"];
  const std::optional<Arithmetic> arithmetic = ArithmeticNamed(name);
  if (!arithmetic) return BrokenRoofs(origin, "unknown arithmetic: '" + name + "'");
  return hardware::MeasuredPeak{
      .arithmetic = *arithmetic, .flops_per_s = number->per_s, .text = number->what};
}

}  // namespace

Result<hardware::MeasuredCeilings> ParseMeasuredGpu(std::string_view text,
                                                    std::string_view origin) {
  const SortedJson json = ParseJson<SortedJson>(text);
  if (!json.is_object() || !json.contains("schema_version") ||
      json["schema_version"] != SortedJson(kRoofsVersion)) {
    return BrokenRoofs(origin, "not measured ceilings of this version");
  }
  hardware::MeasuredCeilings ceilings;
  const SortedJson peaks = json.value("arithmetic", SortedJson::array());
  if (!peaks.is_array()) return BrokenRoofs(origin, "arithmetic: expected a list");
  for (const SortedJson& peak : peaks) {
    RIDGELINE_TRY(hardware::MeasuredPeak parsed, ParsePeak(peak, origin));
    ceilings.peaks.push_back(std::move(parsed));
  }
  const SortedJson memory = json.value("memory", SortedJson());
  if (memory.is_null()) return ceilings;
  const std::optional<Number> number = NumberOf(memory, "bytes_per_s");
  if (!number) {
    return BrokenRoofs(origin,
                       "memory: expected {bytes_per_s, what}, got " + DumpJson(memory));
  }
  ceilings.memory =
      hardware::MeasuredBandwidth{.bytes_per_s = number->per_s, .text = number->what};
  return ceilings;
}

}  // namespace ridgeline::estimates
