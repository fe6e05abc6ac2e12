#include "hardware/gpu_peaks.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json.h"

namespace ridgeline::hardware {
namespace {

using PeaksJson = nlohmann::ordered_json;

constexpr int kPeaksVersion = 2;
constexpr const char* kFlopsPerS = "flops_per_s";
constexpr const char* kBytesPerS = "bytes_per_s";

Error BrokenPeaks(std::string_view origin, const std::string& what) {
  return {ErrorCode::kParse, fmt::format("{}: {}", origin, what)};
}

std::optional<Arithmetic> ArithmeticNamed(const std::string& name) {
  for (const Arithmetic arithmetic : kArithmetics) {
    if (Name(arithmetic) == name) return arithmetic;
  }
  return std::nullopt;
}

PeaksJson RateJson(const GpuRate& rate, const char* unit) {
  return {{"name", rate.name},
          {unit, rate.best_per_s},
          {"worst", rate.worst_per_s},
          {"what", rate.what}};
}

// Empty: not a rate in this unit.
std::optional<GpuRate> RateOf(const PeaksJson& json, const char* unit) {
  if (!json.is_object()) return std::nullopt;
  const auto best = MemberIn<double>(json, unit);
  const auto what = MemberIn<std::string>(json, "what");
  if (!best || !what || !(*best > 0) || !std::isfinite(*best)) return std::nullopt;
  return GpuRate{.name = MemberIn<std::string>(json, "name").value_or(""),
                 .best_per_s = *best,
                 .worst_per_s = MemberIn<double>(json, "worst").value_or(0),
                 .what = *what};
}

Result<GpuRate> ParseProduct(const PeaksJson& json, std::string_view origin) {
  std::optional<GpuRate> rate = RateOf(json, kFlopsPerS);
  if (!rate || rate->name.empty()) {
    return BrokenPeaks(origin,
                       "expected {name, flops_per_s, what}, got " + DumpJson(json));
  }
  if (!ArithmeticNamed(rate->name)) {
    return BrokenPeaks(origin, "unknown arithmetic: '" + rate->name + "'");
  }
  return *std::move(rate);
}

}  // namespace

std::string ToJson(const GpuPeaks& peaks) {
  PeaksJson json = {{"schema_version", kPeaksVersion},
                    {"device", peaks.device},
                    {"reason", OrNull(peaks.reason)},
                    {"arithmetic", PeaksJson::array()},
                    {"memory", nullptr},
                    {"dropped", peaks.left_out}};
  for (const GpuRate& rate : peaks.products) {
    json["arithmetic"].push_back(RateJson(rate, kFlopsPerS));
  }
  if (peaks.copy) json["memory"] = RateJson(*peaks.copy, kBytesPerS);
  return DumpJson(json, 1) + "\n";
}

Result<GpuPeaks> ParseGpuPeaks(std::string_view text, std::string_view origin) {
  auto json = ParseJson<PeaksJson>(text);
  const auto version =
      json.is_object() ? MemberIn<int64_t>(json, "schema_version") : std::nullopt;
  if (version.value_or(0) < 1 || *version > kPeaksVersion) {
    return BrokenPeaks(origin, "not measured ceilings of this version");
  }
  constexpr RenamedKey kRenamed[] = {{"why", "reason"}, {"left_out", "dropped"}};
  if (*version == 1) RenameKeys(json, kRenamed);
  GpuPeaks peaks;
  peaks.device = MemberIn<std::string>(json, "device").value_or("");
  peaks.reason = MemberIn<std::string>(json, "reason");
  const PeaksJson products = json.value("arithmetic", PeaksJson::array());
  if (!products.is_array()) return BrokenPeaks(origin, "arithmetic: expected a list");
  for (const PeaksJson& product : products) {
    RIDGELINE_TRY(GpuRate rate, ParseProduct(product, origin));
    peaks.products.push_back(std::move(rate));
  }
  const PeaksJson memory = json.value("memory", PeaksJson());
  if (!memory.is_null()) {
    peaks.copy = RateOf(memory, kBytesPerS);
    if (!peaks.copy) {
      return BrokenPeaks(origin,
                         "memory: expected {bytes_per_s, what}, got " + DumpJson(memory));
    }
  }
  for (const PeaksJson& reason : json.value("dropped", PeaksJson::array())) {
    if (reason.is_string()) peaks.left_out.push_back(reason.get<std::string>());
  }
  return peaks;
}

MeasuredCeilings CeilingsOf(const GpuPeaks& peaks) {
  MeasuredCeilings ceilings;
  for (const GpuRate& rate : peaks.products) {
    const std::optional<Arithmetic> arithmetic = ArithmeticNamed(rate.name);
    if (!arithmetic) continue;
    ceilings.peaks.push_back({*arithmetic, rate.best_per_s, rate.what});
  }
  if (peaks.copy) {
    ceilings.memory = MeasuredBandwidth{peaks.copy->best_per_s, peaks.copy->what};
  }
  return ceilings;
}

}  // namespace ridgeline::hardware
