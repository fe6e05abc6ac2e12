#include "hardware/roofs.h"

#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>
#include <variant>

#include "hardware/system_files.h"

namespace ridgeline::hardware {
namespace {

using Kind = RoofOrigin::Kind;

constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;

struct Roof {
  std::optional<double> per_s;
  RoofOrigin origin;
};

Error NotANumber(std::string_view key, std::string_view value) {
  return {ErrorCode::kConfig, std::string(key) + ": '" + std::string(value) +
                                  "' is not a finite number above 0"};
}

// The value in base units.
Result<Roof> Given(double value, double unit, Kind kind, const char* key) {
  const double per_s = value * unit;
  if (!(value > 0) || !std::isfinite(per_s))
    return NotANumber(key, std::to_string(value));
  return Roof{per_s, {kind, key}};
}

Result<Roof> FromVariable(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const std::from_chars_result parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(value)) {
    return NotANumber(kPeakTflopsVariable, text);
  }
  return Given(value, kTera, Kind::kEnvironment, kPeakTflopsVariable);
}

RoofOrigin FromTable(const Ceiling& ceiling) {
  return {Kind::kTable, std::string(ceiling.name) + ": " + std::string(ceiling.source)};
}

// How a peak that the document does not print follows from its other numbers.
std::string HowDerived(const Ceiling& ceiling, Arithmetic arithmetic, Peak::Basis basis) {
  const bool is_printed = ceiling.published_tflops.Of(arithmetic).has_value() ||
                          ceiling.published_sparse_tflops.Of(arithmetic).has_value();
  switch (basis) {
    case Peak::Basis::kDerived:
      return is_printed ? "" : "; SMs x FLOP/clock/SM x boost clock";
    case Peak::Basis::kPublished:
      return "";
    case Peak::Basis::kPublishedSparse:
      return "; half of the peak with sparsity";
  }
  return "";
}

Roof NotKnown(std::string why) {
  return {std::nullopt, {Kind::kUnknown, std::move(why)}};
}

Roof NotKnown(const UnknownDevice& device) {
  return NotKnown(device.reason + "; " + device.advice);
}

Roof TableCompute(const DeviceMatch& match, Arithmetic arithmetic) {
  if (const auto* unknown = std::get_if<UnknownDevice>(&match)) return NotKnown(*unknown);
  const Ceiling& ceiling = *std::get<KnownDevice>(match).ceiling;
  const std::variant<Peak, NoPeak> peak = PeakOf(ceiling, arithmetic);
  if (const auto* none = std::get_if<NoPeak>(&peak)) {
    return NotKnown(none->reason + "; set it with " + kPeakTflopsKey);
  }
  RoofOrigin origin = FromTable(ceiling);
  origin.text += HowDerived(ceiling, arithmetic, std::get<Peak>(peak).basis);
  return {std::get<Peak>(peak).flops_per_s, std::move(origin)};
}

Roof TableMemory(const DeviceMatch& match) {
  if (const auto* unknown = std::get_if<UnknownDevice>(&match)) return NotKnown(*unknown);
  const Ceiling& ceiling = *std::get<KnownDevice>(match).ceiling;
  if (!ceiling.memory_bytes_per_s) {
    return NotKnown("NVIDIA publishes no memory bandwidth for " +
                    std::string(ceiling.name) + "; set it with " + kPeakGbpsKey);
  }
  return {*ceiling.memory_bytes_per_s, FromTable(ceiling)};
}

Roof MeasuredCompute(const MeasuredCeilings& measured, Arithmetic arithmetic,
                     Roof otherwise) {
  if (const MeasuredPeak* peak = measured.PeakOf(arithmetic)) {
    return {peak->flops_per_s, {Kind::kMeasured, "measured: " + peak->text}};
  }
  if (measured.why_no_peak.empty()) return otherwise;
  return NotKnown(measured.why_no_peak + ", not " + std::string(Name(arithmetic)) +
                  "; set it with " + kPeakTflopsKey);
}

Roof MeasuredMemory(const MeasuredCeilings& measured, Roof otherwise) {
  if (measured.memory) {
    return {measured.memory->bytes_per_s,
            {Kind::kMeasured, "measured: " + measured.memory->text}};
  }
  if (measured.why_no_memory.empty()) return otherwise;
  return NotKnown(measured.why_no_memory + "; set the bandwidth with " + kPeakGbpsKey);
}

// The table first, then the measured ceilings.
Roof ComputeOfDevice(const std::optional<DeviceMatch>& match,
                     const std::optional<MeasuredCeilings>& measured,
                     Arithmetic arithmetic) {
  Roof roof = match
                  ? TableCompute(*match, arithmetic)
                  : NotKnown(std::string("not measured; set it with ") + kPeakTflopsKey);
  if (roof.per_s || !measured) return roof;
  return MeasuredCompute(*measured, arithmetic, std::move(roof));
}

Roof MemoryOfDevice(const std::optional<DeviceMatch>& match,
                    const std::optional<MeasuredCeilings>& measured) {
  Roof roof = match ? TableMemory(*match)
                    : NotKnown(std::string("not measured; set it with ") + kPeakGbpsKey);
  if (roof.per_s || !measured) return roof;
  return MeasuredMemory(*measured, std::move(roof));
}

}  // namespace

Result<Roofs> ChooseRoofs(const RoofOverrides& overrides,
                          const std::optional<std::string>& peak_tflops_variable,
                          const std::optional<DeviceMatch>& match,
                          const std::optional<MeasuredCeilings>& measured,
                          Arithmetic arithmetic) {
  Roof compute = ComputeOfDevice(match, measured, arithmetic);
  Roof memory = MemoryOfDevice(match, measured);
  const std::string_view variable =
      peak_tflops_variable ? Trimmed(*peak_tflops_variable) : std::string_view();
  if (overrides.peak_tflops) {
    RIDGELINE_TRY(compute,
                  Given(*overrides.peak_tflops, kTera, Kind::kConfig, kPeakTflopsKey));
  } else if (!variable.empty()) {
    RIDGELINE_TRY(compute, FromVariable(variable));
  }
  if (overrides.peak_gbps) {
    RIDGELINE_TRY(memory,
                  Given(*overrides.peak_gbps, kGiga, Kind::kConfig, kPeakGbpsKey));
  }
  return Roofs{.arithmetic = arithmetic,
               .compute_flops_per_s = compute.per_s,
               .peak_flops_source = std::move(compute.origin),
               .memory_bytes_per_s = memory.per_s,
               .peak_bandwidth_source = std::move(memory.origin)};
}

}  // namespace ridgeline::hardware
