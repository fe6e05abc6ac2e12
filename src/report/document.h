// The contents of a report as typed rows. Sections fill it, advice reads it, printers
// print it as terminal text, Markdown, JSON, CSV and HTML. The rows of a section are in
// sections/*_rows.h. Each row type lists its fields in Fields(), in print order;
// docs/reports.md describes them. An empty optional was not measured; times are in
// seconds, shares are fractions of 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "report/field.h"
#include "report/sections/device_rows.h"
#include "report/sections/kernel_rows.h"
#include "report/sections/memory_rows.h"
#include "report/sections/ncu_rows.h"
#include "report/sections/operator_rows.h"
#include "report/sections/phase_rows.h"
#include "report/sections/profile_rows.h"
#include "report/sections/region_rows.h"
#include "report/sections/roofline_rows.h"
#include "report/sections/run_rows.h"

namespace ridgeline::report {

inline constexpr int kRunReportVersion = 3;

using Value = std::variant<std::monostate, bool, int64_t, double, std::string>;

// A value of the document on which a sentence is based.
struct Cell {
  std::string_view table;     // "regions", "ledger/phases"
  std::optional<size_t> row;  // nullopt: a table with one row, or all of it.
  std::string column;         // "per_instance/p99_s"; empty: the whole table.
  std::string label;          // Name of the row, or empty.
  std::string source;         // Of the row, or empty.
  std::string words;          // Of the column: "roofline time".
  Value value;
  Unit unit = Unit::kNone;
};

struct Advice {
  std::string_view rule;     // "launch_gaps"
  std::string_view section;  // Of the document.
  bool doubt = false;        // A warning about the data; listed before all findings.
  std::string verdict;       // No full stop at the end, nor in `action`.
  std::string action;        // In the imperative.
  OptionalNumber saving_s;   // Potential saving, an upper bound.
  std::vector<Cell> evidence;

  static constexpr void Fields(auto visit) {
    using R = Advice;
    visit(Field{"rule", "Rule", &R::rule}, Field{"section", "Section", &R::section},
          Field{"doubt", "Warning", &R::doubt}, Field{"verdict", "Verdict", &R::verdict},
          Field{"action", "Action", &R::action},
          Field{"potential_saving_s", "Saving", &R::saving_s, Unit::kSeconds},
          Field{"evidence", "Evidence", &R::evidence});
  }
};

struct Document {
  int schema_version = kRunReportVersion;
  RunRow run;
  VerdictRow verdict;
  std::vector<Advice> advice;
  std::vector<StageRow> stages;
  IfThere<std::vector<RankRow>> ranks;  // For a workload with ranks.
  std::vector<SourceRow> sources;
  std::vector<PhaseRow> phases;
  std::vector<TokenLatencyRow> token_latency;
  IfThere<ProfilingOverheadRow> profiling_overhead;  // Of a torch_profiler stage.
  std::optional<LedgerRow> ledger;
  IfThere<CallFlopsRow> flops_per_call;  // Of a Python program.
  std::vector<RegionRow> regions;
  std::vector<RooflineRow> roofline;
  std::vector<KernelRow> kernels;  // By descending time, like all below.
  KernelsTotalRow kernels_total;   // Including those that are not listed.
  std::vector<KernelKindRow> kernel_kinds;
  std::vector<OperatorRow> operators;
  OperatorsTotalRow operators_total;
  std::vector<UncountedOperatorRow> operators_uncounted;
  std::vector<DeviceRow> devices;
  std::vector<MemoryOpRow> memory_ops;
  std::vector<ApiRow> api_calls;
  std::vector<LaunchDelayRow> launch_latency;
  MemoryRow memory;
  std::vector<NcuRow> ncu;
  std::vector<NcuKernelRow> ncu_kernels;
  std::vector<PredictionRow> predictions;
  std::vector<CommandRow> commands;
  JsonText environment;  // env.json
  std::vector<ConfigRow> config;
  std::vector<DroppedRow> dropped;

  bool is_imported() const { return run.state == kImported; }
  static constexpr void Fields(auto visit) {
    using R = Document;
    visit(Field{"schema_version", "", &R::schema_version}, Field{"run", "Run", &R::run},
          Field{"verdict", "Verdict", &R::verdict}, Field{"advice", "Advice", &R::advice},
          Field{"stages", "Stages", &R::stages}, Field{"ranks", "Ranks", &R::ranks},
          Field{"sources", "Sources", &R::sources}, Field{"phases", "Phases", &R::phases},
          Field{"token_latency", "Token latency", &R::token_latency},
          Field{"profiling_overhead", "Profiling overhead", &R::profiling_overhead},
          Field{"ledger", "Roofline", &R::ledger},
          Field{"flops_per_call", "FLOPs per call", &R::flops_per_call},
          Field{"regions", "Regions", &R::regions},
          Field{"roofline", "Roofline charts", &R::roofline},
          Field{"kernels", "Kernels", &R::kernels},
          Field{"kernels_total", "All kernels", &R::kernels_total},
          Field{"kernel_kinds", "Kernel kinds", &R::kernel_kinds},
          Field{"operators", "Operators", &R::operators},
          Field{"operators_total", "All operators", &R::operators_total},
          Field{"operators_uncounted", "Uncounted operators", &R::operators_uncounted},
          Field{"devices", "Devices", &R::devices},
          Field{"memory_ops", "Copies and memsets", &R::memory_ops},
          Field{"api_calls", "API calls", &R::api_calls},
          Field{"launch_latency", "Launch latency", &R::launch_latency},
          Field{"memory", "Memory", &R::memory},
          Field{"ncu", "Launches under ncu", &R::ncu},
          Field{"ncu_kernels", "Kernels under ncu", &R::ncu_kernels},
          Field{"predictions", "Predictions", &R::predictions},
          Field{"commands", "Commands", &R::commands},
          Field{"environment", "Environment", &R::environment},
          Field{"config", "Configuration", &R::config},
          Field{"dropped", "Dropped records", &R::dropped});
  }
};

// Time in which the GPUs of a source were busy: kernels, graphs, copies.
inline double GpuBusyTime(const Document& document, std::string_view source) {
  double busy_s = 0;
  for (const DeviceRow& device : document.devices) {
    if (device.source == source) busy_s += device.busy_s;
  }
  return busy_s;
}

// Below this share of GPU busy time, kernels do not matter: graphs captured as a whole,
// or copies, take the rest.
inline constexpr double kMinKernelShare = 0.05;

}  // namespace ridgeline::report
