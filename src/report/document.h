// Document: everything a report says, as typed rows. Sections fill it, advice reads it,
// printers print it as terminal text, Markdown, JSON, CSV and HTML. Each row type lists
// its fields in Fields(), in the order in which they are printed; docs/reports.md
// describes them. Not measured is an empty optional; times are seconds, shares of 1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/kernel_kind.h"
#include "analysis/ncu_findings.h"
#include "artifacts/manifest.h"
#include "cost/roofline.h"
#include "report/field.h"

namespace ridgeline::report {

inline constexpr int kRunReportVersion = 3;

using Texts = std::vector<std::string>;
using OptionalText = std::optional<std::string>;
using OptionalNumber = std::optional<double>;
using OptionalInteger = std::optional<int64_t>;

// Run state of profiles that were not measured by a run.
inline constexpr std::string_view kImported = "imported";

struct RunRow {
  OptionalText id;
  std::string state{kImported};
  OptionalText reason, workload, host, started, ended, cwd;
  Texts arguments;
  std::string ridgeline_version;

  static constexpr std::string_view kTable = "run";
  static constexpr auto Fields() {
    using R = RunRow;
    return std::tuple(
        Field{"id", "Run", &R::id}, Field{"state", "State", &R::state},
        Field{"reason", "Reason", &R::reason},
        Field{"workload", "Workload", &R::workload}, Field{"host", "Host", &R::host},
        Field{"started", "Started", &R::started}, Field{"ended", "Ended", &R::ended},
        Field{"cwd", "Directory", &R::cwd},
        Field{"arguments", "Arguments", &R::arguments},
        Field{"ridgeline_version", "Ridgeline", &R::ridgeline_version});
  }
};

struct VerdictRow {
  artifacts::Parity parity = artifacts::Parity::kNotChecked;
  std::optional<bool> complete;
  int64_t notes = 0;

  static constexpr std::string_view kTable = "verdict";
  static constexpr auto Fields() {
    using R = VerdictRow;
    return std::tuple(Field{"parity", "Output parity", &R::parity},
                      Field{"complete", "Complete", &R::complete},
                      Field{"notes", "Notes", &R::notes});
  }
};

struct StageRow {
  std::string name;
  artifacts::State state = artifacts::State::kDone;
  OptionalText outcome, reason;
  OptionalNumber wall_s;
  artifacts::Parity parity = artifacts::Parity::kNotChecked;
  OptionalText parity_detail;
  Texts notes;
  OptionalText retry_overrides;

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "stages";
  static constexpr auto Fields() {
    using R = StageRow;
    return std::tuple(
        Field{"name", "Stage", &R::name}, Field{"state", "State", &R::state},
        Field{"outcome", "Outcome", &R::outcome}, Field{"reason", "Reason", &R::reason},
        Field{"wall_s", "Time", &R::wall_s, Unit::kSeconds},
        Field{"parity", "Output parity", &R::parity},
        Field{"parity_detail", "Parity", &R::parity_detail},
        Field{"notes", "Notes", &R::notes},
        Field{"retry_overrides", "Retry with", &R::retry_overrides});
  }
};

// Durations of all events of a kind.
struct DurationsRow {
  int64_t count = 0;
  double total_s = 0, mean_s = 0;
  OptionalNumber median_s, min_s, max_s;  // Nothing: the file has only totals.

