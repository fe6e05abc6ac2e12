// Operators by self time; filled by operator_totals.cc.
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
  OptionalNumber share;  // Of the self time of all operators of the source.

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "operators";
  static constexpr void Fields(auto visit) {
    using R = OperatorRow;
    visit(Field{"source", "Source", &R::source}, Field{"name", "Operator", &R::name},
          Field{"calls", "Calls", &R::calls},
          Field{"self_s", "Self", &R::self_s, Unit::kSeconds},
          Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
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
