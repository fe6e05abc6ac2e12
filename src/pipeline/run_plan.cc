#include "pipeline/run_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/reader.h"
#include "config/tree/select.h"

namespace ridgeline::pipeline {
namespace {

using config::Node;

Node* SectionAt(config::Workspace& workspace, Node& root, const std::string& key) {
  config::Result<Node*> found = config::Select(workspace, root, key);
  return found.ok() ? found.value() : nullptr;
}

// `enable: ${pipeline.torch_profiler.enabled}` only mirrors the profiler's switch; the
// stage runs the workload even without the profiler.
bool FollowsItsProfiler(const Node& section, const std::string& stage) {
  Node* const* enable = section.children.Find("enable");
  if (section.children.Find("enabled") == nullptr || enable == nullptr ||
      !(*enable)->IsInterpolation()) {
    return false;
  }
  std::string key = (*enable)->value.string();
  std::erase_if(key, [](char c) { return c == ' ' || c == '\t'; });
  const std::string in_stage = stage + ".enabled}";
  return key == "${pipeline." + in_stage || key == "${.enabled}" ||
         key == "${.." + in_stage || key == "${...pipeline." + in_stage;
}

bool IsUnderNsight(const PlannedStage& stage) {
  return stage.enabled && stage.plan.skip.empty() &&
         (stage.name == "nsys" || stage.name == "ncu");
}

// Creates one stage; appends problems to `errors`.
PlannedStage MakeStage(config::Workspace& workspace, Node& root, const StageEntry& entry,
                       ToolAnswers& tools, std::vector<config::Error>& errors) {
  PlannedStage planned{.name = std::string(entry.name),
                       .needs = {entry.needs.begin(), entry.needs.end()}};
  Node* section = SectionAt(workspace, root, "pipeline." + planned.name);
  if (section == nullptr) return planned;  // Not configured in this tree.
  config::Reader reader(workspace, *section);
  reader.ReadOptional("enable", planned.enabled);
  if (FollowsItsProfiler(*section, planned.name)) planned.enabled = true;
  reader.ReadOptional("timeout_s", planned.timeout_s);
  if (!planned.enabled) return planned;
  tools.LimitTo(planned.timeout_s);
  config::Result<std::unique_ptr<Stage>> stage =
      entry.make({workspace, root, *section, tools});
  if (stage.ok()) {
    planned.stage = std::move(stage).value();
  } else {
    errors.push_back(std::move(stage).error());
  }
  return planned;
}

void SkipWithoutTools(StagePlan& plan) {
  for (const std::string& tool : plan.tools) {
    if (!plan.skip.empty()) return;
    const ridgeline::Result<std::filesystem::path> found = os::FindProgram(tool);
    if (found.ok()) continue;
    plan.skip = fmt::format("{} ({}); see `ridgeline doctor`",
                            found.error().code() == ErrorCode::kNotFound
                                ? tool + " not installed"
                                : tool + " cannot be started",
                            found.error().message());
  }
}

void AppendCommands(const StagePlan& plan, std::string& text) {
  for (const PlannedCommand& planned : plan.commands) {
    text += fmt::format("     {}{}:\n       {}\n", planned.purpose,
                        planned.times == 1 ? "" : fmt::format(", {} runs", planned.times),
                        planned.command.ToShellString());
    for (size_t rank = 0; rank < planned.ranks.size(); ++rank) {
      text += fmt::format("       rank {}{}: {}\n", rank,
                          planned.ranks[rank].profiled ? "" : " (not profiled)",
                          planned.ranks[rank].command.ToShellString());
    }
  }
}

void AppendStage(const PlannedStage& stage, const artifacts::RunDir& run_dir, int number,
                 std::string& text) {
  text += fmt::format("\n  {}. {}", number, stage.name);
  if (!stage.plan.skip.empty()) {
    text += fmt::format("\n     will be skipped: {}\n", stage.plan.skip);
    return;
  }
  text += '\n';
  AppendCommands(stage.plan, text);
  text += fmt::format("     writes   {}/", run_dir.stage(stage.name).string());
  if (!stage.plan.writes.empty()) {
    text += fmt::format(": {}", fmt::join(stage.plan.writes, " "));
  }
  text += '\n';
  if (!stage.plan.tools.empty()) {
    text += fmt::format("     needs    {}\n", fmt::join(stage.plan.tools, ", "));
  }
  if (stage.timeout_s) text += fmt::format("     timeout  {} s\n", *stage.timeout_s);
  for (const std::string& assumption : stage.plan.assumptions) {
    text += fmt::format("     note     {}\n", assumption);
  }
}

}  // namespace

ridgeline::Result<RunPlan, std::vector<config::Error>> PlanRun(
    config::Workspace& workspace, Node& root, std::span<const StageEntry> stages,
    MakeWorkload make_workload, ToolAnswers& tools) {
  RunPlan plan;
  std::vector<config::Error> errors;
  config::Result<std::unique_ptr<Workload>> workload = make_workload(workspace, root);
  if (workload.ok()) {
    plan.workload = std::move(workload).value();
  } else {
    errors.push_back(std::move(workload).error());
  }
  for (const StageEntry& entry : stages) {
    plan.stages.push_back(MakeStage(workspace, root, entry, tools, errors));
  }
  if (Node* run = SectionAt(workspace, root, "run")) {
    config::Reader(workspace, *run).ReadOptional("grace_s", plan.grace_s);
  }
  if (!errors.empty()) return errors;
  return plan;
}

StagePlace PlaceOf(const RunPlan& plan, const PlannedStage& stage,
                   const artifacts::RunDir& run_dir) {
  return {*plan.workload, run_dir.stage_scratch(stage.name),
          run_dir.workload_scratch(stage.name), run_dir.ceilings(),
          run_dir.stage(stage.name)};
}

void PlanStages(RunPlan& plan, const artifacts::RunDir& run_dir) {
  for (PlannedStage& stage : plan.stages) {
    if (stage.stage == nullptr) continue;
    stage.plan = stage.stage->Plan(PlaceOf(plan, stage, run_dir));
    SkipWithoutTools(stage.plan);
  }
}

std::string ToText(const RunPlan& plan, const artifacts::RunDir& run_dir) {
  std::string text = fmt::format("run       {}\nworkload  {}\n", run_dir.root().string(),
                                 plan.workload->Describe());
  if (std::any_of(plan.stages.begin(), plan.stages.end(), IsUnderNsight)) {
    for (const std::string& change : plan.workload->Changes()) {
      text += fmt::format("          under nsys and ncu: {}\n", change);
    }
  }
  std::vector<std::string> disabled;
  int number = 0;
  for (const PlannedStage& stage : plan.stages) {
    if (stage.enabled) {
      AppendStage(stage, run_dir, ++number, text);
    } else {
      disabled.push_back(stage.name);
    }
  }
  if (number == 0) text += "\n  nothing to do\n";
  if (!disabled.empty()) {
    text += fmt::format("\nnot enabled: {}\n", fmt::join(disabled, ", "));
  }
  return text;
}

}  // namespace ridgeline::pipeline
