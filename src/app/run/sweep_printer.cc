#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/run/run_printer.h"
#include "app/run/sweep_plan.h"
#include "base/json.h"
#include "os/clock.h"
#include "os/command.h"

namespace ridgeline::app {
namespace {

using artifacts::State;
using Json = nlohmann::ordered_json;

void WriteEvent(std::ostream& out, std::string_view name, Json fields) {
  Json event = {
      {"schema_version", kEventVersion}, {"time", os::Timestamp()}, {"event", name}};
  event.update(fields);
  out << DumpJson(event) << '\n' << std::flush;
}

Json JobJson(const PlannedJob& job) {
  return {
      {"job", job.number}, {"overrides", job.overrides}, {"directory", job.directory}};
}

// "not started" reads better in a table than "pending".
std::string StateText(State state) {
  return state == State::kPending ? "not started" : std::string(ToText(state));
}

std::string Counts(const std::vector<JobOutcome>& ends) {
  std::map<State, int> counts;
  for (const JobOutcome& end : ends) ++counts[end.state];
  std::string text;
  for (const State state :
       {State::kDone, State::kFailed, State::kInterrupted, State::kPending}) {
    if (counts[state] == 0) continue;
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[state], StateText(state));
  }
  return text;
}

}  // namespace

std::filesystem::path JobLog(const std::filesystem::path& sweep_directory, int job) {
  return sweep_directory / "logs" / fmt::format("job_{}.log", job);
}

void PrintSweepPlan(const SweepPlan& plan, std::ostream& out) {
  out << fmt::format(
      "sweep     {}\n"
      "jobs      {}, {} in parallel\n",
      plan.directory, plan.jobs.size(), std::min(plan.parallel_jobs, plan.jobs.size()));
  for (const PlannedJob& job : plan.jobs) {
    os::Command command;
    command.argv = {"ridgeline"};
    command.argv.insert(command.argv.end(), job.arguments.begin(), job.arguments.end());
    out << fmt::format("\n  job {}  {}\n     {}\n     writes   {}/\n", job.number,
                       job.overrides, command.ToShellString(), job.directory);
  }
}

std::string SweepTable(const SweepPlan& plan, const std::vector<JobOutcome>& ends) {
  size_t widest = std::string_view("overrides").size();
  for (const PlannedJob& job : plan.jobs) widest = std::max(widest, job.overrides.size());
  constexpr size_t kWidest = 60;
  widest = std::min(widest, kWidest);
  std::string text = fmt::format("{:>4}  {:<11}  {:>10}  {:<{}}  {}\n", "job", "state",
                                 "time", "overrides", widest, "reason");
  for (size_t i = 0; i < plan.jobs.size(); ++i) {
    const bool ran = ends[i].state != State::kPending;
    std::string line =
        fmt::format("{:>4}  {:<11}  {:>10}  {:<{}}  {}", plan.jobs[i].number,
                    StateText(ends[i].state), ran ? DurationText(ends[i].wall_s) : "-",
                    plan.jobs[i].overrides, widest, ends[i].reason);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text + Counts(ends) + "\n";
}

void SweepPrinter::SweepStarted(const SweepPlan& plan) {
  if (options_.json) {
    WriteEvent(streams_.out, "sweep_started",
               {{"directory", plan.directory}, {"jobs", plan.jobs.size()}});
  } else if (!IsQuiet()) {
    streams_.err << fmt::format("ridgeline: sweep {}: {} jobs, {} in parallel\n",
                                plan.directory, plan.jobs.size(),
                                std::min(plan.parallel_jobs, plan.jobs.size()))
                 << std::flush;
  }
}

void SweepPrinter::JobStarted(const PlannedJob& job) {
  if (options_.json) {
    WriteEvent(streams_.out, "job_started", JobJson(job));
  } else if (!IsQuiet()) {
    streams_.err << fmt::format("ridgeline: job {} started: {}\n", job.number,
                                job.overrides)
                 << std::flush;
  }
}

void SweepPrinter::JobEnded(const PlannedJob& job, const JobOutcome& end) {
  if (options_.json) {
    Json fields = JobJson(job);
    fields["state"] = StateText(end.state);
    fields["exit_code"] = end.exit_code ? Json(*end.exit_code) : Json();
    fields["wall_s"] = end.wall_s;
    fields["reason"] = end.reason;
    WriteEvent(streams_.out, "job_ended", std::move(fields));
  } else if (!IsQuiet() || end.state != State::kDone) {
    streams_.err << fmt::format("ridgeline: job {} {} in {}{}{}\n", job.number,
                                StateText(end.state), DurationText(end.wall_s),
                                end.reason.empty() ? "" : ": ", end.reason)
                 << std::flush;
  }
}

void SweepPrinter::SweepEnded(const SweepPlan& plan, const std::vector<JobOutcome>& ends,
                              ExitStatus status) {
  if (options_.json) {
    WriteEvent(streams_.out, "sweep_ended",
               {{"directory", plan.directory},
                {"counts", Counts(ends)},
                {"exit_code", static_cast<int>(status)}});
  } else {
    streams_.out << SweepTable(plan, ends) << plan.directory << '\n';
  }
}

}  // namespace ridgeline::app
