// Devices, memory copies, API calls and launch latencies; filled by devices.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "report/field.h"

namespace ridgeline::report {

struct DeviceRow {
  std::string source, device;
  OptionalText model;
  int64_t activities = 0, streams = 0;
  double span_s = 0, busy_s = 0, busy_kernels_s = 0, idle_s = 0;
  int64_t idle_gaps = 0;
  double idle_gap_max_s = 0, compute_s = 0, memory_s = 0, exposed_copy_s = 0;
  double communication_s = 0, exposed_communication_s = 0;
  int64_t communication_kernels = 0;
  int64_t possible_communication_kernels =
      0;  // May be communication, by name; counted as compute.
  double possible_communication_s = 0;
  int64_t graphs = 0;
  double graphs_s = 0;
  // Without activities that have no matching API call.
  int64_t matched_activities = 0;
  double matched_span_s = 0, matched_busy_s = 0, matched_idle_s = 0;

  std::string label() const { return "GPU " + device; }
  static constexpr std::string_view kTable = "devices";
  static constexpr void Fields(auto visit) {
    using R = DeviceRow;
    visit(
        Field{"source", "Source", &R::source}, Field{"device", "GPU", &R::device},
        Field{"model", "Model", &R::model},
        Field{"activities", "Activities", &R::activities},
        Field{"streams", "Streams", &R::streams},
        Field{"span_s", "Span", &R::span_s, Unit::kSeconds},
        Field{"busy_s", "Busy", &R::busy_s, Unit::kSeconds},
        Field{"busy_kernels_s", "Busy with kernels", &R::busy_kernels_s, Unit::kSeconds},
        Field{"idle_s", "Idle", &R::idle_s, Unit::kSeconds},
        Field{"idle_gaps", "Idle gaps", &R::idle_gaps},
        Field{"idle_gap_max_s", "Longest gap", &R::idle_gap_max_s, Unit::kSeconds,
              "longest gap"},
        Field{"compute_s", "Compute", &R::compute_s, Unit::kSeconds},
        Field{"memory_s", "Copies", &R::memory_s, Unit::kSeconds, "copies"},
        Field{"exposed_copy_s", "Exposed copies", &R::exposed_copy_s, Unit::kSeconds,
              "exposed copies"},
        Field{"communication_s", "Communication", &R::communication_s, Unit::kSeconds},
        Field{"exposed_communication_s", "Exposed communication",
              &R::exposed_communication_s, Unit::kSeconds, "exposed communication"},
        Field{"communication_kernels", "Communication kernels",
              &R::communication_kernels},
        Field{"possible_communication_kernels", "Possible communication",
              &R::possible_communication_kernels},
        Field{"possible_communication_s", "Possible communication time",
              &R::possible_communication_s, Unit::kSeconds},
        Field{"graphs", "Graphs", &R::graphs},
        Field{"graphs_s", "Graph time", &R::graphs_s, Unit::kSeconds, "graph time"},
        Field{"matched_activities", "Matched", &R::matched_activities},
        Field{"matched_span_s", "Matched span", &R::matched_span_s, Unit::kSeconds},
        Field{"matched_busy_s", "Matched busy", &R::matched_busy_s, Unit::kSeconds},
        Field{"matched_idle_s", "Matched idle", &R::matched_idle_s, Unit::kSeconds});
  }
};

struct MemoryOpRow {
  std::string source, device, name;
  int64_t count = 0;
  double total_s = 0;
  OptionalInteger bytes;

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "memory_ops";
  static constexpr void Fields(auto visit) {
    using R = MemoryOpRow;
    visit(Field{"source", "Source", &R::source}, Field{"device", "GPU", &R::device},
          Field{"name", "Operation", &R::name}, Field{"count", "Count", &R::count},
          Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
          Field{"bytes", "Bytes", &R::bytes, Unit::kBytes});
  }
};

struct ApiRow {
  std::string source, kind, name;
  int64_t calls = 0;
  double total_s = 0, max_s = 0;

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "api_calls";
  static constexpr void Fields(auto visit) {
    using R = ApiRow;
    visit(Field{"source", "Source", &R::source}, Field{"kind", "Kind", &R::kind},
          Field{"name", "Call", &R::name}, Field{"calls", "Calls", &R::calls},
          Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
          Field{"max_s", "Max", &R::max_s, Unit::kSeconds});
  }
};

struct LaunchDelayRow {
  std::string source, measure;
  int64_t count = 0;
  double median_s = 0, mean_s = 0, min_s = 0, max_s = 0;

  // From the start of the call; the other measure begins at its end.
  bool is_start_to_start() const { return measure == "start_to_start"; }
  std::string label() const { return "launch latency"; }
  static constexpr std::string_view kTable = "launch_latency";
  static constexpr void Fields(auto visit) {
    using R = LaunchDelayRow;
    visit(Field{"source", "Source", &R::source}, Field{"measure", "Measure", &R::measure},
          Field{"count", "Count", &R::count},
          Field{"median_s", "Median", &R::median_s, Unit::kSeconds},
          Field{"mean_s", "Mean", &R::mean_s, Unit::kSeconds},
          Field{"min_s", "Min", &R::min_s, Unit::kSeconds},
          Field{"max_s", "Max", &R::max_s, Unit::kSeconds});
  }
};

}  // namespace ridgeline::report
