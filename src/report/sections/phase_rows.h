// Times of phases and token latencies; filled by phase_times.cc.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/field.h"

namespace ridgeline::report {

// Samples of a phase of one source, profiled ones separate from others.
struct PhaseRow {
  std::string source;
  bool profiled = false;
  std::string phase;
  int64_t samples = 0;
  double total_s = 0, mean_s = 0, median_s = 0, min_s = 0, max_s = 0;
  std::optional<std::array<double, 2>> mean_ci95_s;
  OptionalNumber tokens_per_s;

  // A time of a whole process, not of a page or a call.
  bool is_of_run() const {
    return phase == "wall" || phase == "user" || phase == "system";
  }
  const std::string& label() const { return phase; }
  // "prefill (incl. vision)"
  std::string LabelAmong(const std::vector<PhaseRow>& phases) const;
  static constexpr std::string_view kTable = "phases";
  static constexpr void Fields(auto visit) {
    using R = PhaseRow;
    visit(Field{"source", "Source", &R::source},
          Field{"profiled", "Profiled", &R::profiled}, Field{"phase", "Phase", &R::phase},
          Field{"samples", "n", &R::samples, Unit::kNone, "n"},
          Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
          Field{"mean_s", "Mean", &R::mean_s, Unit::kSeconds},
          Field{"median_s", "Median", &R::median_s, Unit::kSeconds},
          Field{"min_s", "Min", &R::min_s, Unit::kSeconds},
          Field{"max_s", "Max", &R::max_s, Unit::kSeconds},
          Field{"mean_ci95_s", "95 % CI", &R::mean_ci95_s, Unit::kSeconds, "95 % CI"},
          Field{"tokens_per_s", "Tokens/s", &R::tokens_per_s, Unit::kNone, "tokens/s"});
  }
};

// Of the one profiled page or call of torch_profiler: its time compared with that of the
// same work without the profiler.
struct ProfilingOverheadRow {
  std::string source;
  double factor = 0, profiled_s = 0, unprofiled_s = 0;
  OptionalInteger events;  // Of the profiled page or call.

  static constexpr std::string_view kTable = "profiling_overhead";
  static constexpr void Fields(auto visit) {
    using R = ProfilingOverheadRow;
    visit(
        Field{"source", "Source", &R::source},
        Field{"factor", "Profiling overhead", &R::factor, Unit::kFactor,
              "profiling overhead"},
        Field{"profiled_s", "Profiled", &R::profiled_s, Unit::kSeconds, "profiled time"},
        Field{"unprofiled_s", "Unprofiled", &R::unprofiled_s, Unit::kSeconds,
              "unprofiled time"},
        Field{"events", "Events", &R::events});
  }
};

// Time to first token or inter-token latency of the calls of one source.
struct TokenLatencyRow {
  std::string source;
  std::string measure;  // "ttft", "itl"
  int64_t count = 0;
  double mean_s = 0;
  std::optional<std::array<double, 2>> mean_ci95_s;
  double median_s = 0, p90_s = 0, p99_s = 0, min_s = 0, max_s = 0;

  const std::string& label() const { return measure; }
  static constexpr std::string_view kTable = "token_latency";
  static constexpr void Fields(auto visit) {
    using R = TokenLatencyRow;
    visit(Field{"source", "Source", &R::source}, Field{"measure", "Latency", &R::measure},
          Field{"count", "n", &R::count, Unit::kNone, "n"},
          Field{"mean_s", "Mean", &R::mean_s, Unit::kSeconds},
          Field{"mean_ci95_s", "95 % CI", &R::mean_ci95_s, Unit::kSeconds, "95 % CI"},
          Field{"median_s", "Median", &R::median_s, Unit::kSeconds},
          Field{"p90_s", "p90", &R::p90_s, Unit::kSeconds},
          Field{"p99_s", "p99", &R::p99_s, Unit::kSeconds},
          Field{"min_s", "Min", &R::min_s, Unit::kSeconds},
          Field{"max_s", "Max", &R::max_s, Unit::kSeconds});
  }
};

}  // namespace ridgeline::report
