#include <fmt/format.h>

#include <algorithm>

#include "report/advice/advice.h"
#include "report/printers/markdown.h"
#include "report/run_report.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

constexpr size_t kShortList = 10;

std::string VerdictLine(const Json& report) {
  const Json& verdict = report["verdict"];
  std::string text = fmt::format("**{}**", Text(report["run"]["state"]));
  if (!report["run"]["why"].is_null()) text += ": " + Escaped(Text(report["run"]["why"]));
  text += verdict["complete"] == true ? "; complete" : "; not complete";
  if (verdict["valid"] == true) text += "; output parity passed";
  if (verdict["valid"] == false) text += "; **not valid: output parity failed**";
  return text + fmt::format("; {}.\n", Plural(verdict["notes"].get<int64_t>(), "note"));
}

// Imported files have no run.
std::string Beginning(const Json& report) {
  const Json& run = report["run"];
  if (run["id"].is_null()) {
    std::string text = "# Profiles\n\n";
    for (const Json& source : report["sources"]) {
      text += fmt::format("- {}: {}\n", Escaped(Text(source["file"])),
                          Escaped(Text(source["format"])));
    }
    return text;
  }
  return fmt::format("# Run {}\n\n{}\nWorkload: {}, on {}, started {}.\n",
                     Escaped(Text(run["id"])), VerdictLine(report),
                     Escaped(Text(run["workload"])), Escaped(Text(run["host"])),
                     Text(run["started"]));
}

std::string StagesSection(const Json& report) {
  if (report["stages"].empty()) return "";
  Rows rows;
  std::string notes;
  for (const Json& stage : report["stages"]) {
    rows.push_back({Text(stage["name"]), Text(stage["state"]), Text(stage["outcome"]),
                    Time(stage["wall_s"]), Text(stage["why"])});
    for (const Json& note : stage["notes"]) {
      notes += fmt::format("- {}: {}\n", Text(stage["name"]), Escaped(Text(note)));
    }
  }
  return "## Stages\n\n" +
         Table({{"Stage", Align::kLeft},
                {"State", Align::kLeft},
                {"Outcome", Align::kLeft},
                {"Time"},
                {"Why", Align::kLeft}},
               rows) +
         (notes.empty() ? "" : "\n" + notes);
}

std::string PhasesSection(const Json& report) {
  if (report["phases"].empty()) return "";
  Rows rows;
  for (const Json& phase : report["phases"]) {
    std::string interval;
    if (phase["mean_ci95_s"].is_array()) {
      interval = Time(phase["mean_ci95_s"][0]) + " to " + Time(phase["mean_ci95_s"][1]);
    }
    rows.push_back({Text(phase["source"]), Text(phase["phase"]),
                    phase["profiled"] == true ? "yes" : "no", Whole(phase["samples"]),
                    Time(phase["mean_s"]), interval, Time(phase["median_s"]),
                    Time(phase["min_s"]), Time(phase["max_s"]),
                    Rate(phase["tokens_per_s"])});
  }
  return "## Phases\n\nProfiled times include profiling overhead.\n\n" +
         Table({{"Source", Align::kLeft},
                {"Phase", Align::kLeft},
                {"Profiled", Align::kLeft},
                {"n"},
                {"Mean"},
                {"95 % CI"},
                {"Median"},
                {"Min"},
                {"Max"},
                {"Tokens/s"}},
               rows);
}

std::string PeakText(const std::string& peak, std::string_view what) {
  return peak.empty() ? fmt::format("{} unknown", what) : peak;
}

std::string LedgerSection(const Json& report) {
  const Json& ledger = report["ledger"];
  if (ledger.is_null()) return "";
  Rows rows;
  for (const Json& phase : ledger["phases"]) {
    rows.push_back({Text(phase["name"]), Flops(phase["flops"]), Bytes(phase["bytes"]),
                    Time(phase["measured_s"]), Time(phase["least_s"]),
                    Factor(phase["distance"]), Text(phase["bound"]), Share(phase["mfu"]),
                    Share(phase["mbu"])});
  }
  return fmt::format(
             "## Roofline\n\nFLOPs and compulsory bytes in closed form vs unprofiled "
             "times, n={}. {}: peak {}, {}.\n\n",
             ledger["samples"].get<int64_t>(), Escaped(Text(ledger["device"])),
             PeakText(FlopsPerSecond(ledger["compute_flops_per_s"]), "FLOP/s"),
             PeakText(BytesPerSecond(ledger["memory_bytes_per_s"]), "bandwidth")) +
         Table({{"Phase", Align::kLeft},
                {"FLOPs"},
                {"Bytes"},
                {"Measured"},
                {"Roofline time"},
                {"vs roofline"},
                {"Bound", Align::kLeft},
                {"MFU"},
                {"MBU"}},
               rows);
}

std::string DevicesSection(const Json& report) {
  if (report["devices"].empty()) return "";
  Rows rows;
  for (const Json& device : report["devices"]) {
    rows.push_back({Text(device["source"]), Text(device["device"]), Text(device["model"]),
                    Time(device["span_s"]), Time(device["busy_s"]),
                    Time(device["idle_s"]), Time(device["memory_exposed_s"]),
                    Time(device["communication_exposed_s"])});
  }
  return "## Devices\n\n" + Table({{"Source", Align::kLeft},
                                   {"GPU", Align::kLeft},
                                   {"Model", Align::kLeft},
                                   {"Span"},
                                   {"Busy"},
                                   {"Idle"},
                                   {"Exposed copies"},
                                   {"Exposed communication"}},
                                  rows);
}

