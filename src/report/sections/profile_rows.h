// Sources of a report and the contents of profile files; filled by run.cc and
// profiles.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/ncu_findings.h"
#include "report/field.h"

namespace ridgeline::report {

// Durations of all events of a kind.
struct DurationsRow {
  int64_t count = 0;
  double total_s = 0, mean_s = 0;
  OptionalNumber median_s, min_s, max_s;  // nullopt: the file has only totals.

  static constexpr void Fields(auto visit) {
    using R = DurationsRow;
    visit(Field{"count", "Count", &R::count},
          Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
          Field{"mean_s", "Mean", &R::mean_s, Unit::kSeconds},
          Field{"median_s", "Median", &R::median_s, Unit::kSeconds},
          Field{"min_s", "Min", &R::min_s, Unit::kSeconds},
          Field{"max_s", "Max", &R::max_s, Unit::kSeconds});
  }
};

// Kernels and the API calls that launched them, by correlation id.
struct LaunchMatchRow {
  int64_t api_calls = 0, kernels_matched = 0, kernels_unmatched = 0;
  int64_t kernels_before_call = 0;  // Started earlier: CPU and GPU clocks differ.
  int64_t duplicate_correlations = 0;

  static constexpr void Fields(auto visit) {
    using R = LaunchMatchRow;
    visit(Field{"api_calls", "API calls", &R::api_calls},
          Field{"kernels_matched", "Matched", &R::kernels_matched},
          Field{"kernels_unmatched", "Unmatched", &R::kernels_unmatched},
          Field{"kernels_before_call", "Before the call", &R::kernels_before_call},
          Field{"duplicate_correlations", "Duplicates", &R::duplicate_correlations});
  }
};

// A warning or error of the profiler, such as why there are no kernels.
struct DiagnosticRow {
  std::string severity, text;

  static constexpr void Fields(auto visit) {
    using R = DiagnosticRow;
    visit(Field{"severity", "Severity", &R::severity}, Field{"text", "Text", &R::text});
  }
};

// Events of a category that is not read.
struct CategoryRow {
  std::string name;
  int64_t events = 0;

  static constexpr void Fields(auto visit) {
    using R = CategoryRow;
    visit(Field{"name", "Category", &R::name}, Field{"events", "Events", &R::events});
  }
};

// Launches of one class, among all profiled by ncu.
struct NcuClassRow {
  analysis::Bottleneck kernel_class = analysis::Bottleneck::kUnknown;
  int64_t launches = 0;
  double total_s = 0;
  OptionalNumber share;  // Relative to the profiled time.

  static constexpr void Fields(auto visit) {
    using R = NcuClassRow;
    visit(Field{"class", "Class", &R::kernel_class},
          Field{"launches", "Launches", &R::launches},
          Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
          Field{"share", "Share", &R::share, Unit::kFraction});
  }
};

// Metadata of a profile file. Counts of unique names include those not listed in any
// table. nullopt: not part of the format.
struct ProfileRow {
  OptionalText schema_version, form, number_format, time_unit, host;
  OptionalInteger gpu_activities, api_calls, nvtx_ranges, metric_values;
  OptionalInteger unique_kernels, unique_operators, unique_regions;
  OptionalInteger environment_variables, environment_secrets;
  IfThere<Texts> gpus;  // Named in a file of ncu.
  IfThere<DurationsRow> profiler_steps, kernel_durations;
  IfThere<LaunchMatchRow> launch_matching;
  std::vector<NcuClassRow> ncu_classes;
  std::vector<DiagnosticRow> diagnostics;  // Errors first.
  std::vector<CategoryRow> unsupported_categories;

  static constexpr void Fields(auto visit) {
    using R = ProfileRow;
    visit(Field{"schema_version", "Schema", &R::schema_version},
          Field{"form", "Form", &R::form},
          Field{"number_format", "Number format", &R::number_format},
          Field{"time_unit", "Time unit", &R::time_unit}, Field{"host", "Host", &R::host},
          Field{"gpus", "GPUs", &R::gpus},
          Field{"gpu_activities", "GPU activities", &R::gpu_activities},
          Field{"api_calls", "API calls", &R::api_calls},
          Field{"nvtx_ranges", "NVTX ranges", &R::nvtx_ranges},
          Field{"metric_values", "Values", &R::metric_values},
          Field{"unique_kernels", "Kernels", &R::unique_kernels},
          Field{"unique_operators", "Operators", &R::unique_operators},
          Field{"unique_regions", "Regions", &R::unique_regions},
          Field{"environment_variables", "Environment", &R::environment_variables},
          Field{"environment_secrets", "Secrets", &R::environment_secrets},
          Field{"profiler_steps", "Profiler steps", &R::profiler_steps},
          Field{"kernel_durations", "Kernel durations", &R::kernel_durations},
          Field{"launch_matching", "Launches", &R::launch_matching},
          Field{"ncu_classes", "Classes", &R::ncu_classes},
          Field{"diagnostics", "Diagnostics", &R::diagnostics},
          Field{"unsupported_categories", "Unsupported", &R::unsupported_categories});
  }
};

struct SourceRow {
  std::string file, format;
  OptionalText tool;
  OptionalInteger events;
  OptionalInteger file_bytes, text_bytes;  // Text: decompressed.
  OptionalInteger rank, world_size;
  IfThere<ProfileRow> profile;

  static constexpr std::string_view kTable = "sources";
  static constexpr void Fields(auto visit) {
    using R = SourceRow;
    visit(Field{"file", "File", &R::file}, Field{"format", "Format", &R::format},
          Field{"tool", "Tool", &R::tool}, Field{"events", "Events", &R::events},
          Field{"file_bytes", "Size", &R::file_bytes, Unit::kBytes},
          Field{"text_bytes", "Decompressed", &R::text_bytes, Unit::kBytes},
          Field{"rank", "Rank", &R::rank}, Field{"world_size", "Ranks", &R::world_size},
          Field{"profile", "Profile", &R::profile});
  }
};

}  // namespace ridgeline::report
