// A sweep as terminal text, Markdown and CSV.
#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "report/cite.h"
#include "report/printers/markdown.h"
#include "report/printers/plain_table.h"
#include "report/sweep/sweep_report.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

constexpr size_t kMaxOverrideText = 40;  // Bytes of an override.
constexpr size_t kMaxReasonText = 120;   // Bytes of a reason.

// "done", "failed (Timeout)", "done (parity failed)"
std::string StateText(const SweepJobRow& job) {
  std::string text = std::string(ToText(job.state));
  if (job.outcome) text += " (" + Shortened(*job.outcome, kMaxOverrideText) + ")";
  if (job.parity == artifacts::Parity::kFailed) text += " (parity failed)";
  return text;
}

// "best", "tied", or for the extreme value without a CI "min" and "max".
std::string RankText(const SweepMetricRow& metric, Rank rank) {
  if (rank == Rank::kNone) return "";
  if (rank == Rank::kExtreme) return metric.better == Better::kLower ? "min" : "max";
  return std::string(NameOf(rank));
}

std::string ValueText(const SweepMetricRow& metric, const SweepValueRow& value) {
  if (!value.value) return "";
  std::string text = Number(*value.value, metric.unit);
  if (value.ci95) {
    text += fmt::format(" ({} to {})", Number((*value.ci95)[0], metric.unit),
                        Number((*value.ci95)[1], metric.unit));
  }
  const std::string rank = RankText(metric, value.rank);
  return rank.empty() ? text : text + " " + rank;
}

struct SweepColumn {
  Column column;
  std::vector<std::string> cells;
};

std::vector<SweepColumn> ColumnsOf(const SweepDocument& document) {
  std::vector<SweepColumn> columns = {{{"Job", Align::kRight}, {}},
                                      {{"State", Align::kLeft}, {}},
                                      {{"Time", Align::kRight}, {}}};
  for (const SweepParameterRow& parameter : document.parameters) {
    columns.push_back({{Shortened(parameter.key, kMaxOverrideText),
                        parameter.numeric ? Align::kRight : Align::kLeft},
                       {}});
  }
  for (const SweepMetricRow& metric : document.metrics) {
    columns.push_back({{metric.title, Align::kRight}, {}});
  }
  columns.push_back({{"Reason", Align::kLeft}, {}});
  for (const SweepJobRow& job : document.jobs) {
    size_t i = 0;
    const auto add = [&](std::string text) {
      columns[i++].cells.push_back(std::move(text));
    };
    add(std::to_string(job.job));
    add(StateText(job));
    add(job.wall_s ? Time(*job.wall_s) : "");
    for (const SweepOverrideRow& parameter : job.parameters) {
      add(Shortened(parameter.value.value_or(""), kMaxOverrideText));
    }
    for (size_t m = 0; m < job.metrics.size(); ++m) {
      add(ValueText(document.metrics[m], job.metrics[m]));
    }
    add(Shortened(job.reason.value_or(""), kMaxReasonText));
  }
  return columns;
}

std::string CountsText(const SweepDocument& document) {
  std::string text;
  for (const SweepCountRow& count : document.counts) {
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", count.jobs, ToText(count.state));
  }
  return text.empty() ? "no jobs" : text;
}

const SweepJobRow* JobOf(const SweepDocument& document, int64_t number) {
  const auto found =
      std::find_if(document.jobs.begin(), document.jobs.end(),
                   [number](const SweepJobRow& job) { return job.job == number; });
  return found == document.jobs.end() ? nullptr : &*found;
}

// "job 3 (model.batch=4): 12.3 ms (12.1 ms to 12.5 ms), best"
std::string BestSentence(const SweepDocument& document, size_t metric) {
  constexpr size_t kNamed = 4;
  const SweepMetricRow& row = document.metrics[metric];
  const SweepJobRow* const job =
      row.best_jobs.empty() ? nullptr : JobOf(document, row.best_jobs.front());
  if (job == nullptr) return "";
  SweepValueRow value = job->metrics[metric];
  value.rank = Rank::kNone;
  std::string text = fmt::format("job {}", job->job);
  if (!job->overrides.empty()) {
    text += " (" + Shortened(job->overrides, kMaxReasonText) + ")";
  }
  text += ": " + ValueText(row, value);
  switch (row.verdict) {
    case BestVerdict::kNone:
      return "";
    case BestVerdict::kSingle:
      return text + ", the only job with a value";
    case BestVerdict::kBest:
      return text + ", best: its 95 % CI overlaps with no other";
    case BestVerdict::kNoCi:
      return text + (row.better == Better::kLower ? ", lowest" : ", highest") +
             " value (too few samples for a comparison)";
    case BestVerdict::kTied:
      break;
  }
  std::vector<int64_t> others(row.best_jobs.begin() + 1, row.best_jobs.end());
  const size_t count = others.size();
  others.resize(std::min(kNamed, count));
  return fmt::format("{}, tied with {} {}{}", text, NounFor(count, "job"),
                     fmt::join(others, ", "), count > kNamed ? ", ..." : "");
}

