// Operators by self time, and those without FLOPs; filled by operator_totals.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "report/field.h"

namespace ridgeline::report {

struct OperatorRow {
  std::string source, name;
  int64_t calls = 0;
  double self_s = 0, total_s = 0;
  OptionalNumber share;  // Relative to the self time of all operators of the source.
  OptionalNumber gpu_self_s;
  // For calls with FLOPs, including operators they called. nullopt: none.
  OptionalInteger flops, flops_useful, minimum_bytes;
  OptionalInteger flops_calls;  // Those with FLOPs.
  OptionalText flops_clock;     // "gpu" or "cpu"
  OptionalNumber flops_time_s, flops_per_s, flops_per_byte, mfu;

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "operators";
  static constexpr void Fields(auto visit) {
    using R = OperatorRow;
    visit(
        Field{"source", "Source", &R::source}, Field{"name", "Operator", &R::name},
        Field{"calls", "Calls", &R::calls},
        Field{"self_s", "Self", &R::self_s, Unit::kSeconds},
        Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
        Field{"share", "Share", &R::share, Unit::kFraction},
        Field{"gpu_self_s", "GPU self", &R::gpu_self_s, Unit::kSeconds, "GPU self time"},
        Field{"flops", "FLOPs", &R::flops, Unit::kFlops},
        Field{"flops_useful", "Useful FLOPs", &R::flops_useful, Unit::kFlops},
        Field{"minimum_bytes", "Minimum bytes", &R::minimum_bytes, Unit::kBytes},
        Field{"flops_calls", "Calls", &R::flops_calls},
        Field{"flops_clock", "Clock", &R::flops_clock},
        Field{"flops_time_s", "Kernel or CPU time", &R::flops_time_s, Unit::kSeconds},
        Field{"flops_per_s", "FLOP/s", &R::flops_per_s, Unit::kFlopsPerS},
        Field{"flops_per_byte", "FLOP/byte", &R::flops_per_byte, Unit::kNone,
              "arithmetic intensity"},
        Field{"mfu", "MFU", &R::mfu, Unit::kFraction, "MFU"});
  }
};

// Matrix work, judging by the name, without FLOPs.
struct UncountedOperatorRow {
  std::string source, name;
  int64_t calls = 0;
  std::string clock;
  double time_s = 0, share = 0;

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "operators_uncounted";
  static constexpr void Fields(auto visit) {
    using R = UncountedOperatorRow;
    visit(Field{"source", "Source", &R::source}, Field{"name", "Operator", &R::name},
          Field{"calls", "Calls", &R::calls}, Field{"clock", "Clock", &R::clock},
          Field{"time_s", "Time", &R::time_s, Unit::kSeconds},
          Field{"share", "Share", &R::share, Unit::kFraction});
  }
};

struct OperatorsTotalRow {
  int64_t operators = 0, calls = 0;
  double self_s = 0;

  static constexpr std::string_view kTable = "operators_total";
  static constexpr void Fields(auto visit) {
    using R = OperatorsTotalRow;
    visit(Field{"operators", "Operators", &R::operators},
          Field{"calls", "Calls", &R::calls},
          Field{"self_s", "Self", &R::self_s, Unit::kSeconds});
  }
};

}  // namespace ridgeline::report
