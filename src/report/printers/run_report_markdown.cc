#include <fmt/format.h>

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
  if (verdict["valid"] == true) text += "; what the model said is what it should";
  if (verdict["valid"] == false) text += "; **not valid**";
  return text + fmt::format("; {}.\n", Plural(verdict["notes"].get<int64_t>(), "note"));
}

// Of files that were imported there is no run to tell of.
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
  return fmt::format("# Run {}\n\n{}\nObserved: {}, on {}, {}.\n",
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
  return "## Phases\n\nTimes under a profiler are apart from those without one.\n\n" +
         Table({{"Measured by", Align::kLeft},
                {"Phase", Align::kLeft},
                {"Under a profiler", Align::kLeft},
                {"Samples"},
                {"Mean"},
                {"95 % of means"},
                {"Median"},
                {"Least"},
                {"Most"},
                {"Tokens/s"}},
               rows);
}

std::string LedgerSection(const Json& report) {
  const Json& ledger = report["ledger"];
  if (ledger.is_null()) return "";
  Rows rows;
  for (const Json& phase : ledger["phases"]) {
    rows.push_back({Text(phase["name"]), Flops(phase["flops"]), Bytes(phase["bytes"]),
                    Time(phase["measured_s"]), Time(phase["least_s"]),
                    Rate(phase["distance"]), Text(phase["bound"]), Share(phase["mfu"]),
                    Share(phase["mbu"])});
  }
  return fmt::format(
             "## Ledger\n\nWhat the model has to do in closed form, against {} of {} "
             "and {}; {} read without a profiler.\n\n",
             Escaped(Text(ledger["device"])),
             FlopsPerSecond(ledger["compute_flops_per_s"]),
             BytesPerSecond(ledger["memory_bytes_per_s"]),
             Plural(ledger["samples"].get<int64_t>(), "page")) +
         Table({{"Phase", Align::kLeft},
                {"FLOPs"},
                {"Bytes"},
                {"Measured"},
                {"Least"},
                {"Times its least"},
                {"Bound by", Align::kLeft},
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
  return "## Devices\n\n" + Table({{"Measured by", Align::kLeft},
                                   {"GPU", Align::kLeft},
                                   {"Model", Align::kLeft},
                                   {"From first to last"},
                                   {"Busy"},
                                   {"Idle"},
                                   {"Only copies"},
                                   {"Only communication"}},
                                  rows);
}

std::string MemorySection(const Json& report) {
  const Json& memory = report["memory"];
  Rows rows;
  const auto add = [&rows](const std::string& what, const Json& bytes) {
    if (bytes.is_number()) rows.push_back({what, Bytes(bytes)});
  };
  add("Weights, read per page", memory["weights_read_bytes"]);
  add("KV cache at the end of a page", memory["kv_cache_bytes"]);
  for (const Json& peak : memory["activation_peaks"]) {
    add("Activations of " + Text(peak["phase"]) + ", at most", peak["bytes"]);
  }
  for (const Json& peak : memory["peak_rss"]) {
    add("Resident at most: " + Text(peak["source"]), peak["bytes"]);
  }
  if (rows.empty()) return "";
  return "## Memory\n\n" + Table({{"What", Align::kLeft}, {"Bytes"}}, rows);
}

std::string CountersSection(const Json& report) {
  if (report["ncu"].empty()) return "";
  Rows rows;
  for (const Json& launch : report["ncu"]) {
    if (rows.size() == kShortList) break;
    rows.push_back({Text(launch["source"]), Time(launch["duration_s"]),
                    Text(launch["class"]), Rate(launch["sm_percent"]),
                    Rate(launch["dram_percent"]), Rate(launch["occupancy_percent"]),
                    Text(launch["name"])});
  }
  return "## Counters\n\n" + Table({{"Measured by", Align::kLeft},
                                    {"Time"},
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
                    Rate(roof.value("distance", Json()))});
  }
  return "## Regions\n\n" + Table({{"Measured by", Align::kLeft},
                                   {"Region", Align::kLeft},
                                   {"Times"},
                                   {"CPU"},
                                   {"Launches"},
                                   {"GPU"},
                                   {"Gaps"},
                                   {"Median of one"},
                                   {"p99"},
                                   {"FLOP/s"},
                                   {"Bytes/s"},
                                   {"Times its least"}},
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
  return Table({{"Measured by", Align::kLeft},
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
  return "## Operators\n\n" + Table({{"Measured by", Align::kLeft},
                                     {"Self"},
                                     {"Share"},
                                     {"Calls"},
                                     {"Operator", Align::kLeft}},
                                    rows);
}

std::string LeftOutSection(const Json& report) {
  if (report["left_out"].empty()) return "";
  std::string text = "## Left out\n\n";
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
