#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/run/run_printer.h"
#include "app/run/sweep_plan.h"
#include "base/json.h"
#include "base/plural.h"
#include "base/printable.h"
#include "base/printable_stream.h"
#include "base/utf8.h"
#include "os/clock.h"
#include "os/command.h"
#include "os/env.h"

namespace ridgeline::app {
namespace {

using artifacts::State;
using artifacts::SweepJob;
using Json = nlohmann::ordered_json;

void WriteEvent(std::ostream& out, std::string_view name, Json fields) {
  Json event = {
      {"schema_version", kEventVersion}, {"time", os::Timestamp()}, {"event", name}};
  event.update(fields);
  out << DumpJson(event) << '\n' << std::flush;
}

std::string OverridesText(const SweepJob& job) {
  return fmt::format("{}", fmt::join(job.overrides, " "));
}

Json JobJson(const SweepJob& job) {
  Json json = {{"job", job.number},
               {"overrides", OverridesText(job)},
               {"directory", job.directory}};
  if (!job.slurm_id.empty()) {
    json["slurm_id"] = job.slurm_id;
    json["host"] = job.host;
  }
  return json;
}

// "Timeout: time limit reached"
std::string ReasonText(const SweepJob& job) {
  if (job.outcome.empty()) return job.reason;
  return job.reason.empty() ? job.outcome : job.outcome + ": " + job.reason;
}

// One column of the table; not shown without a title.
struct SweepColumn {
  std::string title;
  bool is_right = false;
  std::vector<std::string> cells;
};

std::vector<SweepColumn> SweepColumns(const std::vector<SweepJob>& jobs) {
  std::vector<SweepColumn> columns = {{"job", true, {}},    {"state", false, {}},
                                      {"time", true, {}},   {"tries", true, {}},
                                      {"node", false, {}},  {"overrides", false, {}},
                                      {"reason", false, {}}};
  const bool has_tries = std::any_of(
      jobs.begin(), jobs.end(), [](const SweepJob& job) { return job.attempts > 1; });
  const bool has_nodes = std::any_of(jobs.begin(), jobs.end(), [](const SweepJob& job) {
    return !job.slurm_id.empty();
  });
  if (!has_tries) columns[3].title.clear();
  if (!has_nodes) columns[4].title.clear();
  for (const SweepJob& job : jobs) {
    const std::string cells[] = {std::to_string(job.number),
                                 std::string(ToText(job.state)),
                                 job.wall_s ? DurationText(*job.wall_s) : "-",
                                 std::to_string(job.attempts),
                                 job.host.empty() ? "-" : job.host,
                                 OverridesText(job),
                                 ReasonText(job)};
    for (size_t i = 0; i < columns.size(); ++i) columns[i].cells.push_back(cells[i]);
  }
  return columns;
}

std::string SweepLine(const std::vector<SweepColumn>& columns,
                      const std::vector<size_t>& widths, std::optional<size_t> row) {
  std::string line;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].title.empty()) continue;
    const std::string& cell = row ? columns[i].cells[*row] : columns[i].title;
    line += (line.empty() ? "" : "  ") + (columns[i].is_right
                                              ? fmt::format("{:>{}}", cell, widths[i])
                                              : fmt::format("{:<{}}", cell, widths[i]));
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string SweepRows(const std::vector<SweepJob>& jobs) {
  constexpr size_t kWidest = 60;
  const std::vector<SweepColumn> columns = SweepColumns(jobs);
  std::vector<size_t> widths = {4, 11, 10, 0, 0, 0, 0};
  for (size_t i = 0; i < columns.size(); ++i) {
    widths[i] = std::max(widths[i], columns[i].title.size());
    for (const std::string& cell : columns[i].cells) {
      widths[i] = std::max(widths[i], std::min(cell.size(), kWidest));
    }
  }
  widths.back() = 0;
  std::string text = SweepLine(columns, widths, std::nullopt);
  for (size_t row = 0; row < jobs.size(); ++row) text += SweepLine(columns, widths, row);
  return text;
}

}  // namespace

SweepPrinter::Style StyleOf(const RunOptions& options) {
  return {.json = options.json,
          .is_quiet = options.verbosity == RunOptions::Verbosity::kQuiet,
          .live_columns = os::TerminalColumns(os::Stream::kError)};
}

