#include "profiles/formats.h"

#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "profiles/ncu_csv/ncu_csv.h"
#include "profiles/ncu_report/ncu_report.h"
#include "profiles/nsys_csv.h"
#include "profiles/nsys_sqlite/nsys_sqlite.h"
#include "profiles/torch_trace/torch_trace.h"

namespace ridgeline::profiles {
namespace {

// A format that one function reads as a stream.
template <auto kReader>
Result<Profile> ReadStream(const Input& input, const ReadOptions&) {
  RIDGELINE_TRY(auto rows, kReader(input.bytes));
  return Profile{.info = {}, .rows = std::move(rows)};
}

// One row per kernel name.
Result<results::NsysRows> SumKernels(const std::filesystem::path& path,
                                     results::KernelSummary& summary) {
  std::vector<results::KernelSummaryRow> by_name;  // StringIds are small.
  RIDGELINE_TRY(
      results::NsysRows rows,
      ReadNsysKernels(path, [&](std::optional<StringId> name, int64_t duration_ns) {
        if (!name) {
          summary.graph_total_ns += duration_ns;
          return;
        }
        if (*name >= by_name.size()) by_name.resize(*name + 1);
        results::KernelSummaryRow& row = by_name[*name];
        const bool is_first = row.instances++ == 0;
        row.time_total_ns += duration_ns;
        row.time_min_ns = is_first ? duration_ns : std::min(row.time_min_ns, duration_ns);
        row.time_max_ns = std::max(row.time_max_ns, duration_ns);
      }));
  for (size_t name = 0; name < by_name.size(); ++name) {
    if (by_name[name].instances == 0) continue;
    by_name[name].name = static_cast<StringId>(name);
    summary.rows.push_back(by_name[name]);
  }
  summary.time_unit = "ns";
  summary.names = std::move(rows.names);
  summary.left_out = rows.left_out;
  return rows;
}

Result<Profile> ReadExport(const Input& input, const ReadOptions& options) {
  if (!input.is_seekable) {
    return Error(ErrorCode::kUnsupported,
                 "SQLite cannot read an nsys export that is compressed or comes from a "
                 "pipe; write it to a file first");
  }
  Profile profile;
  results::NsysRows rows;
  if (options.only_kernels) {
    RIDGELINE_TRY(rows,
                  SumKernels(input.path, profile.rows.emplace<results::KernelSummary>()));
  } else {
    RIDGELINE_TRY(rows, ReadNsysSqlite(input.path));
  }
  const auto& version = rows.header.export_version;
  profile.info = {.tool = version ? "nsys " + *version : "",
                  .environment_values = rows.header.environment_values,
                  .environment_secrets = rows.header.environment_secrets};
  if (!options.only_kernels) profile.rows = std::move(rows);
  return profile;
}

// Tables before JSON: they may follow output of a program, which may begin like a trace.
constexpr Format kFormats[] = {
    {.id = "nsys_sqlite",
     .tool = Tool::kNsys,
     .tool_name = "nsys",
     .one = "an nsys SQLite export",
     .help =
         "Nsight Systems SQLite exports (nsys export -t sqlite), since 2020; not gzip",
     .file_ending = "",
     .matches = IsSqlite,
     .read = ReadExport},
    {.id = "nsys_csv",
     .tool = Tool::kNsys,
     .tool_name = "nsys stats",
     .one = "an nsys kernel summary (CSV)",
     .help = "nsys stats kernel summaries (CSV)",
     .file_ending = "",
     .matches = MayBeNsysCsv,
     .read = ReadStream<ReadNsysCsv>},
    {.id = "ncu_csv",
     .tool = Tool::kNcu,
     .tool_name = "ncu",
     .one = "an ncu page (CSV)",
     .help = "Nsight Compute pages (ncu --csv --page raw or details), since 2020",
     .file_ending = ".csv",
     .matches = MayBeNcuCsv,
     .read = ReadStream<ReadNcuCsv>},
    {.id = "ncu_report",
     .tool = Tool::kNcu,
     .tool_name = "ncu",
     .one = "an ncu report",
     .help = "Nsight Compute reports (.ncu-rep), since 2021",
     .file_ending = ".ncu-rep",
     .matches = IsNcuReport,
     .read = ReadStream<ReadNcuReport>},
    {.id = "torch_trace",
     .tool = Tool::kPyTorch,
     .tool_name = "PyTorch profiler",
     .one = "a PyTorch trace",
     .help = "PyTorch profiler traces (Kineto, Chrome trace format)",
     .file_ending = "",
     .matches = MayBeTorchTrace,
     .read = ReadStream<ReadTorchTrace>},
};

}  // namespace

std::span<const Format> Formats() { return kFormats; }

std::string FormatsHelp(std::string_view indent) {
  std::string text;
  for (const Format& format : kFormats) {
    text += std::string(indent) + std::string(format.help) + "\n";
  }
  return text;
}

}  // namespace ridgeline::profiles
