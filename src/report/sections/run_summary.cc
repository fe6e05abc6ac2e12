#include "report/sections/run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimates/scaled.h"
#include "report/advice/reading.h"
#include "report/advice/words.h"
#include "report/printers/markdown.h"
#include "report/sections/summary_lines.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostShown = 3;  // Pieces of advice, and of the evidence of each.

// Unprofiled times, preferably of direct_inference.
std::optional<Row> PhaseRow(const Row& report, std::string_view name) {
  std::optional<Row> any;
  for (const Row& phase : report.List("phases")) {
    if (phase.Text("phase") != name || !phase.Is("profiled", false)) continue;
    if (!phase.Number("mean_s")) continue;
    if (phase.Text("source").starts_with("direct_inference")) return phase;
    if (!any) any = phase;
  }
  return any;
}

double MeanOrZero(const Row& report, std::string_view name) {
  const std::optional<Row> phase = PhaseRow(report, name);
  return phase ? phase->Number("mean_s")->value : 0;
}

std::optional<analysis::ConfidenceInterval> IntervalOf(const Row& phase) {
  const std::vector<Cited> ends = phase.Numbers("mean_ci95_s");
  if (ends.size() != 2) return {};
  return analysis::ConfidenceInterval{ends[0].value, ends[1].value};
}

std::string Title(const Row& report) {
  const Row run = report.At("run");
  std::string text =
      run.Text("state") == "imported"
          ? "# Summary of imported profiles\n\n"
          : fmt::format("# Summary of run {}\n\n", Escaped(run.Text("id")));
  std::string what = run.Text("workload");
  if (what.empty()) {
    what = Plural(static_cast<int64_t>(report.List("sources").size()), "file");
  }
  text += Escaped(what);
  if (const std::string host = run.Text("host"); !host.empty()) {
    text += " on " + Escaped(host);
  }
  if (const std::string started = run.Text("started"); !started.empty()) {
    text += ", " + Escaped(started);
  }
  return text + ".\n";
}

std::string TrustSection(const Row& report) {
  const Row verdict = report.At("verdict");
  const Row run = report.At("run");
  if (run.Text("state") == "imported") return "";  // There is nothing to check.
  std::string text = "\n## Validity\n\n";
  if (verdict.Is("valid", false)) {
    text +=
        "- **Output parity failed**: predictions differ from the reference. Do not use "
        "the times of this run.\n";
  } else if (verdict.Is("valid", true)) {
    text += "- Output parity passed.\n";
  } else {
    text += "- Output parity was not checked.\n";
  }
  if (verdict.Is("complete", true)) {
    text += "- All stages completed.\n";
  } else {
    text += "- **Some stages did not complete**; see below.\n";
  }
  const auto notes = verdict.Number("notes");
  if (notes && notes->value > 0) {
    text +=
        fmt::format("- {} in report.md.\n", Plural(std::llround(notes->value), "note"));
  }
  return text;
}

// Of the unprofiled process if possible: profilers need memory, too.
std::optional<double> MostMemory(const Row& report) {
  std::optional<double> most;
  for (const Row& peak : report.At("memory").List("peak_rss")) {
    const auto bytes = peak.Number("bytes");
    if (!bytes) continue;
    if (peak.Text("source").starts_with("direct_inference:")) return bytes->value;
    most = std::max(most.value_or(0), bytes->value);
  }
  return most;
}

// "- ncu: 4 launches (3 memory-bound, 1 latency-bound).\n"
std::string NcuLine(const Row& report) {
  const std::vector<Row> launches = report.List("ncu");
  if (launches.empty()) return "";
  std::vector<std::pair<std::string, int64_t>> classes;
  for (const Row& launch : launches) {
    std::string name = Shortened(launch.Text("class"), kLongestName);
    std::replace(name.begin(), name.end(), '_', '-');
    const auto known = std::find_if(classes.begin(), classes.end(),
                                    [&name](const auto& c) { return c.first == name; });
    if (known == classes.end()) {
      classes.emplace_back(std::move(name), 1);
    } else {
      ++known->second;
    }
  }
  std::stable_sort(classes.begin(), classes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string list;
  for (const auto& [name, count] : classes) {
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, Escaped(name));
  }
  return fmt::format(
      "- ncu: {} profiled ({}).\n",
      launches.size() == 1 ? "1 launch" : fmt::format("{} launches", launches.size()),
      list);
}

std::string HeadlineSection(const Row& report) {
  std::string text;
  if (const std::optional<Row> page = PhaseRow(report, "page")) {
    text += "- Page: " +
            MeanText(page->Number("mean_s")->value, IntervalOf(*page), ShowSeconds);
    if (const auto samples = page->Number("samples")) {
      text += fmt::format(", n={:.0f}", samples->value);
    }
    text += ".\n";
  }
  if (const std::optional<Row> decode = PhaseRow(report, "decode")) {
    if (const auto speed = decode->Number("tokens_per_s")) {
      text += fmt::format("- Decode throughput: {} tokens/s.\n",
                          estimates::Ratio(speed->value));
    }
  }
  if (const std::optional<double> most = MostMemory(report)) {
    text += fmt::format("- Peak RSS: {}.\n", SignedBytes(*most));
  }
  for (const Row& device : report.List("devices")) {
    const auto busy = device.Number("busy_s");
    const auto span = device.Number("span_s");
    const std::optional<double> share = ShareOf(busy, span);
    if (!share) continue;
    const std::string model = device.Text("model");
    text += fmt::format("- {}: busy {} of {} captured ({}).\n",
                        Escaped(model.empty() ? "GPU " + device.Text("device") : model),
                        Percent(*share), estimates::Seconds(span->value),
                        Escaped(device.Text("source")));
  }
  text += NcuLine(report);
  const std::string parts =
      PagePartsTable({.page_s = MeanOrZero(report, "page"),
                      .preprocess_s = MeanOrZero(report, "preprocess"),
                      .vision_s = MeanOrZero(report, "vision"),
                      .prefill_s = MeanOrZero(report, "prefill"),
                      .decode_s = MeanOrZero(report, "decode")});
  if (!parts.empty()) text += "\n" + parts;
  return text.empty() ? "" : "\n## Results\n\n" + text;
}

