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

// Times to trust are those of no profiler, of direct_inference before others.
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
          ? "# Summary of recorded profiles\n\n"
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
  std::string text = "\n## Can it be trusted?\n\n";
  if (verdict.Is("valid", false)) {
    text +=
        "- **No: the model no longer says what its reference says.** Its times are "
        "those of another computation.\n";
  } else if (verdict.Is("valid", true)) {
    text += "- The model says what its reference says.\n";
  } else {
    text += "- What the model said was compared with nothing.\n";
  }
  if (verdict.Is("complete", true)) {
    text += "- Everything that was asked for was measured.\n";
  } else if (run.Text("state") != "imported") {
    text +=
        "- **Not everything that was asked for was measured**; what is missing is at "
        "the end.\n";
  }
  const auto notes = verdict.Number("notes");
  if (notes && notes->value > 0) {
    text +=
        fmt::format("- {} in report.md.\n", Plural(std::llround(notes->value), "note"));
  }
  return text;
}

// Of the model alone where that was measured: profilers need memory, too.
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

std::string HeadlineSection(const Row& report) {
  std::string text;
  if (const std::optional<Row> page = PhaseRow(report, "page")) {
    text += "- A page takes " +
            MeanText(page->Number("mean_s")->value, IntervalOf(*page), ShowSeconds);
    if (const auto samples = page->Number("samples")) {
      text += fmt::format(", from {}", Plural(std::llround(samples->value), "sample"));
    }
    text += ".\n";
  }
  if (const std::optional<Row> decode = PhaseRow(report, "decode")) {
    if (const auto speed = decode->Number("tokens_per_s")) {
      text += fmt::format("- Text comes at {} tokens per second.\n",
                          estimates::Ratio(speed->value));
    }
  }
  if (const std::optional<double> most = MostMemory(report)) {
    text += fmt::format("- It needs {} of memory.\n", SignedBytes(*most));
  }
  for (const Row& device : report.List("devices")) {
    const auto busy = device.Number("busy_s");
    const auto span = device.Number("span_s");
    const std::optional<double> share = ShareOf(busy, span);
    if (!share) continue;
    const std::string model = device.Text("model");
    text += fmt::format(
        "- {} works for {} of {} that were recorded ({}).\n",
        Escaped(model.empty() ? "Device " + device.Text("device") : model),
        Percent(*share), estimates::Seconds(span->value), Escaped(device.Text("source")));
  }
  const std::string parts =
      PagePartsTable({.page_s = MeanOrZero(report, "page"),
                      .preprocess_s = MeanOrZero(report, "preprocess"),
                      .vision_s = MeanOrZero(report, "vision"),
                      .prefill_s = MeanOrZero(report, "prefill"),
                      .decode_s = MeanOrZero(report, "decode")});
  if (!parts.empty()) text += "\n" + parts;
  return text.empty() ? "" : "\n## What was measured\n\n" + text;
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
  return text.empty() ? "" : "\n## How far from the limit of the device\n\n" + text;
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

// Doubts about the run are told under trust, and by what is missing.
std::string AdviceSection(const Json& report) {
  std::string text;
  size_t number = 0;
  for (const Row& advice : Row(report).List("advice")) {
    if (advice.Text("section") == "verdict" || number == kMostShown) continue;
    text += fmt::format("{}. {}", ++number, AdviceItem(report, advice));
  }
  return text.empty() ? "" : "\n## What to do first\n\n" + text;
}

struct Missing {
  const char* section;  // Of the report: empty, null or not there.
  const char* stage;    // That would measure it.
  const char* what;
  const char* how;
};

constexpr Missing kMissing[] = {
    {"phases", "direct_inference", "How long pages take",
     "pipeline.direct_inference.enable=true"},
    {"ledger", "static_analysis", "How far from the limit it is",
     "pipeline.static_analysis.enable=true"},
    {"kernels", "nsys", "What GPUs did", "pipeline.nsys.enable=true"},
    {"operators", "torch_profiler", "Which operators take the time",
     "pipeline.torch_profiler.enabled=true"},
    {"ncu", "ncu", "Counters of kernels", "pipeline.ncu.enable=true"},
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
    if (is_there) continue;
    text += fmt::format("- {}", missing.what);
    if (!is_run) {
      text += ".\n";
    } else if (IsDone(report, missing.stage)) {
      text += fmt::format(": {} ran and saw nothing of it.\n", missing.stage);
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
    text +=
        "- How far chance moves the mean: too few samples for an interval "
        "(`run.repeats`).\n";
  }
  double left_out = 0;
  for (const Row& row : report.List("left_out")) {
    if (const auto count = row.Number("count")) left_out += count->value;
  }
  if (left_out > 0) {
    text += fmt::format(
        "- {:.0f} records that importers could not use; report.md lists "
        "them.\n",
        left_out);
  }
  return text.empty() ? "" : "\n## What was not measured\n\n" + text;
}

}  // namespace

std::string RunStakeholderMarkdown(const Json& report) {
  const Row root(report);
  return Title(root) + TrustSection(root) + HeadlineSection(root) + LimitSection(root) +
         AdviceSection(report) + MissingSection(root);
}

}  // namespace ridgeline::report
