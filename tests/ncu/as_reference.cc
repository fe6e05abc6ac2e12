#include "tests/ncu/as_reference.h"

#include <string>
#include <utility>
#include <vector>

namespace ridgeline::ncu_cases {
namespace {

Json ShapeText(const Json& shape) {
  if (shape.is_null()) return {};
  return "(" + shape[0].dump() + ", " + shape[1].dump() + ", " + shape[2].dump() + ")";
}

Json Text(const Json& number) { return number.is_null() ? Json() : Json(number.dump()); }

Json OrNull(const Json& object) { return object.empty() ? Json() : object; }

// Numbers, or "" where the file has the column and no number.
Json Speedup(const Json& rule) {
  if (rule.at("speedup_kind").is_null()) return {};
  const Json& percent = rule.at("speedup_percent");
  return percent.is_null() ? Json("") : percent;
}

Json Rules(const Json& rules) {
  Json list = Json::array();
  for (const Json& rule : rules) {
    list.push_back({{"rule", rule.at("rule")},
                    {"type", rule.at("kind")},
                    {"speedup", Speedup(rule)}});
  }
  return list;
}

// Our points are those of launches that do FLOPs; the answers have the others as 0.
Json RooflineIntensity(const Json& launch) {
  Json intensity = Json::object();
  for (const auto& [precision, rate] : launch.at("roofline_flops_per_s").items()) {
    intensity[precision] = 0.0;
  }
  for (const Json& point : launch.at("roofline")) {
    const std::string precision = point.at("precision");
    if (point.at("memory") != "dram" || !intensity.contains(precision)) continue;
    intensity[precision] = point.at("flops_per_byte");
  }
  return intensity;
}

}  // namespace

Json LaunchAsReference(const Json& launch) {
  Json to = {
      {"id", Text(launch.at("launch"))},      {"pid", Text(launch.at("process_id"))},
      {"name", launch.at("kernel")},          {"block", ShapeText(launch.at("block"))},
      {"grid", ShapeText(launch.at("grid"))}, {"cc", launch.at("capability")}};
  const std::vector<std::pair<const char*, const char*>> same = {
      {"duration_ns", "duration_ns"},
      {"sm_percent", "sm_throughput_pct"},
      {"memory_percent", "memory_throughput_pct"},
      {"dram_percent", "dram_throughput_pct"},
      {"occupancy_percent", "achieved_occupancy_pct"},
      {"occupancy_theoretical_percent", "theoretical_occupancy_pct"},
      {"l1_hit_percent", "l1_hit_pct"},
      {"l2_hit_percent", "l2_hit_pct"},
      {"dram_bytes_per_s", "dram_bytes_per_s"},
      {"dram_read_bytes", "dram_read_bytes"},
      {"dram_write_bytes", "dram_write_bytes"},
      {"dram_bytes", "dram_bytes"},
      {"dram_bytes_source", "dram_bytes_source"},
      {"registers_per_thread", "registers_per_thread"},
  };
  for (const auto& [ours, theirs] : same) to[theirs] = launch.at(ours);
  to["flops"] = OrNull(launch.at("flops"));
  to["roofline_flops_per_s"] = OrNull(launch.at("roofline_flops_per_s"));
  if (!to["roofline_flops_per_s"].is_null() && !to["dram_bytes"].is_null()) {
    to["ai_from_roofline"] = RooflineIntensity(launch);
  }
  if (!launch.at("rules").empty()) to["rules"] = Rules(launch.at("rules"));
  return to;
}

Json FileAsReference(const Json& file) {
  Json notes = Json::array();
  if (file.at("byte_order_mark")) notes.push_back("utf8-bom");
  if (file.at("crlf")) notes.push_back("crlf");
  if (file.at("preamble_lines") != 0) {
    notes.push_back(file.at("preamble_lines").dump() + " lines before header");
  }
  Json kernels = Json::array();
  for (const Json& launch : file.at("first_launches")) {
    kernels.push_back(LaunchAsReference(launch));
  }
  return {{"form", file.at("form")},
          {"notes", notes},
          {"n_kernels", file.at("launches")},
          {"total_duration_ns", file.at("duration_total_ns")},
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
