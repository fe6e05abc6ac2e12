// Memory of the model and its processes; filled by memory.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/field.h"

namespace ridgeline::report {

struct ActivationPeakRow {
  std::string phase;
  OptionalInteger bytes;

  const std::string& label() const { return phase; }
  static constexpr std::string_view kTable = "memory/activation_peaks";
  static constexpr void Fields(auto visit) {
    using R = ActivationPeakRow;
    visit(Field{"phase", "Phase", &R::phase},
          Field{"bytes", "Bytes", &R::bytes, Unit::kBytes, "peak activations"});
  }
};

struct PeakRssRow {
  std::string source;  // "direct_inference: workload"
  int64_t bytes = 0;

  static constexpr std::string_view kTable = "memory/peak_rss";
  static constexpr void Fields(auto visit) {
    using R = PeakRssRow;
    visit(Field{"source", "Process", &R::source},
          Field{"bytes", "Bytes", &R::bytes, Unit::kBytes, "peak RSS"});
  }
};

struct OperatorMemoryRow {
  std::string name;
  int64_t self_bytes = 0;

  static constexpr void Fields(auto visit) {
    using R = OperatorMemoryRow;
    visit(Field{"name", "Operator", &R::name},
          Field{"self_bytes", "Self", &R::self_bytes, Unit::kBytes});
  }
};

struct MemoryRow {
  OptionalInteger parameters, weights_read_bytes, kv_cache_bytes;
  std::vector<ActivationPeakRow> activation_peaks;
  std::vector<PeakRssRow> peak_rss;
  OptionalInteger host_memory_bytes;
  std::vector<OperatorMemoryRow> operators;

  static constexpr std::string_view kTable = "memory";
  static constexpr void Fields(auto visit) {
    using R = MemoryRow;
    visit(
        Field{"parameters", "Parameters", &R::parameters},
        Field{"weights_read_bytes", "Weights read", &R::weights_read_bytes, Unit::kBytes},
        Field{"kv_cache_bytes", "KV cache", &R::kv_cache_bytes, Unit::kBytes},
        Field{"activation_peaks", "Activations", &R::activation_peaks},
        Field{"peak_rss", "Peak RSS", &R::peak_rss},
        Field{"host_memory_bytes", "Machine", &R::host_memory_bytes, Unit::kBytes},
        Field{"operators", "Operators", &R::operators});
  }
};

}  // namespace ridgeline::report