std::string LimitSection(const Row& report) {
  const Row ledger = report.At("ledger");
  const std::string device = ledger.Text("device");
  std::string text;
  for (const Row& phase : ledger.List("phases")) {
    const auto distance = phase.Number("distance");
    const std::string bound = phase.Text("bound");
    if (!distance || phase.Text("name") == "page") continue;
    if (bound != "memory" && bound != "compute") continue;
    text += LimitLine(phase.Text("name"), distance->value,
                      device.empty() ? "the device" : device, bound == "memory");
  }
  return text.empty() ? "" : "\n## Roofline\n\n" + text;
}

std::string AdviceItem(const Json& report, const Row& advice) {
  std::string evidence;
  size_t shown = 0;
  for (const std::string& pointer : advice.Texts("evidence")) {
    const std::string words = EvidenceInWords(report, pointer);
    if (words.empty() || ++shown > kMostShown) continue;
    evidence += (evidence.empty() ? "" : "; ") + Escaped(words);
  }
  return AdviceSentence(advice) + (evidence.empty() ? "" : " (" + evidence + ")") + "\n";
}

// Doubts about the run are under "Validity" and "Not measured".
std::string AdviceSection(const Json& report) {
  std::string text;
  size_t number = 0;
  for (const Row& advice : Row(report).List("advice")) {
    if (advice.Text("section") == "verdict" || number == kMostShown) continue;
    text += fmt::format("{}. {}", ++number, AdviceItem(report, advice));
  }
  return text.empty() ? "" : "\n## Top advice\n\n" + text;
}

struct Missing {
  const char* section;  // Of the report: empty, null or not there.
  const char* stage;    // That would measure it.
  const char* what;
  const char* how;
  bool is_of_runs = false;  // Not in any profile that can be imported.
};

constexpr Missing kMissing[] = {
    {"phases", "direct_inference", "Unprofiled times",
     "pipeline.direct_inference.enable=true", true},
    {"ledger", "static_analysis", "Roofline of the model",
     "pipeline.static_analysis.enable=true", true},
    {"kernels", "nsys", "GPU timeline (nsys)", "pipeline.nsys.enable=true"},
    {"operators", "torch_profiler", "Operators", "pipeline.torch_profiler.enabled=true"},
    {"ncu", "ncu", "Kernel counters (ncu)", "pipeline.ncu.enable=true"},
};

bool IsDone(const Row& report, std::string_view stage) {
  for (const Row& row : report.List("stages")) {
    if (row.Text("name") == stage) return row.Text("state") == "done";
  }
  return false;
}

std::string MissingSection(const Row& report) {
  std::string text;
  const bool is_run = report.At("run").Text("state") != "imported";
  for (const Missing& missing : kMissing) {
    const bool is_there =
        report.At(missing.section).is_object() || !report.List(missing.section).empty();
    if (is_there || (!is_run && missing.is_of_runs)) continue;
    text += fmt::format("- {}", missing.what);
    if (!is_run) {
      text += ".\n";
    } else if (IsDone(report, missing.stage)) {
      text += fmt::format(": none recorded by {}.\n", missing.stage);
    } else {
      text += fmt::format(" (`{}`).\n", missing.how);
    }
  }
  for (const Row& stage : report.List("stages")) {
    const std::string state = stage.Text("state");
    if (state.empty() || state == "done" || state == "disabled") continue;
    const std::string why = stage.Text("why");
    text += fmt::format("- {} {}{}\n", Escaped(stage.Text("name")), Escaped(state),
                        why.empty() ? "." : ": " + Escaped(Quoted(why)));
  }
  const std::optional<Row> page = PhaseRow(report, "page");
  if (page && !IntervalOf(*page)) {
    text += "- 95 % CI of the page time: too few samples (raise `run.repeats`).\n";
  }
  double left_out = 0;
  for (const Row& row : report.List("left_out")) {
    if (const auto count = row.Number("count")) left_out += count->value;
  }
  if (left_out > 0) {
    text += fmt::format(
        "- {:.0f} records dropped by importers; report.md lists the reasons.\n",
        left_out);
  }
  return text.empty() ? "" : "\n## Not measured\n\n" + text;
}

}  // namespace

std::string RunStakeholderMarkdown(const Json& report) {
  const Row root(report);
  return Title(root) + TrustSection(root) + HeadlineSection(root) + LimitSection(root) +
         AdviceSection(report) + MissingSection(root);
}

}  // namespace ridgeline::report
