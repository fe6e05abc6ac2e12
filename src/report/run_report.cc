#include "report/run_report.h"

#include <algorithm>

#include "base/json.h"
#include "report/advice/advice.h"
#include "report/json_parts.h"
#include "report/sections/run_report_parts.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;
using artifacts::State;

// Generated text may have any length.
constexpr size_t kMostPages = 60;

// Imported files have no run.
constexpr const char* kImported = "imported";

std::vector<std::string> Cut(const std::vector<std::string>& texts) {
  std::vector<std::string> cut;
  for (const std::string& text : texts) cut.push_back(CutText(text));
  return cut;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

Json RunJson(const RunFacts& facts) {
  const artifacts::Manifest none;
  const artifacts::Manifest& run = facts.manifest ? *facts.manifest : none;
  return {{"id", TextOrNull(run.run_id)},
          {"state", facts.manifest ? Json(ToText(run.state)) : Json(kImported)},
          {"why", TextOrNull(run.why)},
          {"workload", TextOrNull(run.workload)},
          {"host", TextOrNull(run.host)},
          {"started", TextOrNull(run.started)},
          {"ended", TextOrNull(run.ended)},
          {"invoked_in", TextOrNull(run.invoked_in)},
          {"arguments", Cut(run.arguments)},
          {"ridgeline_version",
           facts.manifest ? run.ridgeline_version : facts.ridgeline_version}};
}

Json StagesJson(const RunFacts& facts) {
  Json stages = Json::array();
  if (!facts.manifest) return stages;
  for (const artifacts::StageRecord& stage : facts.manifest->stages) {
    if (stage.state == State::kDisabled) continue;
    stages.push_back({{"name", stage.name},
                      {"state", ToText(stage.state)},
                      {"outcome", TextOrNull(stage.outcome)},
                      {"why", TextOrNull(stage.why)},
                      {"wall_s", OrNull(stage.wall_s)},
                      {"parity", TextOrNull(stage.parity)},
                      {"notes", Cut(stage.notes)},
                      {"retry_with", TextOrNull(Joined(stage.retry_with))}});
  }
  return stages;
}

Json VerdictJson(const RunFacts& facts, const Json& stages) {
  if (!facts.manifest) return {{"valid", nullptr}, {"complete", nullptr}, {"notes", 0}};
  bool is_complete = facts.manifest->state == State::kDone;
  size_t notes = 0;
  for (const Json& stage : stages) {
    notes += stage["notes"].size();
    is_complete = is_complete && stage["state"] == ToText(State::kDone);
  }
  return {{"valid", OrNull(facts.manifest->valid)},
          {"complete", is_complete},
          {"notes", notes}};
}

Json SourcesJson(const RunFacts& facts) {
  Json sources = Json::array();
  for (const results::Source& source : facts.store.sources) {
    sources.push_back({{"file", CutText(source.file)},
                       {"format", source.format},
                       {"tool", OrNull(source.tool)},
                       {"events", OrNull(source.event_count)}});
  }
  return sources;
}

Json PredictionsJson(const RunFacts& facts) {
  Json pages = Json::array();
  for (const PageFacts& page : facts.pages) {
    if (pages.size() == kMostPages) break;
    const std::string text = CutText(page.text);
    pages.push_back({{"stage", page.stage},
                     {"image", CutText(page.image)},
                     {"text", text},
                     {"text_cut", text != page.text},
                     {"generated_tokens", page.generated_tokens},
                     {"boxes", OrNull(page.boxes)},
                     {"picture", TextOrNull(page.picture)}});
  }
  return pages;
}

Json CommandsJson(const RunFacts& facts) {
  Json commands = Json::array();
  for (const CommandFacts& command : facts.commands) {
    // Never truncated: commands are there to be run.
    commands.push_back(
        {{"stage", command.stage}, {"file", command.file}, {"text", command.text}});
  }
  return commands;
}

Json ConfigJson(const RunFacts& facts) {
  Json values = Json::array();
  for (const ConfigValue& value : facts.config) {
    values.push_back({{"key", CutText(value.key)}, {"value", CutText(value.value)}});
  }
  return values;
}

}  // namespace

Json RunReportJson(const RunFacts& facts) {
  Json stages = StagesJson(facts);
  Json report = {{"schema_version", kRunReportVersion}, {"run", RunJson(facts)}};
  report["verdict"] = VerdictJson(facts, stages);
  report["advice"] = nullptr;  // Its place; built from all the rest below.
  report["stages"] = std::move(stages);
  report["sources"] = SourcesJson(facts);
  report["phases"] = PhasesJson(facts.store);
  report["ledger"] = LedgerJson(facts);
  report["regions"] = RegionsJson(facts.store);
  report["roofline"] = RooflineJson(facts);
  report["kernels"] = KernelsJson(facts.store);
  report["kernels_in_all"] = KernelsInAllJson(facts.store);
  report["kernel_kinds"] = KernelKindsJson(facts.store);
  report["operators"] = OperatorsJson(facts.store);
  report["operators_in_all"] = OperatorsInAllJson(facts.store);
  report["devices"] = DevicesJson(facts.store);
  report["memory_ops"] = MemoryOpsJson(facts.store);
  report["apis"] = ApisJson(facts.store);
  report["launch_delays"] = LaunchDelaysJson(facts.store);
  report["memory"] = MemoryJson(facts);
  report["ncu"] = NcuJson(facts);
  report["predictions"] = PredictionsJson(facts);
  report["commands"] = CommandsJson(facts);
  report["environment"] = facts.environment;
  report["config"] = ConfigJson(facts);
  report["left_out"] = LeftOutJson(facts.store);
  for (const UnreadFile& unread : facts.unread) {
    report["left_out"].push_back({{"source", CutText(unread.file)},
                                  {"what", CutText("file not read: " + unread.why)},
                                  {"count", 1}});
  }
  report["advice"] = AdviceOf(report);
  return report;
}

std::string ToText(const Json& report) { return DumpJson(report, 2) + "\n"; }

}  // namespace ridgeline::report
