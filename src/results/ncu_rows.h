// The contents of an ncu CSV page or report as rows. Values are in base units: ns, byte,
// byte/s, hz, %, and counts (inst, sector, cycle).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/string_pool.h"
#include "results/drop_reason.h"

namespace ridgeline::results {

// One value of one launch.
struct NcuMetric {
  StringId section = 0;  // "GPU Speed Of Light Throughput"; empty in wide files.
  StringId item = 0;  // "Single Precision Roofline": item within the section; or empty.
  StringId name = 0;  // "gpu__time_duration.sum", or a label: "Duration".
  StringId unit = 0;  // Of `value`.
  // Empty if ncu wrote n/a, no data, nan or text.
  std::optional<double> value;
  StringId text = 0;  // As written, if it is not a number.
  // Over all launches, in summary files; `value` is the mean there.
  std::optional<double> value_min;
  std::optional<double> value_max;
};

// Result of an ncu rule for one launch.
struct NcuRule {
  StringId section = 0;  // "SpeedOfLight"
  StringId name = 0;     // "SOLBottleneck"
  StringId kind = 0;     // "WRN", "INF", "OPT", "ERR"
  StringId text = 0;
  // "global" or "local"; empty string: not given. Empty optional: the file has no such
  // column.
  std::optional<StringId> speedup_kind;
  std::optional<double> speedup_percent;
};

using NcuShape = std::array<uint64_t, 3>;  // x, y, z

struct NcuLaunch {
  std::optional<int64_t> id;  // Launch number within a process; none in summaries.
  int64_t process_id = 0;
  StringId process = 0;
  StringId host = 0;
  StringId kernel = 0;  // As spelled by ncu, which differs from nsys.
  StringId nvtx = 0;    // Enclosing ranges, as written; mostly empty.
  StringId context = 0;
  StringId stream = 0;
  StringId device = 0;      // "0"; empty before 2023.
  StringId capability = 0;  // "8.0"; empty before 2023.
  std::optional<NcuShape> grid;
  std::optional<NcuShape> block;
  std::optional<int64_t> launches;  // In summaries: number of launches.
  std::vector<NcuMetric> metrics;   // In file order.
  std::vector<NcuRule> rules;
};

enum class NcuForm : uint8_t {
  kWide,     // --page raw: one row per launch, one column per metric, one row of units.
  kLong,     // --page details: one row per metric and launch.
  kSummary,  // --print-summary: one row per metric and kernel.
  kReport,   // .ncu-rep
};

std::string_view NameOf(NcuForm form);  // "wide"

struct NcuRows {
  NcuForm form = NcuForm::kLong;
  bool has_byte_order_mark = false;
  bool has_crlf = false;
  int64_t preamble_lines = 0;  // Before the header.
  // Number format: "1,234.5", "1.234,5", "1 234,5", "1'234.5", "1234.5".
  std::string number_style;
  StringPool names;
  std::vector<NcuLaunch> launches;  // In the order of their first rows.
  DropCounts left_out;
};

}  // namespace ridgeline::results
