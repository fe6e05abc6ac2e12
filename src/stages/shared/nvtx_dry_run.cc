#include "stages/shared/nvtx_dry_run.h"

#include <algorithm>

#include "collectors/nvtx/capture_expression.h"
#include "collectors/nvtx/dry_run.h"
#include "os/files.h"

namespace ridgeline::stages {
namespace {

constexpr const char* kPurpose = "NVTX dry run";
constexpr const char* kListFile = "nvtx_ranges.txt";

std::filesystem::path EventsDirectory(const pipeline::StagePlace& place) {
  return place.workload_scratch / "nvtx_events";
}

// Runs the dry run and reads the NVTX events it recorded.
Result<nvtx::Listing> Observe(pipeline::StageContext& context,
                              const pipeline::CaptureLimits& limits,
                              const pipeline::PlannedCommand& dry_run) {
  const std::filesystem::path events = EventsDirectory(context.place());
  RIDGELINE_RETURN_IF_ERROR(context.PrepareWorkload(context.place().ForCapture(limits)));
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(events));
  RIDGELINE_TRY(const os::ProcessResult ran, context.Run(dry_run));
  RIDGELINE_RETURN_IF_ERROR(context.CheckEnd(dry_run, ran));
  return nvtx::ReadListing(events);
}

// A text as the value of an override.
std::string AsValue(const std::string& text) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@*";
  if (text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

// Checks that nsys would start the capture at this expression; adds notes if needed.
Status CheckOne(pipeline::StageContext& context, const nvtx::Expression& expression,
                const nvtx::Listing& listing) {
  const nvtx::Resolution found = nvtx::Resolve(expression, listing);
  if (!found.Matches()) {
    context.SetOutcome(
        "NoRangeHit",
        {found.nearest.empty() ? "pipeline.nsys.gating_nvtx=false"
                               : "pipeline.nsys.nvtx_capture=" + AsValue(found.nearest)});
    return Error(ErrorCode::kTool,
                 "NoRangeHit: the capture would be empty: " + found.sentence + "; " +
                     found.fix + " (pipeline.nsys.nvtx_dry_run=false captures anyway)");
  }
  if (found.verdict == nvtx::Verdict::kUnregistered) {
    context.Note("LabelUnregistered: " + found.sentence +
                 "; NSYS_NVTX_PROFILER_REGISTER_ONLY=0 is passed");
  }
  if (found.verdict == nvtx::Verdict::kWide) {
    context.Note("LabelWide: " + found.sentence);
  }
  return Ok();
}

}  // namespace

void PlanNvtxDryRun(const pipeline::StagePlace& place,
                    const pipeline::CaptureLimits& limits, pipeline::StagePlan& plan) {
  const auto library = nvtx::FindInjectionLibrary();
  if (!library) {
    plan.assumptions.push_back("no NVTX dry run before the capture: " +
                               nvtx::NoInjectionLibrary().message());
    return;
  }
  const os::Command workload = place.workload.AsCommand(place.ForCapture(limits));
  plan.commands.push_back(
      {.purpose = kPurpose,
       .command = nvtx::UnderInjection(workload, *library, EventsDirectory(place)),
       .log = "nvtx_dry_run.log",
       .output = {},
       .command_file = "cmd_nvtx_dry_run.txt"});
  plan.writes.insert(plan.writes.end(),
                     {kListFile, "cmd_nvtx_dry_run.txt", "nvtx_dry_run.log"});
}

Status CheckNvtxCapture(pipeline::StageContext& context,
                        const pipeline::CaptureLimits& limits,
                        const std::vector<std::string>& expressions) {
  const auto& commands = context.plan().commands;
  const auto dry_run = std::find_if(commands.begin(), commands.end(),
                                    [](const pipeline::PlannedCommand& planned) {
                                      return planned.purpose == kPurpose;
                                    });
  if (dry_run == commands.end()) return Ok();
  std::vector<nvtx::Expression> parsed;
  for (const std::string& text : expressions) {
    Result<nvtx::Expression> expression = nvtx::ParseExpression(text);
    if (!expression.ok()) return std::move(expression).error().While("nvtx_capture");
    parsed.push_back(std::move(expression).value());
  }
  RIDGELINE_TRY(const nvtx::Listing listing, Observe(context, limits, *dry_run));
  RIDGELINE_RETURN_IF_ERROR(context.Write(kListFile, nvtx::ToText(listing)));
  for (const nvtx::Expression& expression : parsed) {
    RIDGELINE_RETURN_IF_ERROR(CheckOne(context, expression, listing));
  }
  return Ok();
}

}  // namespace ridgeline::stages
