// Phases compared with the roofline, and roofline charts; filled by roofline.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cost/roofline.h"
#include "report/field.h"

namespace ridgeline::report {

// Source of the FLOPs in a ledger.
inline constexpr std::string_view kClosedForm = "closed_form";
inline constexpr std::string_view kOperatorShapes = "operator_shapes";

// A phase of a model compared with the roofline of the device.
struct LedgerPhaseRow {
  std::string name;
  // Executed and useful matrix FLOPs, compulsory bytes. nullopt: exceeds 64 bits.
  std::optional<uint64_t> flops, flops_useful, bytes;
  double measured_s = 0;
  OptionalNumber roofline_s, roofline_slowdown;
  cost::BoundClass bound = cost::BoundClass::kUnknown;
  OptionalNumber mfu, mfu_useful, mbu;

  const std::string& label() const { return name; }
  // "prefill (excl. vision)"
  std::string LabelAmong(const std::vector<LedgerPhaseRow>& phases) const;
  static constexpr std::string_view kTable = "ledger/phases";
  static constexpr void Fields(auto visit) {
    using R = LedgerPhaseRow;
    visit(
        Field{"name", "Phase", &R::name},
        Field{"flops", "FLOPs, executed", &R::flops, Unit::kFlops, "executed FLOPs"},
        Field{"flops_useful", "FLOPs, useful", &R::flops_useful, Unit::kFlops,
              "useful FLOPs"},
        Field{"bytes", "Bytes, compulsory", &R::bytes, Unit::kBytes, "compulsory bytes"},
        Field{"measured_s", "Measured", &R::measured_s, Unit::kSeconds, "measured time"},
        Field{"roofline_s", "Roofline time", &R::roofline_s, Unit::kSeconds,
              "roofline time"},
        Field{"roofline_slowdown", "vs roofline", &R::roofline_slowdown, Unit::kFactor,
              "slowdown vs roofline"},
        Field{"bound", "Roofline limit", &R::bound},
        Field{"mfu", "MFU (executed FLOPs)", &R::mfu, Unit::kFraction,
              "MFU (executed FLOPs)"},
        Field{"mfu_useful", "MFU (useful FLOPs)", &R::mfu_useful, Unit::kFraction,
              "MFU (useful FLOPs)"},
        Field{"mbu", "MBU", &R::mbu, Unit::kFraction, "MBU"});
  }
};

// For the built-in model in closed form, with bytes; for a Python program the FLOPs of
// one call, without bytes.
struct LedgerRow {
  std::string flops_source{kClosedForm};
  std::string device;
  OptionalNumber compute_flops_per_s, memory_bytes_per_s;
  // Fastest round of a measured peak over the slowest.
  IfThere<double> peak_rounds_ratio, bandwidth_rounds_ratio;
  int64_t samples = 0;
  std::vector<LedgerPhaseRow> phases;

  const std::string& label() const { return device; }
  static constexpr std::string_view kTable = "ledger";
  static constexpr void Fields(auto visit) {
    using R = LedgerRow;
    visit(Field{"flops_source", "FLOPs from", &R::flops_source},
          Field{"device", "Device", &R::device},
          Field{"compute_flops_per_s", "Peak FLOP/s", &R::compute_flops_per_s,
                Unit::kFlopsPerS, "peak FLOP/s"},
          Field{"memory_bytes_per_s", "Peak bandwidth", &R::memory_bytes_per_s,
                Unit::kBytesPerS, "peak bandwidth"},
          Field{"peak_rounds_ratio", "Rounds differ", &R::peak_rounds_ratio,
                Unit::kFactor, "fastest over slowest round of the peak"},
          Field{"bandwidth_rounds_ratio", "Bandwidth rounds differ",
                &R::bandwidth_rounds_ratio, Unit::kFactor,
                "fastest over slowest round of the bandwidth"},
          Field{"samples", "n", &R::samples, Unit::kNone, "n"},
          Field{"phases", "Phases", &R::phases});
  }
};

// FLOPs of one call of a Python program, counted by static_analysis.
struct CallFlopsRow {
  std::string source, call;
  int64_t flops = 0;

  const std::string& label() const { return call; }
  static constexpr std::string_view kTable = "flops_per_call";
  static constexpr void Fields(auto visit) {
    using R = CallFlopsRow;
    visit(Field{"source", "Source", &R::source}, Field{"call", "Call", &R::call},
          Field{"flops", "FLOPs, executed", &R::flops, Unit::kFlops, "executed FLOPs"});
  }
};

struct ComputeCeilingRow {
  std::string name;
  double flops_per_s = 0;

  static constexpr void Fields(auto visit) {
    using R = ComputeCeilingRow;
    visit(Field{"name", "Ceiling", &R::name},
          Field{"flops_per_s", "Peak FLOP/s", &R::flops_per_s, Unit::kFlopsPerS});
  }
};

struct MemoryCeilingRow {
  std::string name;
  double bytes_per_s = 0;

  static constexpr void Fields(auto visit) {
    using R = MemoryCeilingRow;
    visit(Field{"name", "Ceiling", &R::name},
          Field{"bytes_per_s", "Peak bandwidth", &R::bytes_per_s, Unit::kBytesPerS});
  }
};

struct RooflinePointRow {
  std::string name, kind;  // Kind: "phase", "region", "kernel".
  OptionalText precision;
  std::string level = "dram";
  double flops_per_byte = 0, flops_per_s = 0;
  OptionalNumber roofline_fraction, time_s;

  static constexpr void Fields(auto visit) {
    using R = RooflinePointRow;
    visit(
        Field{"name", "Name", &R::name}, Field{"kind", "Kind", &R::kind},
        Field{"precision", "Precision", &R::precision},
        Field{"level", "Level", &R::level},
        Field{"flops_per_byte", "FLOP/byte", &R::flops_per_byte},
        Field{"flops_per_s", "FLOP/s", &R::flops_per_s, Unit::kFlopsPerS},
        Field{"roofline_fraction", "Of roofline", &R::roofline_fraction, Unit::kFraction},
        Field{"time_s", "Time", &R::time_s, Unit::kSeconds});
  }
};

// One chart.
struct RooflineRow {
  std::string source;
  OptionalText device;
  std::vector<ComputeCeilingRow> compute;
  std::vector<MemoryCeilingRow> memory;
  std::vector<RooflinePointRow> points;

  static constexpr std::string_view kTable = "roofline";
  static constexpr void Fields(auto visit) {
    using R = RooflineRow;
    visit(Field{"source", "Source", &R::source}, Field{"device", "Device", &R::device},
          Field{"compute", "Compute", &R::compute}, Field{"memory", "Memory", &R::memory},
          Field{"points", "Points", &R::points});
  }
};

}  // namespace ridgeline::report
