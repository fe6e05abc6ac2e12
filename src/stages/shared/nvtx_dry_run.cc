#include "stages/shared/nvtx_dry_run.h"

#include <algorithm>

#include "nvtx/dry_run.h"
#include "nvtx/expression.h"
#include "os/files.h"

namespace ridgeline::stages {
namespace {

constexpr const char* kPurpose = "NVTX dry run";
constexpr const char* kListFile = "nvtx_ranges.txt";

std::filesystem::path EventsDirectory(const pipeline::StagePlace& place) {
  return place.workload_scratch / "nvtx_events";
}

// Runs it where it was planned, and reads what it saw.
Result<nvtx::Listing> Observe(pipeline::StageContext& context,
                              const pipeline::PlannedCommand& dry_run) {
  const std::filesystem::path events = EventsDirectory(context.place());
  RIDGELINE_RETURN_IF_ERROR(context.PrepareWorkload());
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(events));
  RIDGELINE_TRY(const os::ProcessResult ran, context.Run(dry_run));
  RIDGELINE_RETURN_IF_ERROR(context.CheckEnd(dry_run, ran));
  return nvtx::ReadListing(events);
}

}  // namespace

void PlanNvtxDryRun(const pipeline::StagePlace& place, std::string_view stage,
                    pipeline::StagePlan& plan) {
  const auto library = nvtx::FindInjectionLibrary();
  if (!library) {
    plan.assumptions.push_back("there is no NVTX dry run before the capture: " +
                               nvtx::NoInjectionLibrary().message());
    return;
  }
  const os::Command workload = place.workload.AsCommand(
      {place.workload_scratch, place.workload_scratch, std::string(stage)});
  plan.commands.push_back(
      {.purpose = kPurpose,
       .command = nvtx::UnderInjection(workload, *library, EventsDirectory(place)),
       .log = "nvtx_dry_run.log",
       .output = {},
       .command_file = "cmd_nvtx_dry_run.txt"});
  plan.writes.insert(plan.writes.end(),
                     {kListFile, "cmd_nvtx_dry_run.txt", "nvtx_dry_run.log"});
}

Status CheckNvtxCapture(pipeline::StageContext& context, const std::string& expression) {
  const auto& commands = context.plan().commands;
  const auto dry_run = std::find_if(commands.begin(), commands.end(),
                                    [](const pipeline::PlannedCommand& planned) {
                                      return planned.purpose == kPurpose;
                                    });
  if (dry_run == commands.end()) return Ok();
  Result<nvtx::Expression> parsed = nvtx::ParseExpression(expression);
  if (!parsed.ok()) return std::move(parsed).error().While("nvtx_capture");
  RIDGELINE_TRY(const nvtx::Listing listing, Observe(context, *dry_run));
  RIDGELINE_RETURN_IF_ERROR(context.Write(kListFile, nvtx::ToText(listing)));
  const nvtx::Resolution found = nvtx::Resolve(parsed.value(), listing);
  if (!found.Matches()) {
    return Error(ErrorCode::kTool,
                 "the capture would be empty: " + found.sentence + "; " + found.fix +
                     " (pipeline.nsys.nvtx_dry_run=false captures all the same)");
  }
  if (found.verdict == nvtx::Verdict::kUnregistered) {
    context.Note(found.sentence + "; NSYS_NVTX_PROFILER_REGISTER_ONLY=0 is passed");
  }
  if (found.verdict == nvtx::Verdict::kWide) context.Note(found.sentence);
  return Ok();
}

}  // namespace ridgeline::stages
