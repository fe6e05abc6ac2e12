// Kernels by name and kind; filled by kernels.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/kernel_kind.h"
#include "report/field.h"

namespace ridgeline::report {

// All launches of a kernel on one device. Shares are relative to all kernels of the
// source.
struct KernelRow {
  std::string source, device, name;
  std::string short_name;  // Readable; unique in the table, like the name.
  analysis::KernelKind kind = analysis::KernelKind::kOther;
  int64_t launches = 0;
  double total_s = 0, mean_s = 0, min_s = 0, max_s = 0;
  OptionalNumber share;

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "kernels";
  static constexpr void Fields(auto visit) {
    using R = KernelRow;
    visit(Field{"source", "Source", &R::source}, Field{"device", "GPU", &R::device},
          Field{"name", "Kernel", &R::name},
          Field{"short_name", "Kernel", &R::short_name}, Field{"kind", "Kind", &R::kind},
          Field{"launches", "Launches", &R::launches},
          Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
          Field{"mean_s", "Mean", &R::mean_s, Unit::kSeconds},
          Field{"min_s", "Min", &R::min_s, Unit::kSeconds},
          Field{"max_s", "Max", &R::max_s, Unit::kSeconds},
          Field{"share", "Share", &R::share, Unit::kFraction});
  }
};

struct KernelsTotalRow {
  int64_t kernels = 0, launches = 0;
  double total_s = 0;

  static constexpr std::string_view kTable = "kernels_total";
  static constexpr void Fields(auto visit) {
    using R = KernelsTotalRow;
    visit(Field{"kernels", "Kernels", &R::kernels},
          Field{"launches", "Launches", &R::launches},
          Field{"total_s", "Total", &R::total_s, Unit::kSeconds});
  }
};

// Kernels of one kind in one source.
struct KernelKindRow {
  std::string source;
  analysis::KernelKind kind = analysis::KernelKind::kOther;
  int64_t kernels = 0, launches = 0;
  double total_s = 0;
  OptionalNumber share;

  std::string label() const { return std::string(NameOf(kind)); }
  static constexpr std::string_view kTable = "kernel_kinds";
  static constexpr void Fields(auto visit) {
    using R = KernelKindRow;
    visit(Field{"source", "Source", &R::source}, Field{"kind", "Kind", &R::kind},
          Field{"kernels", "Kernels", &R::kernels},
          Field{"launches", "Launches", &R::launches},
          Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
          Field{"share", "Share", &R::share, Unit::kFraction});
  }
};

}  // namespace ridgeline::report
