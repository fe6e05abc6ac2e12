#include "app/analyze/ncu_json.h"

#include "base/json.h"

namespace ridgeline::app {
namespace {

using analysis::NcuKernel;
using analysis::NcuPoint;
using analysis::NcuPrecision;
using results::NcuLaunch;
using results::NcuRows;
using Json = nlohmann::ordered_json;

Json ShapeJson(const std::optional<results::NcuShape>& shape) {
  if (!shape) return {};
  return Json::array({(*shape)[0], (*shape)[1], (*shape)[2]});
}

Json TextOrNull(std::string_view text) {
  return text.empty() ? Json() : Json(std::string(text));
}

Json ByPrecisionJson(const analysis::ByPrecision<std::optional<double>>& values) {
  Json json = Json::object();
  for (const NcuPrecision precision : analysis::kNcuPrecisions) {
    if (values[precision]) json[std::string(NameOf(precision))] = *values[precision];
  }
  return json;
}

Json DramBytesJson(analysis::DramBytesSource source) {
  switch (source) {
    case analysis::DramBytesSource::kNone:
      return {};
    case analysis::DramBytesSource::kCounters:
      return "counters";
    case analysis::DramBytesSource::kThroughputTimesTime:
      return "throughput*duration";
  }
  return {};
}

Json PointsJson(const std::vector<NcuPoint>& points) {
  Json list = Json::array();
  for (const NcuPoint& point : points) {
    list.push_back({{"precision", NameOf(point.precision)},
                    {"memory", NameOf(point.level)},
                    {"flops_per_byte", point.flops_per_byte},
                    {"flops_per_s", point.flops_per_s},
                    {"peak_fraction", OrNull(point.share_of_peak)},
                    {"roofline_fraction", OrNull(point.share_of_ceiling)}});
  }
  return list;
}

Json RulesJson(const NcuRows& rows, const NcuLaunch& launch) {
  Json list = Json::array();
  for (const results::NcuRule& rule : launch.rules) {
    list.push_back(
        {{"section", rows.names.text(rule.section)},
         {"rule", rows.names.text(rule.name)},
         {"kind", rows.names.text(rule.kind)},
         {"text", rows.names.text(rule.text)},
         {"speedup_kind",
          rule.speedup_kind ? Json(rows.names.text(*rule.speedup_kind)) : Json()},
         {"speedup_percent", OrNull(rule.speedup_percent)}});
  }
  return list;
}

void AddMeasured(const NcuKernel& kernel, Json& json) {
  json["duration_ns"] = OrNull(kernel.duration_ns);
  json["sm_percent"] = OrNull(kernel.sm_percent);
  json["memory_percent"] = OrNull(kernel.memory_percent);
  json["dram_percent"] = OrNull(kernel.dram_percent);
  json["l1_percent"] = OrNull(kernel.l1_percent);
  json["l2_percent"] = OrNull(kernel.l2_percent);
  json["tensor_percent"] = OrNull(kernel.tensor_percent);
  json["occupancy_percent"] = OrNull(kernel.occupancy_percent);
  json["occupancy_theoretical_percent"] = OrNull(kernel.occupancy_theoretical_percent);
  json["l1_hit_percent"] = OrNull(kernel.l1_hit_percent);
  json["l2_hit_percent"] = OrNull(kernel.l2_hit_percent);
  json["registers_per_thread"] = OrNull(kernel.registers_per_thread);
  json["waves_per_sm"] = OrNull(kernel.waves_per_sm);
  json["dram_bytes_per_s"] = OrNull(kernel.dram_bytes_per_s);
  json["dram_read_bytes"] = OrNull(kernel.dram_read_bytes);
  json["dram_write_bytes"] = OrNull(kernel.dram_write_bytes);
  json["dram_bytes"] = OrNull(kernel.dram_bytes);
  json["dram_bytes_source"] = DramBytesJson(kernel.dram_bytes_source);
  json["l2_bytes"] = OrNull(kernel.l2_bytes);
  json["l1_bytes"] = OrNull(kernel.l1_bytes);
  json["flops"] = ByPrecisionJson(kernel.flops);
  json["roofline_flops_per_s"] = ByPrecisionJson(kernel.roofline_flops_per_s);
}

Json CeilingsJson(const analysis::NcuDevice& device) {
  Json memory = Json::object();
  for (const analysis::MemoryLevel level : analysis::kMemoryLevels) {
    const auto& rate = device.ceilings.Of(level);
    if (rate) memory[std::string(NameOf(level))] = *rate;
  }
  return {{"flops_per_s", ByPrecisionJson(device.ceilings.flops_per_s)},
          {"bytes_per_s", std::move(memory)},
          {"ridge_flops_per_byte", OrNull(device.ridge_flops_per_byte)}};
}

}  // namespace

Json NcuLaunchJson(const NcuRows& rows, size_t index,
                   const analysis::NcuFindings& findings) {
  const NcuLaunch& launch = rows.launches[index];
  const analysis::NcuLaunchFinding& finding = findings.launches[index];
  Json json = {{"launch", OrNull(launch.id)},
               {"process_id", launch.process_id},
               {"kernel", rows.names.text(launch.kernel)},
               {"library", finding.identity.library},
               {"name", finding.identity.name},
               {"class", NameOf(finding.kernel_class)},
               {"gpu", TextOrNull(findings.devices[finding.device].name)},
               {"device", TextOrNull(rows.names.text(launch.device))},
               {"capability", TextOrNull(rows.names.text(launch.capability))},
               {"grid", ShapeJson(launch.grid)},
               {"block", ShapeJson(launch.block)}};
  AddMeasured(finding.kernel, json);
  json["roofline"] = PointsJson(finding.points);
  json["rules"] = RulesJson(rows, launch);
  return json;
}

Json NcuTotalsJson(const analysis::NcuFindings& findings) {
  Json classes = Json::object();
  for (const analysis::ClassCount& count : findings.classes) {
    classes[std::string(NameOf(count.kernel_class))] = {
        {"launches", count.launches}, {"duration_ns", count.duration_ns}};
  }
  Json gpus = Json::array();
  for (const analysis::NcuDevice& device : findings.devices) {
    gpus.push_back(
        {{"name", TextOrNull(device.name)}, {"ceilings", CeilingsJson(device)}});
  }
  const bool is_one = gpus.size() == 1;
  return {{"gpu", is_one ? gpus[0]["name"] : Json()},
          {"launches", findings.launches.size()},
          {"duration_total_ns", findings.duration_total_ns},
          {"classes", std::move(classes)},
          {"ceilings", is_one ? gpus[0]["ceilings"] : Json()},
          {"gpus", std::move(gpus)}};
}

Json DroppedJson(const results::DropCounts& dropped) {
  Json list = Json::array();
  for (size_t i = 0; i < results::DropReasonTexts().size(); ++i) {
    const auto counter = static_cast<results::DropReason>(i);
    if (dropped.Get(counter) == 0) continue;
    list.push_back({{"name", TextOf(counter).name},
                    {"count", dropped.Get(counter)},
                    {"reason", TextOf(counter).sentence}});
  }
  return list;
}

}  // namespace ridgeline::app