// Quoted if necessary. A text that looks like a formula gets a leading space.
std::string CsvCell(std::string_view text) {
  std::string cell(text);
  constexpr std::string_view kFormula = "=+-@\t\r";
  if (!cell.empty() && kFormula.find(cell.front()) != kFormula.npos) {
    const bool is_number = cell.find_first_not_of("+-.0123456789eE") == cell.npos;
    if (!is_number) cell.insert(0, " ");
  }
  if (cell.find_first_of("\",\r\n") == cell.npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string CsvLine(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) {
    if (&cell != &cells.front()) line += ',';
    line += CsvCell(cell);
  }
  return line + "\n";
}

template <typename T>
std::string CsvValue(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace

std::string ToTerminal(const SweepDocument& document) {
  std::vector<PlainColumn> columns;
  for (SweepColumn& column : ColumnsOf(document)) {
    columns.push_back({std::move(column.column), std::move(column.cells)});
  }
  return PlainTable(columns) + CountsText(document) + "\n" + BestLines(document);
}

std::string BestLines(const SweepDocument& document) {
  std::string text;
  for (size_t i = 0; i < document.metrics.size(); ++i) {
    const std::string sentence = BestSentence(document, i);
    if (sentence.empty()) continue;
    text += fmt::format("  {:<22} {}\n", document.metrics[i].title, sentence);
  }
  return text;
}

std::string ToMarkdown(const SweepDocument& document) {
  std::string text = fmt::format("# Sweep: {}\n\n{}. {}, launcher {}, started {}.\n",
                                 Escaped(document.name), CountsText(document),
                                 Plural(document.jobs.size(), "job"),
                                 Escaped(document.launcher), Escaped(document.created));
  std::string best;
  for (size_t i = 0; i < document.metrics.size(); ++i) {
    const std::string sentence = BestSentence(document, i);
    if (sentence.empty()) continue;
    best += fmt::format("- {} ({} is better): {}.\n", Escaped(document.metrics[i].title),
                        NameOf(document.metrics[i].better), Escaped(sentence));
  }
  if (!best.empty()) text += "\n## Best jobs\n\n" + best;
  std::vector<Column> headings;
  std::vector<std::vector<std::string>> rows(document.jobs.size());
  for (const SweepColumn& column : ColumnsOf(document)) {
    headings.push_back(column.column);
    for (size_t i = 0; i < rows.size(); ++i) rows[i].push_back(column.cells[i]);
  }
  text +=
      "\n## Jobs\n\nMeans with their 95 % CI in parentheses. best: no other CI "
      "overlaps; tied: it does; min, max: no CI of at least 5 samples to compare.\n\n" +
      Table(headings, rows);
  if (!document.notes.empty()) text += "\n## Notes\n\n";
  for (const std::string& note : document.notes) text += "- " + Escaped(note) + "\n";
  return text;
}

std::string ToCsv(const SweepDocument& document) {
  std::vector<std::string> headings = {"job",       "state",      "outcome",
                                       "exit_code", "job_wall_s", "attempts",
                                       "host",      "slurm_id",   "directory"};
  for (const SweepParameterRow& parameter : document.parameters) {
    headings.push_back(parameter.key);
  }
  for (const SweepMetricRow& metric : document.metrics) {
    headings.insert(headings.end(), {metric.id, metric.id + "_ci95_low",
                                     metric.id + "_ci95_high", metric.id + "_rank"});
  }
  headings.emplace_back("reason");
  std::string text = CsvLine(headings);
  for (const SweepJobRow& job : document.jobs) {
    std::vector<std::string> cells = {std::to_string(job.job),
                                      std::string(ToText(job.state)),
                                      job.outcome.value_or(""),
                                      CsvValue(job.exit_code),
                                      CsvValue(job.wall_s),
                                      std::to_string(job.attempts),
                                      job.host.value_or(""),
                                      job.slurm_id.value_or(""),
                                      job.directory};
    for (const SweepOverrideRow& parameter : job.parameters) {
      cells.push_back(parameter.value.value_or(""));
    }
    for (const SweepValueRow& value : job.metrics) {
      cells.push_back(CsvValue(value.value));
      cells.push_back(value.ci95 ? fmt::format("{}", (*value.ci95)[0]) : "");
      cells.push_back(value.ci95 ? fmt::format("{}", (*value.ci95)[1]) : "");
      cells.emplace_back(value.rank == Rank::kNone ? "" : NameOf(value.rank));
    }
    cells.push_back(job.reason.value_or(""));
    text += CsvLine(cells);
  }
  return text;
}

}  // namespace ridgeline::report
