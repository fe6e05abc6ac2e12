#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/json.h"
#include "base/utf8.h"
#include "profiles/torch_trace/trace_builder.h"

namespace ridgeline::profiles::torch_trace {
namespace {

using results::TraceHeader;
using SortedJson = nlohmann::json;

std::optional<int64_t> IntegerOf(const SortedJson& json) {
  if (!json.is_number_integer()) return std::nullopt;
  if (json.is_number_unsigned() && json.get<uint64_t>() > INT64_MAX) return std::nullopt;
  return json.get<int64_t>();
}

std::optional<std::string> TextOf(const SortedJson& json) {
  if (!json.is_string()) return std::nullopt;
  return ReplaceBrokenUtf8(json.get_ref<const std::string&>());
}

SortedJson MemberOf(const SortedJson& json, const char* key) {
  return json.is_object() && json.contains(key) ? json.at(key) : SortedJson();
}

void ReadSchemaVersion(const SortedJson& json, TraceHeader& header) {
  header.schema_version = IntegerOf(json);
}

void ReadDisplayTimeUnit(const SortedJson& json, TraceHeader& header) {
  header.display_time_unit = TextOf(json);
}

void ReadTimeBase(const SortedJson& json, TraceHeader& header) {
  header.time_base_ns = IntegerOf(json);
}

// {"backend": "nccl", "rank": 0, "world_size": 8}; both may be missing or null.
void ReadDistributed(const SortedJson& json, TraceHeader& header) {
  header.rank = IntegerOf(MemberOf(json, "rank"));
  header.world_size = IntegerOf(MemberOf(json, "world_size"));
}

// [{"id": 0, "name": "NVIDIA H100 80GB HBM3", ...}, ...]
void ReadDevices(const SortedJson& json, TraceHeader& header) {
  header.gpu_names.clear();
  header.gpu_name_of_device.clear();
  header.gpus.clear();
  if (!json.is_array()) return;
  for (const SortedJson& device : json) {
    const std::optional<std::string> name = TextOf(MemberOf(device, "name"));
    if (!name) continue;
    header.gpu_names.push_back(*name);
    header.gpus.push_back(
        {.name = *name,
         .sm_count = IntegerOf(MemberOf(device, "numSms")),
         .memory_bytes = IntegerOf(MemberOf(device, "totalGlobalMem")),
         .capability_major = IntegerOf(MemberOf(device, "computeMajor")),
         .capability_minor = IntegerOf(MemberOf(device, "computeMinor"))});
    const std::optional<int64_t> id = IntegerOf(MemberOf(device, "id"));
    if (id) header.gpu_name_of_device[std::to_string(*id)] = *name;
  }
}

struct HeaderKey {
  std::string_view key;
  void (*read)(const SortedJson& json, TraceHeader& header);
};

constexpr HeaderKey kKeys[] = {
    {"schemaVersion", ReadSchemaVersion},  {"displayTimeUnit", ReadDisplayTimeUnit},
    {"baseTimeNanoseconds", ReadTimeBase}, {"distributedInfo", ReadDistributed},
    {"deviceProperties", ReadDevices},
};

}  // namespace

bool IsHeaderKey(std::string_view key) {
  for (const HeaderKey& known : kKeys) {
    if (known.key == key) return true;
  }
  return false;
}

void ReadHeaderValue(std::string_view key, std::string_view json, TraceHeader& header) {
  // Without exceptions; null if it is not JSON after all (Python's NaN).
  const SortedJson value = ParseJson<SortedJson>(json);
  for (const HeaderKey& known : kKeys) {
    if (known.key == key) known.read(value, header);
  }
}

}  // namespace ridgeline::profiles::torch_trace