void PrintSweepPlan(const SweepPlan& plan, std::ostream& out) {
  const artifacts::SweepManifest& sweep = plan.sweep;
  out << fmt::format(
      "sweep     {}\n"
      "jobs      {}, {} in parallel{}\n",
      sweep.directory, sweep.jobs.size(),
      std::min(static_cast<size_t>(sweep.parallel_jobs), sweep.jobs.size()),
      plan.slurm ? ", submitted to Slurm" : "");
  for (const SweepJob& job : sweep.jobs) {
    os::Command command;
    command.argv = {"ridgeline"};
    command.argv.insert(command.argv.end(), job.arguments.begin(), job.arguments.end());
    out << fmt::format("\n  job {}  {}\n     {}\n     writes   {}/\n", job.number,
                       OverridesText(job), command.ToShellString(), job.directory);
  }
}

std::string SweepCounts(const std::vector<SweepJob>& jobs) {
  std::map<std::string, int> counts;
  for (const SweepJob& job : jobs) ++counts[std::string(ToText(job.state))];
  std::string text;
  for (const char* state : {"done", "failed", "interrupted", "running", "pending"}) {
    if (counts[state] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[state], state);
  }
  return text;
}

std::string SweepTable(const std::vector<SweepJob>& jobs) {
  return SweepRows(jobs) + SweepCounts(jobs) + "\n";
}

void SweepPrinter::ClearLive() {
  EraseLines(streams_.err, live_lines_);
  live_lines_ = 0;
}

void SweepPrinter::Note(const std::string& text) {
  ClearLive();
  streams_.err << "ridgeline: " << text << '\n' << std::flush;
}

void SweepPrinter::SweepStarted(const artifacts::SweepManifest& sweep) {
  if (style_.json) {
    WriteEvent(streams_.out, "sweep_started",
               {{"directory", sweep.directory},
                {"jobs", sweep.jobs.size()},
                {"launcher", sweep.launcher}});
  } else if (!style_.is_quiet) {
    streams_.err << fmt::format("ridgeline: sweep {}: {}, {} in parallel\n",
                                sweep.directory, Plural(sweep.jobs.size(), "job"),
                                std::min(static_cast<size_t>(sweep.parallel_jobs),
                                         sweep.jobs.size()))
                 << std::flush;
  }
}

void SweepPrinter::JobStarted(const SweepJob& job) {
  if (style_.json) {
    WriteEvent(streams_.out, "job_started", JobJson(job));
  } else if (!style_.is_quiet && live_lines_ == 0) {
    streams_.err << fmt::format("ridgeline: job {} started{}: {}\n", job.number,
                                job.slurm_id.empty() ? "" : " on " + job.host,
                                OverridesText(job))
                 << std::flush;
  }
}

void SweepPrinter::JobEnded(const SweepJob& job) {
  if (style_.json) {
    Json fields = JobJson(job);
    fields["state"] = ToText(job.state);
    fields["outcome"] = job.outcome.empty() ? Json() : Json(job.outcome);
    fields["exit_code"] = job.exit_code ? Json(*job.exit_code) : Json();
    fields["wall_s"] = job.wall_s.value_or(0);
    fields["reason"] = job.reason;
    WriteEvent(streams_.out, "job_ended", std::move(fields));
  } else if (!style_.is_quiet || job.state != State::kDone) {
    ClearLive();
    const std::string reason = ReasonText(job);
    streams_.err << fmt::format("ridgeline: job {} {} {} {}{}{}\n", job.number,
                                ToText(job.state),
                                job.state == State::kDone ? "in" : "after",
                                DurationText(job.wall_s.value_or(0)),
                                reason.empty() ? "" : ": ", reason)
                 << std::flush;
  }
}

void SweepPrinter::ShowLive(const artifacts::SweepManifest& sweep, double elapsed_s) {
  if (!IsLive() || style_.is_quiet) return;
  constexpr size_t kMostRows = 12;
  std::vector<SweepJob> running;
  for (const SweepJob& job : sweep.jobs) {
    if (job.state == State::kRunning && running.size() < kMostRows)
      running.push_back(job);
  }
  std::string text =
      fmt::format("{}  ({})\n", SweepCounts(sweep.jobs), DurationText(elapsed_s));
  if (!running.empty()) text += SweepRows(running);
  ClearLive();
  // A line that wraps could not be erased.
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    streams_.err << HeadOf(Printable(text.substr(at, end - at)),
                           static_cast<size_t>(style_.live_columns - 1))
                 << '\n';
    ++live_lines_;
    at = end + 1;
  }
  streams_.err << std::flush;
}

void SweepPrinter::SweepEnded(const artifacts::SweepManifest& sweep, ExitStatus status) {
  ClearLive();
  if (style_.json) {
    WriteEvent(streams_.out, "sweep_ended",
               {{"directory", sweep.directory},
                {"counts", SweepCounts(sweep.jobs)},
                {"exit_code", static_cast<int>(status)}});
  } else {
    streams_.out << SweepTable(sweep.jobs) << sweep.directory << '\n';
  }
}

}  // namespace ridgeline::app
