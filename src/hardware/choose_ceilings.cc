#include "hardware/choose_ceilings.h"

#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>
#include <variant>

#include "hardware/system_files.h"

namespace ridgeline::hardware {
namespace {

using Kind = CeilingSource::Kind;

constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;

struct Ceiling {
  std::optional<double> per_s;
  CeilingSource origin;
};

Error NotANumber(std::string_view key, std::string_view value) {
  return {ErrorCode::kConfig, std::string(key) + ": '" + std::string(value) +
                                  "' is not a finite number above 0"};
}

// The value in base units.
Result<Ceiling> Given(double value, double unit, Kind kind, const char* key) {
  const double per_s = value * unit;
  if (!(value > 0) || !std::isfinite(per_s))
    return NotANumber(key, std::to_string(value));
  return Ceiling{per_s, {kind, key}};
}

Result<Ceiling> FromVariable(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const std::from_chars_result parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(value)) {
    return NotANumber(kPeakTflopsVariable, text);
  }
  return Given(value, kTera, Kind::kEnvironment, kPeakTflopsVariable);
}

CeilingSource FromTable(const GpuSpec& ceiling) {
  return {Kind::kTable, std::string(ceiling.name) + ": " + std::string(ceiling.source)};
}

// How a peak that is not in the document is derived from its other numbers.
std::string HowDerived(const GpuSpec& ceiling, Arithmetic arithmetic, Peak::Basis basis) {
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

Ceiling NotKnown(std::string why) {
  return {std::nullopt, {Kind::kUnknown, std::move(why)}};
}

Ceiling NotKnown(const UnknownDevice& device) {
  return NotKnown(device.reason + "; " + device.advice);
}

Ceiling TableCompute(const DeviceMatch& match, Arithmetic arithmetic) {
  if (const auto* unknown = std::get_if<UnknownDevice>(&match)) return NotKnown(*unknown);
  const GpuSpec& ceiling = *std::get<KnownDevice>(match).ceiling;
  const std::variant<Peak, NoPeak> peak = PeakOf(ceiling, arithmetic);
  if (const auto* none = std::get_if<NoPeak>(&peak)) {
    return NotKnown(none->reason + "; set it with " + kPeakTflopsKey);
  }
  CeilingSource origin = FromTable(ceiling);
  origin.text += HowDerived(ceiling, arithmetic, std::get<Peak>(peak).basis);
  return {std::get<Peak>(peak).flops_per_s, std::move(origin)};
}

Ceiling TableMemory(const DeviceMatch& match) {
  if (const auto* unknown = std::get_if<UnknownDevice>(&match)) return NotKnown(*unknown);
  const GpuSpec& ceiling = *std::get<KnownDevice>(match).ceiling;
  if (!ceiling.memory_bytes_per_s) {
    return NotKnown("NVIDIA publishes no memory bandwidth for " +
                    std::string(ceiling.name) + "; set it with " + kPeakGbpsKey);
  }
  return {*ceiling.memory_bytes_per_s, FromTable(ceiling)};
}

Ceiling MeasuredCompute(const MeasuredCeilings& measured, Arithmetic arithmetic,
                        Ceiling otherwise) {
  if (const MeasuredPeak* peak = measured.PeakOf(arithmetic)) {
    return {peak->flops_per_s,
            {Kind::kMeasured, "measured: " + peak->text, peak->rounds_ratio}};
  }
  if (measured.why_no_peak.empty()) return otherwise;
  return NotKnown(measured.why_no_peak + ", not " + std::string(Name(arithmetic)) +
                  "; set it with " + kPeakTflopsKey);
}

Ceiling MeasuredMemory(const MeasuredCeilings& measured, Ceiling otherwise) {
  if (measured.memory) {
    return {measured.memory->bytes_per_s,
            {Kind::kMeasured, "measured: " + measured.memory->text,
             measured.memory->rounds_ratio}};
  }
  if (measured.why_no_memory.empty()) return otherwise;
  return NotKnown(measured.why_no_memory + "; set the bandwidth with " + kPeakGbpsKey);
}

// From the table, else from the measured ceilings.
Ceiling ComputeOfDevice(const std::optional<DeviceMatch>& match,
                        const std::optional<MeasuredCeilings>& measured,
                        Arithmetic arithmetic) {
  Ceiling ceiling =
      match ? TableCompute(*match, arithmetic)
            : NotKnown(std::string("not measured; set it with ") + kPeakTflopsKey);
  if (ceiling.per_s || !measured) return ceiling;
  return MeasuredCompute(*measured, arithmetic, std::move(ceiling));
}

Ceiling MemoryOfDevice(const std::optional<DeviceMatch>& match,
                       const std::optional<MeasuredCeilings>& measured) {
  Ceiling ceiling =
      match ? TableMemory(*match)
            : NotKnown(std::string("not measured; set it with ") + kPeakGbpsKey);
  if (ceiling.per_s || !measured) return ceiling;
  return MeasuredMemory(*measured, std::move(ceiling));
}

}  // namespace

Result<Ceilings> ChooseCeilings(const CeilingOverrides& overrides,
                                const std::optional<std::string>& peak_tflops_variable,
                                const std::optional<DeviceMatch>& match,
                                const std::optional<MeasuredCeilings>& measured,
                                Arithmetic arithmetic) {
  Ceiling compute = ComputeOfDevice(match, measured, arithmetic);
  Ceiling memory = MemoryOfDevice(match, measured);
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
  return Ceilings{.arithmetic = arithmetic,
                  .compute_flops_per_s = compute.per_s,
                  .peak_flops_source = std::move(compute.origin),
                  .memory_bytes_per_s = memory.per_s,
                  .peak_bandwidth_source = std::move(memory.origin)};
}

}  // namespace ridgeline::hardware
