#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "hardware/ceilings.h"
#include "os/files.h"

namespace ridgeline::hardware {
namespace {

using CeilingsText = nlohmann::ordered_json;

constexpr int kCeilingsVersion = 1;
constexpr const char* kCpu = "cpu";
constexpr const char* kGpu = "gpu";

constexpr CeilingSource::Kind kSourceKinds[] = {
    CeilingSource::Kind::kUnknown, CeilingSource::Kind::kConfig,
    CeilingSource::Kind::kEnvironment, CeilingSource::Kind::kTable,
    CeilingSource::Kind::kMeasured};

CeilingsText SourceJson(const CeilingSource& source) {
  CeilingsText json = {{"kind", NameOf(source.kind)}, {"text", source.text}};
  if (source.rounds_ratio) json["rounds_ratio"] = *source.rounds_ratio;
  return json;
}

// Null: no such member, or not a string.
const std::string* TextIn(const CeilingsText& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() ? nullptr : found->get_ptr<const std::string*>();
}

bool ReadRate(const CeilingsText& json, const char* key, std::optional<double>& rate) {
  const auto found = json.find(key);
  if (found == json.end()) return false;
  if (found->is_null()) return true;
  if (!found->is_number()) return false;
  rate = found->get<double>();
  return std::isfinite(*rate) && *rate > 0;
}

bool ReadSource(const CeilingsText& json, const char* key, CeilingSource& source) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_object()) return false;
  const std::string* const kind = TextIn(*found, "kind");
  const std::string* const text = TextIn(*found, "text");
  if (kind == nullptr || text == nullptr) return false;
  const auto* const known =
      std::find_if(std::begin(kSourceKinds), std::end(kSourceKinds),
                   [kind](CeilingSource::Kind each) { return NameOf(each) == *kind; });
  if (known == std::end(kSourceKinds)) return false;
  source = {*known, *text};
  return !found->contains("rounds_ratio") ||
         ReadRate(*found, "rounds_ratio", source.rounds_ratio);
}

bool ReadArithmetic(const CeilingsText& json, Arithmetic& arithmetic) {
  const std::string* const name = TextIn(json, "arithmetic");
  for (const Arithmetic each : kArithmetics) {
    if (name == nullptr || Name(each) != *name) continue;
    arithmetic = each;
    return true;
  }
  return false;
}

bool ReadDevice(const CeilingsText& json, DeviceCeilings& ceilings) {
  const std::string* const device = TextIn(json, "device");
  const std::string* const kind = TextIn(json, "device_kind");
  if (device == nullptr || kind == nullptr || (*kind != kCpu && *kind != kGpu))
    return false;
  ceilings.device = *device;
  ceilings.kind = *kind == kCpu ? DeviceKind::kCpu : DeviceKind::kGpu;
  return true;
}

}  // namespace

std::string_view NameOf(CeilingSource::Kind kind) {
  switch (kind) {
    case CeilingSource::Kind::kUnknown:
      return "unknown";
    case CeilingSource::Kind::kConfig:
      return "config";
    case CeilingSource::Kind::kEnvironment:
      return "environment";
    case CeilingSource::Kind::kTable:
      return "table";
    case CeilingSource::Kind::kMeasured:
      return "measured";
  }
  return "";
}

std::string CeilingsJson(const DeviceCeilings& device) {
  const Ceilings& ceilings = device.ceilings;
  const CeilingsText json = {
      {"schema_version", kCeilingsVersion},
      {"device", device.device},
      {"device_kind", device.kind == DeviceKind::kCpu ? kCpu : kGpu},
      {"arithmetic", Name(ceilings.arithmetic)},
      {"peak_flops_per_s", OrNull(ceilings.compute_flops_per_s)},
      {"peak_flops_source", SourceJson(ceilings.peak_flops_source)},
      {"peak_bytes_per_s", OrNull(ceilings.memory_bytes_per_s)},
      {"peak_bandwidth_source", SourceJson(ceilings.peak_bandwidth_source)}};
  return DumpJson(json, 2) + "\n";
}

Result<DeviceCeilings> ParseCeilings(std::string_view text, std::string_view origin) {
  const auto json = ParseJson<CeilingsText>(text);
  const std::string file(origin);
  if (!json.is_object() || !json.contains("schema_version") ||
      !json["schema_version"].is_number_integer()) {
    return Error(ErrorCode::kParse, file + ": not a ceilings.json");
  }
  if (json["schema_version"].get<int64_t>() > kCeilingsVersion) {
    return Error(ErrorCode::kUnsupported,
                 file + ": written by a newer version of ridgeline");
  }
  DeviceCeilings device;
  Ceilings& ceilings = device.ceilings;
  const bool is_whole =
      ReadDevice(json, device) && ReadArithmetic(json, ceilings.arithmetic) &&
      ReadRate(json, "peak_flops_per_s", ceilings.compute_flops_per_s) &&
      ReadSource(json, "peak_flops_source", ceilings.peak_flops_source) &&
      ReadRate(json, "peak_bytes_per_s", ceilings.memory_bytes_per_s) &&
      ReadSource(json, "peak_bandwidth_source", ceilings.peak_bandwidth_source);
  if (is_whole) return device;
  return Error(ErrorCode::kParse, file + ": a key is missing or has an unexpected value");
}

Result<DeviceCeilings> CeilingsOfRun(const std::filesystem::path& file,
                                     const DeviceRequest& request,
                                     const CeilingSources& sources) {
  if (os::Exists(file)) {
    RIDGELINE_TRY(const std::string text, os::ReadFile(file));
    return ParseCeilings(text, file.string());
  }
  RIDGELINE_TRY(DeviceCeilings ceilings, CeilingsHere(request, sources));
  RIDGELINE_RETURN_IF_ERROR(os::WriteFileAtomically(file, CeilingsJson(ceilings)));
  return ceilings;
}

}  // namespace ridgeline::hardware
