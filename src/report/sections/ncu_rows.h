// Launches profiled by ncu; filled by ncu.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/ncu_findings.h"
#include "report/field.h"

namespace ridgeline::report {

struct NcuRuleRow {
  std::string section, rule, kind, text;
  OptionalText speedup_kind;  // "global": of the runtime; "local": of a hardware unit.
  OptionalNumber speedup_percent;

  const std::string& label() const { return kind; }
  static constexpr void Fields(auto visit) {
    using R = NcuRuleRow;
    visit(Field{"section", "Section", &R::section}, Field{"rule", "Rule", &R::rule},
          Field{"kind", "Kind", &R::kind}, Field{"text", "Text", &R::text},
          Field{"speedup_kind", "Speedup of", &R::speedup_kind},
          Field{"speedup_percent", "Speedup", &R::speedup_percent, Unit::kPercent,
                "estimated speedup"});
  }
};

// FLOPs of a launch in one precision.
struct NcuFlopsRow {
  std::string precision;
  double flops = 0;

  static constexpr void Fields(auto visit) {
    using R = NcuFlopsRow;
    visit(Field{"precision", "Precision", &R::precision},
          Field{"flops", "FLOPs", &R::flops, Unit::kFlops});
  }
};

// A launch profiled by ncu.
struct NcuRow {
  std::string source, name, short_name, library;
  OptionalInteger launch, process_id;
  OptionalText device, capability, grid, block;
  OptionalNumber duration_s;
  analysis::Bottleneck kernel_class = analysis::Bottleneck::kUnknown;
  OptionalNumber sm_percent, memory_percent, dram_percent;
  OptionalNumber tensor_percent, occupancy_percent, occupancy_theoretical_percent;
  OptionalNumber l1_percent, l2_percent, l1_hit_percent, l2_hit_percent;
  OptionalNumber registers_per_thread, waves_per_sm;
  OptionalNumber dram_bytes_per_s, dram_read_bytes, dram_write_bytes, dram_bytes;
  OptionalNumber l2_bytes, l1_bytes;
  OptionalNumber flops_per_byte;  // Of all precisions, over DRAM bytes.
  std::vector<NcuFlopsRow> flops;
  std::vector<NcuRuleRow> rules;

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "ncu";
  static constexpr void Fields(auto visit) {
    using R = NcuRow;
    visit(Field{"source", "Source", &R::source}, Field{"name", "Kernel", &R::name},
          Field{"short_name", "Kernel", &R::short_name},
          Field{"library", "Library", &R::library}, Field{"launch", "Launch", &R::launch},
          Field{"process_id", "Process", &R::process_id},
          Field{"device", "GPU", &R::device},
          Field{"capability", "Compute capability", &R::capability},
          Field{"grid", "Grid", &R::grid}, Field{"block", "Block", &R::block},
          Field{"duration_s", "Duration", &R::duration_s, Unit::kSeconds},
          Field{"class", "Class", &R::kernel_class},
          Field{"sm_percent", "SM", &R::sm_percent, Unit::kPercent, "SM throughput"},
          Field{"memory_percent", "Memory", &R::memory_percent, Unit::kPercent,
                "memory throughput"},
          Field{"dram_percent", "DRAM", &R::dram_percent, Unit::kPercent,
                "DRAM throughput"},
          Field{"tensor_percent", "Tensor", &R::tensor_percent, Unit::kPercent,
                "tensor throughput"},
          Field{"occupancy_percent", "Occupancy", &R::occupancy_percent, Unit::kPercent,
                "achieved occupancy"},
          Field{"occupancy_theoretical_percent", "Theoretical occupancy",
                &R::occupancy_theoretical_percent, Unit::kPercent},
          Field{"l1_percent", "L1", &R::l1_percent, Unit::kPercent, "L1 throughput"},
          Field{"l2_percent", "L2", &R::l2_percent, Unit::kPercent, "L2 throughput"},
          Field{"l1_hit_percent", "L1 hit", &R::l1_hit_percent, Unit::kPercent},
          Field{"l2_hit_percent", "L2 hit", &R::l2_hit_percent, Unit::kPercent},
          Field{"registers_per_thread", "Registers", &R::registers_per_thread},
          Field{"waves_per_sm", "Waves/SM", &R::waves_per_sm},
          Field{"dram_bytes_per_s", "DRAM bandwidth", &R::dram_bytes_per_s,
                Unit::kBytesPerS},
          Field{"dram_read_bytes", "DRAM reads", &R::dram_read_bytes, Unit::kBytes},
          Field{"dram_write_bytes", "DRAM writes", &R::dram_write_bytes, Unit::kBytes},
          Field{"dram_bytes", "DRAM bytes", &R::dram_bytes, Unit::kBytes},
          Field{"l2_bytes", "L2 bytes", &R::l2_bytes, Unit::kBytes},
          Field{"l1_bytes", "L1 bytes", &R::l1_bytes, Unit::kBytes},
          Field{"flops_per_byte", "FLOP/byte", &R::flops_per_byte},
          Field{"flops", "FLOPs", &R::flops}, Field{"rules", "Rules", &R::rules});
  }
};

// All profiled launches of a kernel. Percentages are means, weighted by time; the class
// is the one with the most time.
struct NcuKernelRow {
  std::string source, name, short_name;
  int64_t launches = 0;
  OptionalNumber total_s, mean_s, min_s, max_s;
  OptionalNumber share;  // Relative to the profiled time of the source.
  analysis::Bottleneck kernel_class = analysis::Bottleneck::kUnknown;
  OptionalNumber sm_percent, memory_percent, dram_percent, occupancy_percent;

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "ncu_kernels";
  static constexpr void Fields(auto visit) {
    using R = NcuKernelRow;
    visit(Field{"source", "Source", &R::source}, Field{"name", "Kernel", &R::name},
          Field{"short_name", "Kernel", &R::short_name},
          Field{"launches", "Launches", &R::launches},
          Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
          Field{"mean_s", "Mean", &R::mean_s, Unit::kSeconds},
          Field{"min_s", "Min", &R::min_s, Unit::kSeconds},
          Field{"max_s", "Max", &R::max_s, Unit::kSeconds},
          Field{"share", "Share", &R::share, Unit::kFraction},
          Field{"class", "Class", &R::kernel_class},
          Field{"sm_percent", "SM", &R::sm_percent, Unit::kPercent, "SM throughput"},
          Field{"memory_percent", "Memory", &R::memory_percent, Unit::kPercent,
                "memory throughput"},
          Field{"dram_percent", "DRAM", &R::dram_percent, Unit::kPercent,
                "DRAM throughput"},
          Field{"occupancy_percent", "Occupancy", &R::occupancy_percent, Unit::kPercent,
                "achieved occupancy"});
  }
};

}  // namespace ridgeline::report