std::string MemorySection(const Json& report) {
  const Json& memory = report["memory"];
  Rows rows;
  const auto add = [&rows](const std::string& what, const Json& bytes) {
    if (bytes.is_number()) rows.push_back({what, Bytes(bytes)});
  };
  add("Weights read per page", memory["weights_read_bytes"]);
  add("KV cache at the end of a page", memory["kv_cache_bytes"]);
  for (const Json& peak : memory["activation_peaks"]) {
    add("Peak activations, " + Text(peak["phase"]), peak["bytes"]);
  }
  for (const Json& peak : memory["peak_rss"]) {
    add("Peak RSS, " + Text(peak["source"]), peak["bytes"]);
  }
  if (rows.empty()) return "";
  return "## Memory\n\n" + Table({{"Memory", Align::kLeft}, {"Bytes"}}, rows);
}

std::string CountersSection(const Json& report) {
  if (report["ncu"].empty()) return "";
  Rows rows;
  for (const Json& launch : report["ncu"]) {
    if (rows.size() == kShortList) break;
    std::string kernel_class = Text(launch["class"]);
    std::replace(kernel_class.begin(), kernel_class.end(), '_', '-');
    rows.push_back({Text(launch["source"]), Whole(launch["launch"]),
                    Time(launch["duration_s"]), kernel_class, Rate(launch["sm_percent"]),
                    Rate(launch["dram_percent"]), Rate(launch["occupancy_percent"]),
                    Text(launch["name"])});
  }
  return "## Kernels under ncu\n\n" + Table({{"Source", Align::kLeft},
                                             {"Launch"},
                                             {"Duration"},
                                             {"Class", Align::kLeft},
                                             {"SM %"},
                                             {"DRAM %"},
                                             {"Occupancy %"},
                                             {"Kernel", Align::kLeft}},
                                            rows);
}

std::string RegionsSection(const Json& report) {
  if (report["regions"].empty()) return "";
  Rows rows;
  for (const Json& region : report["regions"]) {
    const Json roof = region.value("roof", Json::object());
    const Json instance =
        region["instance"].is_null() ? Json::object() : region["instance"];
    rows.push_back({Text(region["source"]), Text(region["path"]),
                    Whole(region["instances"]), Time(region["cpu_s"]),
                    Whole(region["launches"]), Time(region["gpu_s"]),
                    Time(region["gpu_gap_s"]), Time(instance.value("median_s", Json())),
                    Time(instance.value("p99_s", Json())),
                    FlopsPerSecond(roof.value("flops_per_s", Json())),
                    BytesPerSecond(roof.value("bytes_per_s", Json())),
                    Factor(roof.value("distance", Json()))});
  }
  return "## Regions\n\n" + Table({{"Source", Align::kLeft},
                                   {"Region", Align::kLeft},
                                   {"Instances"},
                                   {"CPU"},
                                   {"Launches"},
                                   {"GPU"},
                                   {"GPU gaps"},
                                   {"Median"},
                                   {"p99"},
                                   {"FLOP/s"},
                                   {"Bytes/s"},
                                   {"vs roofline"}},
                                  rows);
}

std::string KernelTable(const Json& kernels, size_t most) {
  Rows rows;
  for (const Json& kernel : kernels) {
    if (rows.size() == most) break;
    rows.push_back({Text(kernel["source"]), Time(kernel["total_s"]),
                    Share(kernel["share"]), Whole(kernel["launches"]),
                    Time(kernel["mean_s"]), Text(kernel["name"])});
  }
  return Table({{"Source", Align::kLeft},
                {"Total"},
                {"Share"},
                {"Launches"},
                {"Mean"},
                {"Kernel", Align::kLeft}},
               rows);
}

std::string OperatorsSection(const Json& report) {
  if (report["operators"].empty()) return "";
  Rows rows;
  for (const Json& op : report["operators"]) {
    if (rows.size() == kShortList) break;
    rows.push_back({Text(op["source"]), Time(op["self_s"]), Share(op["share"]),
                    Whole(op["calls"]), Text(op["name"])});
  }
  return "## Operators\n\n" + Table({{"Source", Align::kLeft},
                                     {"Self"},
                                     {"Share"},
                                     {"Calls"},
                                     {"Operator", Align::kLeft}},
                                    rows);
}

std::string LeftOutSection(const Json& report) {
  if (report["left_out"].empty()) return "";
  std::string text = "## Dropped records\n\n";
  for (const Json& row : report["left_out"]) {
    text += fmt::format("- {}: {} {}\n", Escaped(Text(row["source"])),
                        Whole(row["count"]), Escaped(Text(row["what"])));
  }
  return text;
}

}  // namespace

std::string RunReportMarkdown(const Json& report) {
  std::string text = Beginning(report);
  const std::string kernels =
      report["kernels"].empty()
          ? ""
          : "## Kernels\n\n" + KernelTable(report["kernels"], kShortList);
  for (const std::string& section :
       {AdviceMarkdown(report), StagesSection(report), PhasesSection(report),
        LedgerSection(report), RegionsSection(report), DevicesSection(report), kernels,
        CountersSection(report), OperatorsSection(report), MemorySection(report),
        LeftOutSection(report)}) {
    if (!section.empty()) text += "\n" + section;
  }
  return text;
}

std::string KernelsMarkdown(const Json& report) {
  const Json& kernels = report["kernels"];
  if (kernels.empty()) return "";
  return "# Kernels\n\n" + KernelTable(kernels, kernels.size());
}

}  // namespace ridgeline::report
