#include "tests/ncu/as_reference.h"

#include <string>

#include "base/json.h"

namespace ridgeline::ncu_cases {
namespace {

using analysis::NcuKernel;
using analysis::NcuPrecision;
using results::NcuLaunch;
using results::NcuRows;

Json ShapeText(const std::optional<results::NcuShape>& shape) {
  if (!shape) return {};
  const auto& [x, y, z] = *shape;
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) +
         ")";
}

Json TextOrNull(std::string_view text) {
  return text.empty() ? Json() : Json(std::string(text));
}

// Numbers, or "" where the file has the column and no number.
Json Speedup(const results::NcuRule& rule) {
  if (!rule.speedup_kind) return {};
  return rule.speedup_percent ? Json(*rule.speedup_percent) : Json("");
}

Json Rules(const NcuRows& rows, const NcuLaunch& launch) {
  Json list = Json::array();
  for (const results::NcuRule& rule : launch.rules) {
    list.push_back({{"rule", rows.names.text(rule.name)},
                    {"type", rows.names.text(rule.kind)},
                    {"speedup", Speedup(rule)}});
  }
  return list;
}

// Null for none.
Json ByPrecision(const analysis::ByPrecision<std::optional<double>>& values) {
  Json json;
  for (const NcuPrecision precision : analysis::kNcuPrecisions) {
    if (values[precision]) json[std::string(NameOf(precision))] = *values[precision];
  }
  return json;
}

// Our points are those of launches that do FLOPs; the answers have the others as 0.
Json RooflineIntensity(const analysis::NcuLaunchFinding& finding) {
  Json intensity = Json::object();
  for (const NcuPrecision precision : analysis::kNcuPrecisions) {
    if (finding.kernel.roofline_flops_per_s[precision]) {
      intensity[std::string(NameOf(precision))] = 0.0;
    }
  }
  for (const analysis::NcuPoint& point : finding.points) {
    const std::string precision(NameOf(point.precision));
    if (point.level != analysis::MemoryLevel::kDram) continue;
    if (intensity.contains(precision)) intensity[precision] = point.flops_per_byte;
  }
  return intensity;
}

Json DramBytesSource(analysis::DramBytesSource source) {
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

void AddMeasured(const NcuKernel& kernel, Json& to) {
  to["duration_ns"] = OrNull(kernel.duration_ns);
  to["sm_throughput_pct"] = OrNull(kernel.sm_percent);
  to["memory_throughput_pct"] = OrNull(kernel.memory_percent);
  to["dram_throughput_pct"] = OrNull(kernel.dram_percent);
  to["achieved_occupancy_pct"] = OrNull(kernel.occupancy_percent);
  to["theoretical_occupancy_pct"] = OrNull(kernel.occupancy_theoretical_percent);
  to["l1_hit_pct"] = OrNull(kernel.l1_hit_percent);
  to["l2_hit_pct"] = OrNull(kernel.l2_hit_percent);
  to["dram_bytes_per_s"] = OrNull(kernel.dram_bytes_per_s);
  to["dram_read_bytes"] = OrNull(kernel.dram_read_bytes);
  to["dram_write_bytes"] = OrNull(kernel.dram_write_bytes);
  to["dram_bytes"] = OrNull(kernel.dram_bytes);
  to["dram_bytes_source"] = DramBytesSource(kernel.dram_bytes_source);
  to["registers_per_thread"] = OrNull(kernel.registers_per_thread);
  to["flops"] = ByPrecision(kernel.flops);
  to["roofline_flops_per_s"] = ByPrecision(kernel.roofline_flops_per_s);
}

}  // namespace

Json LaunchAsReference(const NcuRows& rows, const NcuLaunch& launch,
                       const analysis::NcuLaunchFinding& finding) {
  Json to = {{"id", launch.id ? Json(std::to_string(*launch.id)) : Json()},
             {"pid", std::to_string(launch.process_id)},
             {"name", rows.names.text(launch.kernel)},
             {"block", ShapeText(launch.block)},
             {"grid", ShapeText(launch.grid)},
             {"cc", TextOrNull(rows.names.text(launch.capability))}};
  AddMeasured(finding.kernel, to);
  if (!to["roofline_flops_per_s"].is_null() && finding.kernel.dram_bytes) {
    to["ai_from_roofline"] = RooflineIntensity(finding);
  }
  if (!launch.rules.empty()) to["rules"] = Rules(rows, launch);
  return to;
}

Json FileAsReference(const analysis::AnalyzedNcu& file) {
  const NcuRows& rows = file.rows;
  Json notes = Json::array();
  if (rows.has_byte_order_mark) notes.push_back("utf8-bom");
  if (rows.has_crlf) notes.push_back("crlf");
  if (rows.preamble_lines != 0) {
    notes.push_back(std::to_string(rows.preamble_lines) + " lines before header");
  }
  Json kernels = Json::array();
  for (size_t i = 0; i < rows.launches.size(); ++i) {
    kernels.push_back(
        LaunchAsReference(rows, rows.launches[i], file.findings.launches[i]));
  }
  return {{"form", NameOf(rows.form)},
          {"notes", notes},
          {"n_kernels", rows.launches.size()},
          {"total_duration_ns", file.findings.duration_total_ns},
          {"kernels", kernels}};
}

Json Comparable(Json answers) {
  if (!answers.contains("rules")) return answers;
  if (answers.at("rules").empty()) {
    answers.erase("rules");
    return answers;
  }
  for (Json& rule : answers.at("rules")) {
    Json& speedup = rule.at("speedup");
    if (speedup.is_string() && !speedup.get<std::string>().empty()) {
      speedup = std::stod(speedup.get<std::string>());
    }
  }
  return answers;
}

}  // namespace ridgeline::ncu_cases