  static constexpr auto Fields() {
    using R = DurationsRow;
    return std::tuple(Field{"count", "Count", &R::count},
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

  static constexpr auto Fields() {
    using R = LaunchMatchRow;
    return std::tuple(
        Field{"api_calls", "API calls", &R::api_calls},
        Field{"kernels_matched", "Matched", &R::kernels_matched},
        Field{"kernels_unmatched", "Unmatched", &R::kernels_unmatched},
        Field{"kernels_before_call", "Before the call", &R::kernels_before_call},
        Field{"duplicate_correlations", "Duplicates", &R::duplicate_correlations});
  }
};

// A warning or error of the profiler, such as why there are no kernels.
struct DiagnosticRow {
  std::string severity, text;

  static constexpr auto Fields() {
    using R = DiagnosticRow;
    return std::tuple(Field{"severity", "Severity", &R::severity},
                      Field{"text", "Text", &R::text});
  }
};

// Events of a category that is not read.
struct CategoryRow {
  std::string name;
  int64_t events = 0;

  static constexpr auto Fields() {
    using R = CategoryRow;
    return std::tuple(Field{"name", "Category", &R::name},
                      Field{"events", "Events", &R::events});
  }
};

// Launches of one class, of all that ncu profiled.
struct NcuClassRow {
  analysis::Bottleneck kernel_class = analysis::Bottleneck::kUnknown;
  int64_t launches = 0;
  double total_s = 0;
  OptionalNumber share;  // Of the profiled time.

  static constexpr auto Fields() {
    using R = NcuClassRow;
    return std::tuple(Field{"class", "Class", &R::kernel_class},
                      Field{"launches", "Launches", &R::launches},
                      Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
                      Field{"share", "Share", &R::share, Unit::kFraction});
  }
};

// What a profile file says of itself. Numbers of unique things count all of them, also
// those that no table lists. Nothing: its format does not have it.
struct ProfileRow {
  OptionalText schema_version, form, number_format, time_unit, host;
  OptionalInteger gpu_activities, api_calls, nvtx_ranges, metric_values;
  OptionalInteger unique_kernels, unique_operators, unique_regions;
  OptionalInteger environment_variables, environment_secrets;
  IfThere<DurationsRow> profiler_steps, kernel_durations;
  IfThere<LaunchMatchRow> launch_matching;
  std::vector<NcuClassRow> ncu_classes;
  std::vector<DiagnosticRow> diagnostics;  // Errors first.
  std::vector<CategoryRow> unsupported_categories;

  static constexpr auto Fields() {
    using R = ProfileRow;
    return std::tuple(
        Field{"schema_version", "Schema", &R::schema_version},
        Field{"form", "Form", &R::form},
        Field{"number_format", "Number format", &R::number_format},
        Field{"time_unit", "Time unit", &R::time_unit}, Field{"host", "Host", &R::host},
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
  static constexpr auto Fields() {
    using R = SourceRow;
    return std::tuple(
        Field{"file", "File", &R::file}, Field{"format", "Format", &R::format},
        Field{"tool", "Tool", &R::tool}, Field{"events", "Events", &R::events},
        Field{"file_bytes", "Size", &R::file_bytes, Unit::kBytes},
        Field{"text_bytes", "Decompressed", &R::text_bytes, Unit::kBytes},
        Field{"rank", "Rank", &R::rank}, Field{"world_size", "Ranks", &R::world_size},
        Field{"profile", "Profile", &R::profile});
  }
};

// Samples of a phase of one source, profiled ones apart from the others.
struct PhaseRow {
  std::string source;
  bool profiled = false;
  std::string phase;
  int64_t samples = 0;
  double total_s = 0, mean_s = 0, median_s = 0, min_s = 0, max_s = 0;
  std::optional<std::array<double, 2>> mean_ci95_s;
  OptionalNumber tokens_per_s;

  const std::string& label() const { return phase; }
  static constexpr std::string_view kTable = "phases";
  static constexpr auto Fields() {
    using R = PhaseRow;
    return std::tuple(
        Field{"source", "Source", &R::source},
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

// A phase of the built-in model against the roofline of the device.
struct LedgerPhaseRow {
  std::string name;
  // Executed and useful matrix FLOPs, compulsory bytes. Nothing: more than 64 bits hold.
  std::optional<uint64_t> flops, flops_useful, bytes;
  double measured_s = 0;
  OptionalNumber roofline_s, roofline_slowdown;
  cost::BoundClass bound = cost::BoundClass::kUnknown;
  OptionalNumber mfu, mfu_useful, mbu;

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "ledger/phases";
  static constexpr auto Fields() {
    using R = LedgerPhaseRow;
    return std::tuple(
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
        Field{"bound", "Bound", &R::bound},
        Field{"mfu", "MFU (executed FLOPs)", &R::mfu, Unit::kFraction,
              "MFU (executed FLOPs)"},
        Field{"mfu_useful", "MFU (useful FLOPs)", &R::mfu_useful, Unit::kFraction,
              "MFU (useful FLOPs)"},
        Field{"mbu", "MBU", &R::mbu, Unit::kFraction, "MBU"});
  }
};

struct LedgerRow {
  std::string device;
  OptionalNumber compute_flops_per_s, memory_bytes_per_s;
  int64_t samples = 0;
  std::vector<LedgerPhaseRow> phases;

  const std::string& label() const { return device; }
  static constexpr std::string_view kTable = "ledger";
  static constexpr auto Fields() {
    using R = LedgerRow;
    return std::tuple(Field{"device", "Device", &R::device},
                      Field{"compute_flops_per_s", "Peak FLOP/s", &R::compute_flops_per_s,
                            Unit::kFlopsPerS, "peak FLOP/s"},
                      Field{"memory_bytes_per_s", "Peak bandwidth",
                            &R::memory_bytes_per_s, Unit::kBytesPerS, "peak bandwidth"},
                      Field{"samples", "n", &R::samples, Unit::kNone, "n"},
                      Field{"phases", "Phases", &R::phases});
  }
};

enum class Clock : uint8_t { kCpu, kGpu };
std::string_view NameOf(Clock clock);  // "cpu"

// Durations of single instances of a region.
struct InstanceRow {
  Clock clock = Clock::kCpu;
  double min_s = 0, median_s = 0, p99_s = 0, max_s = 0;

  static constexpr auto Fields() {
    using R = InstanceRow;
    return std::tuple(
        Field{"clock", "Clock", &R::clock},
        Field{"min_s", "Min per instance", &R::min_s, Unit::kSeconds},
        Field{"median_s", "Median per instance", &R::median_s, Unit::kSeconds},
        Field{"p99_s", "p99 per instance", &R::p99_s, Unit::kSeconds},
        Field{"max_s", "Max per instance", &R::max_s, Unit::kSeconds});
  }
};

// A region whose cost is known in closed form.
struct RegionRooflineRow {
  std::string clock;
  double flops_per_s = 0, bytes_per_s = 0;
  OptionalNumber roofline_slowdown;

  static constexpr auto Fields() {
    using R = RegionRooflineRow;
    return std::tuple(Field{"clock", "Clock", &R::clock},
                      Field{"flops_per_s", "FLOP/s", &R::flops_per_s, Unit::kFlopsPerS},
                      Field{"bytes_per_s", "Bytes/s", &R::bytes_per_s, Unit::kBytesPerS},
                      Field{"roofline_slowdown", "vs roofline", &R::roofline_slowdown,
                            Unit::kFactor, "slowdown vs roofline"});
  }
};

struct RegionRow {
  std::string source, path, kind;
  int64_t instances = 0;
  double cpu_s = 0;
  int64_t launches = 0;
  double gpu_s = 0, gpu_exclusive_s = 0;
  OptionalNumber gpu_span_s, gpu_idle_s;  // Nothing: it launched nothing.
  int64_t memcpy_bytes = 0;
  std::optional<InstanceRow> per_instance;
  IfThere<RegionRooflineRow> roofline;

  bool is_unattributed() const { return kind == "unattributed"; }
  const std::string& label() const { return path; }
  static constexpr std::string_view kTable = "regions";
  static constexpr auto Fields() {
    using R = RegionRow;
    return std::tuple(
        Field{"source", "Source", &R::source}, Field{"path", "Region", &R::path},
        Field{"kind", "Kind", &R::kind}, Field{"instances", "Instances", &R::instances},
        Field{"cpu_s", "CPU time", &R::cpu_s, Unit::kSeconds, "CPU time"},
        Field{"launches", "Kernel launches", &R::launches},
        Field{"gpu_s", "GPU time", &R::gpu_s, Unit::kSeconds, "GPU time"},
        Field{"gpu_exclusive_s", "GPU exclusive", &R::gpu_exclusive_s, Unit::kSeconds,
              "exclusive GPU time"},
        Field{"gpu_span_s", "GPU span", &R::gpu_span_s, Unit::kSeconds, "GPU span"},
        Field{"gpu_idle_s", "GPU idle", &R::gpu_idle_s, Unit::kSeconds, "GPU idle time"},
        Field{"memcpy_bytes", "Copied bytes", &R::memcpy_bytes, Unit::kBytes},
        Field{"per_instance", "Per instance", &R::per_instance},
        Field{"roofline", "Roofline", &R::roofline});
  }
};

struct ComputeCeilingRow {
  std::string name;
  double flops_per_s = 0;

  static constexpr auto Fields() {
    using R = ComputeCeilingRow;
    return std::tuple(
        Field{"name", "Ceiling", &R::name},
        Field{"flops_per_s", "Peak FLOP/s", &R::flops_per_s, Unit::kFlopsPerS});
  }
};

struct MemoryCeilingRow {
  std::string name;
  double bytes_per_s = 0;

  static constexpr auto Fields() {
    using R = MemoryCeilingRow;
    return std::tuple(
        Field{"name", "Ceiling", &R::name},
        Field{"bytes_per_s", "Peak bandwidth", &R::bytes_per_s, Unit::kBytesPerS});
  }
};

struct RooflinePointRow {
  std::string name, kind;  // Kind: "phase", "region", "kernel".
  OptionalText precision;
  std::string level = "dram";
  double flops_per_byte = 0, flops_per_s = 0;
  OptionalNumber roofline_fraction, time_s;

  static constexpr auto Fields() {
    using R = RooflinePointRow;
    return std::tuple(
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
  static constexpr auto Fields() {
    using R = RooflineRow;
    return std::tuple(
        Field{"source", "Source", &R::source}, Field{"device", "Device", &R::device},
        Field{"compute", "Compute", &R::compute}, Field{"memory", "Memory", &R::memory},
        Field{"points", "Points", &R::points});
  }
};

// All launches of a kernel on one device. Shares are of all kernels of the source.
struct KernelRow {
  std::string source, device, name;
  std::string short_name;  // For people; unique in the table, like the name.
  analysis::KernelKind kind = analysis::KernelKind::kOther;
  int64_t launches = 0;
  double total_s = 0, mean_s = 0, min_s = 0, max_s = 0;
  OptionalNumber share;

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "kernels";
  static constexpr auto Fields() {
    using R = KernelRow;
    return std::tuple(
        Field{"source", "Source", &R::source}, Field{"device", "GPU", &R::device},
        Field{"name", "Kernel", &R::name}, Field{"short_name", "Kernel", &R::short_name},
        Field{"kind", "Kind", &R::kind}, Field{"launches", "Launches", &R::launches},
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
  static constexpr auto Fields() {
    using R = KernelsTotalRow;
    return std::tuple(Field{"kernels", "Kernels", &R::kernels},
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
  static constexpr auto Fields() {
    using R = KernelKindRow;
    return std::tuple(Field{"source", "Source", &R::source},
                      Field{"kind", "Kind", &R::kind},
                      Field{"kernels", "Kernels", &R::kernels},
                      Field{"launches", "Launches", &R::launches},
                      Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
                      Field{"share", "Share", &R::share, Unit::kFraction});
  }
};

struct OperatorRow {
  std::string source, name;
  int64_t calls = 0;
  double self_s = 0, total_s = 0;
  OptionalNumber share;  // Of the self time of all operators of the source.

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "operators";
  static constexpr auto Fields() {
    using R = OperatorRow;
    return std::tuple(Field{"source", "Source", &R::source},
                      Field{"name", "Operator", &R::name},
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
  static constexpr auto Fields() {
    using R = OperatorsTotalRow;
    return std::tuple(Field{"operators", "Operators", &R::operators},
                      Field{"calls", "Calls", &R::calls},
                      Field{"self_s", "Self", &R::self_s, Unit::kSeconds});
  }
};

struct DeviceRow {
  std::string source, device;
  OptionalText model;
  int64_t activities = 0, streams = 0;
  double span_s = 0, busy_s = 0, busy_kernels_s = 0, idle_s = 0;
  int64_t idle_gaps = 0;
  double idle_gap_max_s = 0, compute_s = 0, memory_s = 0, exposed_copy_s = 0;
  double communication_s = 0, exposed_communication_s = 0;
  int64_t communication_kernels = 0;
  int64_t possible_communication_kernels =
      0;  // May be communication, by name; counted as compute.
  double possible_communication_s = 0;
  int64_t graphs = 0;
  double graphs_s = 0;
  // Without activities that have no matching API call.
  int64_t matched_activities = 0;
  double matched_span_s = 0, matched_busy_s = 0, matched_idle_s = 0;

  std::string label() const { return "GPU " + device; }
  static constexpr std::string_view kTable = "devices";
  static constexpr auto Fields() {
    using R = DeviceRow;
    return std::tuple(
        Field{"source", "Source", &R::source}, Field{"device", "GPU", &R::device},
        Field{"model", "Model", &R::model},
        Field{"activities", "Activities", &R::activities},
        Field{"streams", "Streams", &R::streams},
        Field{"span_s", "Span", &R::span_s, Unit::kSeconds},
        Field{"busy_s", "Busy", &R::busy_s, Unit::kSeconds},
        Field{"busy_kernels_s", "Busy with kernels", &R::busy_kernels_s, Unit::kSeconds},
        Field{"idle_s", "Idle", &R::idle_s, Unit::kSeconds},
        Field{"idle_gaps", "Idle gaps", &R::idle_gaps},
        Field{"idle_gap_max_s", "Longest gap", &R::idle_gap_max_s, Unit::kSeconds,
              "longest gap"},
        Field{"compute_s", "Compute", &R::compute_s, Unit::kSeconds},
        Field{"memory_s", "Copies", &R::memory_s, Unit::kSeconds, "copies"},
        Field{"exposed_copy_s", "Exposed copies", &R::exposed_copy_s, Unit::kSeconds,
              "exposed copies"},
        Field{"communication_s", "Communication", &R::communication_s, Unit::kSeconds},
        Field{"exposed_communication_s", "Exposed communication",
              &R::exposed_communication_s, Unit::kSeconds, "exposed communication"},
        Field{"communication_kernels", "Communication kernels",
              &R::communication_kernels},
        Field{"possible_communication_kernels", "Possible communication",
              &R::possible_communication_kernels},
        Field{"possible_communication_s", "Possible communication time",
              &R::possible_communication_s, Unit::kSeconds},
        Field{"graphs", "Graphs", &R::graphs},
        Field{"graphs_s", "Graph time", &R::graphs_s, Unit::kSeconds, "graph time"},
        Field{"matched_activities", "Matched", &R::matched_activities},
        Field{"matched_span_s", "Matched span", &R::matched_span_s, Unit::kSeconds},
        Field{"matched_busy_s", "Matched busy", &R::matched_busy_s, Unit::kSeconds},
        Field{"matched_idle_s", "Matched idle", &R::matched_idle_s, Unit::kSeconds});
  }
};

struct MemoryOpRow {
  std::string source, device, name;
  int64_t count = 0;
  double total_s = 0;
  OptionalInteger bytes;

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "memory_ops";
  static constexpr auto Fields() {
    using R = MemoryOpRow;
    return std::tuple(
        Field{"source", "Source", &R::source}, Field{"device", "GPU", &R::device},
        Field{"name", "Operation", &R::name}, Field{"count", "Count", &R::count},
        Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
        Field{"bytes", "Bytes", &R::bytes, Unit::kBytes});
  }
};

struct ApiRow {
  std::string source, kind, name;
  int64_t calls = 0;
  double total_s = 0, max_s = 0;

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "api_calls";
  static constexpr auto Fields() {
    using R = ApiRow;
    return std::tuple(Field{"source", "Source", &R::source},
                      Field{"kind", "Kind", &R::kind}, Field{"name", "Call", &R::name},
                      Field{"calls", "Calls", &R::calls},
                      Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
                      Field{"max_s", "Max", &R::max_s, Unit::kSeconds});
  }
};

struct LaunchDelayRow {
  std::string source, measure;
  int64_t count = 0;
  double median_s = 0, mean_s = 0, min_s = 0, max_s = 0;

  // From the start of the call; the other measure begins at its end.
  bool is_start_to_start() const { return measure == "start_to_start"; }
  static constexpr std::string_view kTable = "launch_latency";
  static constexpr auto Fields() {
    using R = LaunchDelayRow;
    return std::tuple(Field{"source", "Source", &R::source},
                      Field{"measure", "Measure", &R::measure},
                      Field{"count", "Count", &R::count},
                      Field{"median_s", "Median", &R::median_s, Unit::kSeconds},
                      Field{"mean_s", "Mean", &R::mean_s, Unit::kSeconds},
                      Field{"min_s", "Min", &R::min_s, Unit::kSeconds},
                      Field{"max_s", "Max", &R::max_s, Unit::kSeconds});
  }
};

struct ActivationPeakRow {
  std::string phase;
  OptionalInteger bytes;

  const std::string& label() const { return phase; }
  static constexpr std::string_view kTable = "memory/activation_peaks";
  static constexpr auto Fields() {
    using R = ActivationPeakRow;
    return std::tuple(
        Field{"phase", "Phase", &R::phase},
        Field{"bytes", "Bytes", &R::bytes, Unit::kBytes, "peak activations"});
  }
};

struct PeakRssRow {
  std::string source;  // "direct_inference: workload"
  int64_t bytes = 0;

  static constexpr std::string_view kTable = "memory/peak_rss";
  static constexpr auto Fields() {
    using R = PeakRssRow;
    return std::tuple(Field{"source", "Process", &R::source},
                      Field{"bytes", "Bytes", &R::bytes, Unit::kBytes, "peak RSS"});
  }
};

struct OperatorMemoryRow {
  std::string name;
  int64_t self_bytes = 0;

  static constexpr auto Fields() {
    using R = OperatorMemoryRow;
    return std::tuple(Field{"name", "Operator", &R::name},
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
  static constexpr auto Fields() {
    using R = MemoryRow;
    return std::tuple(
        Field{"parameters", "Parameters", &R::parameters},
        Field{"weights_read_bytes", "Weights read", &R::weights_read_bytes, Unit::kBytes},
        Field{"kv_cache_bytes", "KV cache", &R::kv_cache_bytes, Unit::kBytes},
        Field{"activation_peaks", "Activations", &R::activation_peaks},
        Field{"peak_rss", "Peak RSS", &R::peak_rss},
        Field{"host_memory_bytes", "Machine", &R::host_memory_bytes, Unit::kBytes},
        Field{"operators", "Operators", &R::operators});
  }
};

struct NcuRuleRow {
  std::string section, rule, kind, text;
  OptionalNumber speedup_percent;

  const std::string& label() const { return kind; }
  static constexpr auto Fields() {
    using R = NcuRuleRow;
    return std::tuple(
        Field{"section", "Section", &R::section}, Field{"rule", "Rule", &R::rule},
        Field{"kind", "Kind", &R::kind}, Field{"text", "Text", &R::text},
        Field{"speedup_percent", "Speedup", &R::speedup_percent, Unit::kPercent});
  }
};

// FLOPs that a launch executed in one precision.
struct NcuFlopsRow {
  std::string precision;
  double flops = 0;

  static constexpr auto Fields() {
    using R = NcuFlopsRow;
    return std::tuple(Field{"precision", "Precision", &R::precision},
                      Field{"flops", "FLOPs", &R::flops, Unit::kFlops});
  }
};

// A launch that ncu profiled.
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
  static constexpr auto Fields() {
    using R = NcuRow;
    return std::tuple(
        Field{"source", "Source", &R::source}, Field{"name", "Kernel", &R::name},
        Field{"short_name", "Kernel", &R::short_name},
        Field{"library", "Library", &R::library}, Field{"launch", "Launch", &R::launch},
        Field{"process_id", "Process", &R::process_id},
        Field{"device", "GPU", &R::device},
        Field{"capability", "Compute capability", &R::capability},
        Field{"grid", "Grid", &R::grid}, Field{"block", "Block", &R::block},
        Field{"duration_s", "Duration", &R::duration_s, Unit::kSeconds},
        Field{"class", "Class", &R::kernel_class},
        Field{"sm_percent", "SM", &R::sm_percent, Unit::kPercent},
        Field{"memory_percent", "Memory", &R::memory_percent, Unit::kPercent},
        Field{"dram_percent", "DRAM", &R::dram_percent, Unit::kPercent},
        Field{"tensor_percent", "Tensor", &R::tensor_percent, Unit::kPercent},
        Field{"occupancy_percent", "Occupancy", &R::occupancy_percent, Unit::kPercent},
        Field{"occupancy_theoretical_percent", "Theoretical occupancy",
              &R::occupancy_theoretical_percent, Unit::kPercent},
        Field{"l1_percent", "L1", &R::l1_percent, Unit::kPercent},
        Field{"l2_percent", "L2", &R::l2_percent, Unit::kPercent},
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

// All launches of a kernel that ncu profiled. Percentages are means, weighted by time;
// the class is the one with the most time.
struct NcuKernelRow {
  std::string source, name, short_name;
  int64_t launches = 0;
  OptionalNumber total_s, mean_s, min_s, max_s;
  OptionalNumber share;  // Of the profiled time of the source.
  analysis::Bottleneck kernel_class = analysis::Bottleneck::kUnknown;
  OptionalNumber sm_percent, dram_percent, occupancy_percent;

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "ncu_kernels";
  static constexpr auto Fields() {
    using R = NcuKernelRow;
    return std::tuple(
        Field{"source", "Source", &R::source}, Field{"name", "Kernel", &R::name},
        Field{"short_name", "Kernel", &R::short_name},
        Field{"launches", "Launches", &R::launches},
        Field{"total_s", "Total", &R::total_s, Unit::kSeconds},
        Field{"mean_s", "Mean", &R::mean_s, Unit::kSeconds},
        Field{"min_s", "Min", &R::min_s, Unit::kSeconds},
        Field{"max_s", "Max", &R::max_s, Unit::kSeconds},
        Field{"share", "Share", &R::share, Unit::kFraction},
        Field{"class", "Class", &R::kernel_class},
        Field{"sm_percent", "SM", &R::sm_percent, Unit::kPercent},
        Field{"dram_percent", "DRAM", &R::dram_percent, Unit::kPercent},
        Field{"occupancy_percent", "Occupancy", &R::occupancy_percent, Unit::kPercent});
  }
};

// Generated text of one page.
struct PredictionRow {
  std::string stage, image, text;
  bool text_truncated = false;
  int64_t generated_tokens = 0;
  OptionalInteger boxes;
  OptionalText thumbnail;

  static constexpr std::string_view kTable = "predictions";
  static constexpr auto Fields() {
    using R = PredictionRow;
    return std::tuple(Field{"stage", "Stage", &R::stage},
                      Field{"image", "Image", &R::image}, Field{"text", "Text", &R::text},
                      Field{"text_truncated", "Truncated", &R::text_truncated},
                      Field{"generated_tokens", "Tokens", &R::generated_tokens},
                      Field{"boxes", "Boxes", &R::boxes},
                      Field{"thumbnail", "Thumbnail", &R::thumbnail});
  }
};

struct CommandRow {
  std::string stage, file, text;

  static constexpr std::string_view kTable = "commands";
  static constexpr auto Fields() {
    using R = CommandRow;
    return std::tuple(Field{"stage", "Stage", &R::stage}, Field{"file", "File", &R::file},
                      Field{"text", "Command", &R::text});
  }
};

struct ConfigRow {
  std::string key, value;

  const std::string& label() const { return key; }
  static constexpr std::string_view kTable = "config";
  static constexpr auto Fields() {
    using R = ConfigRow;
    return std::tuple(Field{"key", "Key", &R::key}, Field{"value", "Value", &R::value});
  }
};

struct DroppedRow {
  std::string source, reason;
  int64_t count = 0;
  bool lost = false;  // Measured data is missing; otherwise nothing that a table shows.

  static constexpr std::string_view kTable = "dropped";
  static constexpr auto Fields() {
    using R = DroppedRow;
    return std::tuple(Field{"source", "Source", &R::source},
                      Field{"reason", "Reason", &R::reason},
                      Field{"count", "Count", &R::count, Unit::kNone, "records dropped"},
                      Field{"lost", "Lost", &R::lost});
  }
};

using Value = std::variant<std::monostate, bool, int64_t, double, std::string>;

// A value of the document that a sentence rests on.
struct Cell {
  std::string_view table;     // "regions", "ledger/phases"
  std::optional<size_t> row;  // Nothing: a table with one row, or all of it.
  std::string column;         // "per_instance/p99_s"; empty: the whole table.
  std::string label;          // Name of the row; empty: none.
  std::string source;         // Of the row; empty: none.
  std::string words;          // Of the column: "roofline time".
  Value value;
  Unit unit = Unit::kNone;
};

struct Advice {
  std::string_view rule;     // "launch_gaps"
  std::string_view section;  // Of the document.
  bool doubt = false;        // About the data: it comes before all findings.
  std::string verdict;       // No full stop at the end, nor in `action`.
  std::string action;        // In the imperative.
  OptionalNumber saving_s;   // Potential saving, an upper bound.
  std::vector<Cell> evidence;

  static constexpr auto Fields() {
    using R = Advice;
    return std::tuple(
        Field{"rule", "Rule", &R::rule}, Field{"section", "Section", &R::section},
        Field{"doubt", "Doubt", &R::doubt}, Field{"verdict", "Verdict", &R::verdict},
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
  std::vector<SourceRow> sources;
  std::vector<PhaseRow> phases;
  std::optional<LedgerRow> ledger;
  std::vector<RegionRow> regions;
  std::vector<RooflineRow> roofline;
  std::vector<KernelRow> kernels;  // The longest first, as all below.
  KernelsTotalRow kernels_total;   // Also of those that are not listed.
  std::vector<KernelKindRow> kernel_kinds;
  std::vector<OperatorRow> operators;
  OperatorsTotalRow operators_total;
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
  static constexpr auto Fields() {
    using R = Document;
    return std::tuple(
        Field{"schema_version", "", &R::schema_version}, Field{"run", "Run", &R::run},
        Field{"verdict", "Verdict", &R::verdict}, Field{"advice", "Advice", &R::advice},
        Field{"stages", "Stages", &R::stages}, Field{"sources", "Sources", &R::sources},
        Field{"phases", "Phases", &R::phases}, Field{"ledger", "Roofline", &R::ledger},
        Field{"regions", "Regions", &R::regions},
        Field{"roofline", "Roofline charts", &R::roofline},
        Field{"kernels", "Kernels", &R::kernels},
        Field{"kernels_total", "All kernels", &R::kernels_total},
        Field{"kernel_kinds", "Kernel kinds", &R::kernel_kinds},
        Field{"operators", "Operators", &R::operators},
        Field{"operators_total", "All operators", &R::operators_total},
        Field{"devices", "Devices", &R::devices},
        Field{"memory_ops", "Copies and fills", &R::memory_ops},
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

}  // namespace ridgeline::report
