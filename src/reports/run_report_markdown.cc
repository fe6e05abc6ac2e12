#include <fmt/format.h>

#include "estimates/scaled.h"
#include "reports/markdown.h"
#include "reports/run_report.h"

namespace ridgeline::reports {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

constexpr size_t kShortList = 10;

std::string Text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : "";
}

std::string Time(const Json& seconds) {
  return seconds.is_number() ? estimates::Seconds(seconds.get<double>()) : "";
}

std::string Share(const Json& share) {
  return share.is_number() ? Percent(share.get<double>()) : "";
}

std::string Whole(const Json& number) {
  return number.is_number() ? std::to_string(number.get<int64_t>()) : "";
}

std::string Rate(const Json& number) {
  return number.is_number() ? estimates::Ratio(number.get<double>()) : "";
}

std::string FlopsPerSecond(const Json& number) {
  return number.is_number() ? estimates::Flops(number.get<double>()) : "";
}

std::string BytesPerSecond(const Json& number) {
  return number.is_number() ? estimates::Bytes(number.get<double>()) : "";
}

std::string VerdictLine(const Json& report) {
  const Json& verdict = report["verdict"];
  std::string text = fmt::format("**{}**", Text(report["run"]["state"]));
  if (!report["run"]["why"].is_null()) text += ": " + Escaped(Text(report["run"]["why"]));
  text += verdict["complete"] == true ? "; complete" : "; not complete";
  if (verdict["valid"] == true) text += "; what the model said is what it should";
  if (verdict["valid"] == false) text += "; **not valid**";
  return text + fmt::format("; {}.\n", Plural(verdict["notes"].get<int64_t>(), "note"));
}

std::string StagesSection(const Json& report) {
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

std::string RegionsSection(const Json& report) {
  if (report["regions"].empty()) return "";
  Rows rows;
  for (const Json& region : report["regions"]) {
    const Json roof = region.value("roof", Json::object());
    rows.push_back(
        {Text(region["source"]), Text(region["path"]), Whole(region["instances"]),
         Time(region["cpu_s"]), Whole(region["launches"]), Time(region["gpu_s"]),
         Time(region["gpu_gap_s"]), FlopsPerSecond(roof.value("flops_per_s", Json())),
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
  const Json& run = report["run"];
  std::string text =
      fmt::format("# Run {}\n\n{}\nObserved: {}, on {}, {}.\n", Escaped(Text(run["id"])),
                  VerdictLine(report), Escaped(Text(run["workload"])),
                  Escaped(Text(run["host"])), Text(run["started"]));
  const std::string kernels =
      report["kernels"].empty()
          ? ""
          : "## Kernels\n\n" + KernelTable(report["kernels"], kShortList);
  for (const std::string& section :
       {StagesSection(report), PhasesSection(report), RegionsSection(report), kernels,
        OperatorsSection(report), LeftOutSection(report)}) {
    if (!section.empty()) text += "\n" + section;
  }
  return text;
}

std::string KernelsMarkdown(const Json& report) {
  const Json& kernels = report["kernels"];
  if (kernels.empty()) return "";
  return "# Kernels\n\n" + KernelTable(kernels, kernels.size());
}

std::string RunSummaryText(const Json& report) {
  std::string text;
  const auto line = [&text](std::string_view what, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {:<18} {}\n", what, value);
  };
  for (const Json& phase : report["phases"]) {
    const std::string name = Text(phase["phase"]);
    const bool is_shown = name == "page" || name == "prefill" || name == "decode";
    if (phase["profiled"] == true || !is_shown) continue;
    if (Text(phase["source"]).find("direct_inference") == std::string::npos) continue;
    std::string value = Time(phase["mean_s"]);
    if (phase["mean_ci95_s"].is_array()) {
      value += fmt::format("  ({} to {})", Time(phase["mean_ci95_s"][0]),
                           Time(phase["mean_ci95_s"][1]));
    }
    if (phase["tokens_per_s"].is_number() && name == "decode") {
      value += fmt::format("  {} tokens/s", Rate(phase["tokens_per_s"]));
    }
    line(name, value);
  }
  if (!report["operators"].empty()) {
    const Json& first = report["operators"][0];
    line("longest operator",
         fmt::format("{}  {}", Share(first["share"]), Text(first["name"])));
  }
  if (!report["kernels"].empty()) {
    const Json& first = report["kernels"][0];
    line("longest kernel",
         fmt::format("{}  {}", Share(first["share"]), Text(first["name"]).substr(0, 60)));
  }
  return text;
}

}  // namespace ridgeline::reports
