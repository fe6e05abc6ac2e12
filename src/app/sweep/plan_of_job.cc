#include "app/sweep/plan_of_job.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "os/files.h"

namespace ridgeline::app {
namespace {

using artifacts::SweepDir;
using artifacts::SweepJob;
using artifacts::SweepManifest;

namespace dom = simdjson::dom;

bool IsJob(dom::element entry, int number) {
  int64_t value = 0;
  return entry["number"].get(value) == simdjson::SUCCESS && value == number;
}

// The file without its other jobs; empty if it is not a sweep file. ParseSweep then
// reports what is wrong with it.
std::string WithOneJob(const std::string& text, int number) {
  dom::parser parser;
  dom::object sweep;
  dom::array jobs;
  if (parser.parse(text).get(sweep) != simdjson::SUCCESS) return "";
  if (sweep["jobs"].get(jobs) != simdjson::SUCCESS) return "";
  std::string one;
  for (const dom::element entry : jobs) {
    if (one.empty() && IsJob(entry, number)) one = simdjson::to_string(entry);
  }
  std::string kept;
  for (const auto& [key, value] : sweep) {
    if (key.find_first_of("\"\\") != std::string_view::npos) continue;  // Not ours.
    const std::string shown =
        key == "jobs" ? "[" + one + "]" : simdjson::to_string(value);
    kept += fmt::format("{}\"{}\":{}", kept.empty() ? "" : ",", key, shown);
  }
  return "{" + kept + "}";
}

}  // namespace

Result<SweepManifest> ReadPlanOfJob(const SweepDir& directory, int job) {
  if (os::Exists(directory.manifest()) && !os::IsRegularFile(directory.manifest())) {
    return Error(ErrorCode::kIo, directory.manifest().string() + ": not a regular file");
  }
  RIDGELINE_TRY(const std::string text, os::ReadFile(directory.manifest()));
  const std::string one = WithOneJob(text, job);
  RIDGELINE_TRY(
      SweepManifest sweep,
      artifacts::ParseSweep(one.empty() ? text : one, directory.manifest().string()));
  std::erase_if(sweep.jobs, [&](const SweepJob& other) { return other.number != job; });
  if (sweep.jobs.empty() || sweep.jobs.front().arguments.empty()) {
    return Error(ErrorCode::kConfig,
                 fmt::format("{}: has no job {}", directory.root().string(), job));
  }
  return sweep;
}

}  // namespace ridgeline::app
