// Regions: NVTX ranges, and annotations of PyTorch traces; filled by regions.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "report/field.h"

namespace ridgeline::report {

enum class Clock : uint8_t { kCpu, kGpu };
std::string_view NameOf(Clock clock);  // "cpu"

// Durations of individual instances of a region.
struct InstanceRow {
  Clock clock = Clock::kCpu;
  double min_s = 0, median_s = 0, p99_s = 0, max_s = 0;

  static constexpr void Fields(auto visit) {
    using R = InstanceRow;
    visit(Field{"clock", "Clock", &R::clock},
          Field{"min_s", "Min per instance", &R::min_s, Unit::kSeconds},
          Field{"median_s", "Median per instance", &R::median_s, Unit::kSeconds},
          Field{"p99_s", "p99 per instance", &R::p99_s, Unit::kSeconds},
          Field{"max_s", "Max per instance", &R::max_s, Unit::kSeconds});
  }
};

// A region with a known cost in closed form.
struct RegionRooflineRow {
  std::string clock;
  double flops_per_s = 0, bytes_per_s = 0;
  OptionalNumber roofline_slowdown;

  static constexpr void Fields(auto visit) {
    using R = RegionRooflineRow;
    visit(Field{"clock", "Clock", &R::clock},
          Field{"flops_per_s", "FLOP/s (executed)", &R::flops_per_s, Unit::kFlopsPerS},
          Field{"bytes_per_s", "Bytes/s (compulsory)", &R::bytes_per_s, Unit::kBytesPerS},
          Field{"roofline_slowdown", "vs roofline", &R::roofline_slowdown, Unit::kFactor,
                "slowdown vs roofline"});
  }
};

struct RegionRow {
  std::string source, path, kind;
  int64_t instances = 0;
  double cpu_s = 0;
  int64_t launches = 0;
  double gpu_s = 0, gpu_exclusive_s = 0;
  OptionalNumber gpu_span_s, gpu_idle_s;  // nullopt: launched nothing.
  OptionalInteger memcpy_bytes;           // nullopt: not known by region.
  std::optional<InstanceRow> per_instance;
  IfThere<RegionRooflineRow> roofline;
  // For PyTorch traces, inclusive.
  OptionalInteger operators;
  OptionalNumber cpu_self_s;
  OptionalInteger flops;
  OptionalNumber flops_per_s, mfu;

  bool is_unattributed() const { return kind == "unattributed"; }
  bool is_annotation() const { return kind == "annotation"; }
  const std::string& label() const { return path; }
  static constexpr std::string_view kTable = "regions";
  static constexpr void Fields(auto visit) {
    using R = RegionRow;
    visit(
        Field{"source", "Source", &R::source}, Field{"path", "Region", &R::path},
        Field{"kind", "Kind", &R::kind}, Field{"instances", "Instances", &R::instances},
        Field{"cpu_s", "Duration (CPU)", &R::cpu_s, Unit::kSeconds,
              "duration on the CPU"},
        Field{"launches", "Launches (kernels, graphs)", &R::launches},
        Field{"gpu_s", "GPU time", &R::gpu_s, Unit::kSeconds, "GPU time"},
        Field{"gpu_exclusive_s", "GPU self", &R::gpu_exclusive_s, Unit::kSeconds,
              "self time on the GPU"},
        Field{"gpu_span_s", "GPU span", &R::gpu_span_s, Unit::kSeconds, "GPU span"},
        Field{"gpu_idle_s", "GPU idle", &R::gpu_idle_s, Unit::kSeconds, "GPU idle time"},
        Field{"memcpy_bytes", "Copied bytes", &R::memcpy_bytes, Unit::kBytes},
        Field{"per_instance", "Per instance", &R::per_instance},
        Field{"roofline", "Roofline", &R::roofline},
        Field{"operators", "Operators", &R::operators},
        Field{"cpu_self_s", "Self (CPU)", &R::cpu_self_s, Unit::kSeconds,
              "self time on the CPU"},
        Field{"flops", "FLOPs", &R::flops, Unit::kFlops},
        Field{"flops_per_s", "FLOP/s", &R::flops_per_s, Unit::kFlopsPerS},
        Field{"mfu", "MFU", &R::mfu, Unit::kFraction, "MFU"});
  }
};

}  // namespace ridgeline::report
