#include <nlohmann/json.hpp>
#include <ostream>

#include "app/run/run_printer.h"
#include "base/json.h"
#include "base/secrets.h"
#include "os/clock.h"

namespace ridgeline::app {
namespace {

using Json = nlohmann::ordered_json;

Json Event(std::string_view name) {
  return {{"schema_version", kEventVersion}, {"time", os::Timestamp()}, {"event", name}};
}

// Flushed after each line, for live readers. Invalid UTF-8 is replaced instead of
// failing.
void Write(std::ostream& out, const Json& event) {
  out << DumpJson(event) << '\n' << std::flush;
}

}  // namespace

void EventStream::RunStarted(const artifacts::Manifest& manifest) {
  Json event = Event("run_started");
  event["directory"] = manifest.directory;
  event["workload"] = manifest.workload;
  event["stages"] = Json::array();
  for (const artifacts::StageRecord& stage : manifest.stages) {
    if (stage.state != artifacts::State::kDisabled) event["stages"].push_back(stage.name);
  }
  Write(out_, event);
}

void EventStream::StageStarted(const artifacts::StageRecord& stage) {
  last_progress_s_ = 0;
  Json event = Event("stage_started");
  event["stage"] = stage.name;
  Write(out_, event);
}

void EventStream::CommandStarted(std::string_view stage, std::string_view purpose,
                                 const os::Command& command) {
  Json event = Event("command_started");
  event["stage"] = stage;
  event["purpose"] = purpose;
  event["argv"] = WithoutSecrets(command.argv);
  Write(out_, event);
}

void EventStream::StageProgress(std::string_view stage, double elapsed_s,
                                const std::optional<pipeline::Progress>& progress) {
  if (elapsed_s < last_progress_s_ + 1) return;
  last_progress_s_ = elapsed_s;
  Json event = Event("stage_progress");
  event["stage"] = stage;
  event["elapsed_s"] = elapsed_s;
  if (progress) {
    event["done"] = progress->done;
    event["total"] = OrNull(progress->total);
    event["unit"] = progress->unit;
  }
  Write(out_, event);
}

void EventStream::StageEnded(const artifacts::StageRecord& stage,
                             std::string_view summary) {
  Json event = Event("stage_ended");
  event["stage"] = stage.name;
  event["state"] = ToText(stage.state);
  event["reason"] = stage.reason;
  event["wall_s"] = OrNull(stage.wall_s);
  event["summary"] = WithoutSecrets(summary);
  event["notes"] = stage.notes;
  event["parity"] = ToText(stage.parity);
  event["parity_detail"] = stage.parity_detail;
  Write(out_, event);
}

void EventStream::RunEnded(const artifacts::Manifest& manifest) {
  Json event = Event("run_ended");
  event["directory"] = manifest.directory;
  event["state"] = ToText(manifest.state);
  event["reason"] = manifest.reason;
  event["exit_code"] = OrNull(manifest.exit_code);
  event["parity"] = ToText(manifest.parity);
  Write(out_, event);
}

}  // namespace ridgeline::app
