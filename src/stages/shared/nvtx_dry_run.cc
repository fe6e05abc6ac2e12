#include "stages/shared/nvtx_dry_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "collectors/nvtx/capture_expression.h"
#include "collectors/nvtx/dry_run.h"
#include "os/files.h"
#include "pipeline/plan_workload.h"
#include "ranks/launcher.h"

namespace ridgeline::stages {
namespace {

constexpr const char* kPurpose = "NVTX dry run";
constexpr const char* kListFile = "nvtx_ranges.txt";

std::filesystem::path EventsDirectory(const pipeline::StagePlace& place) {
  return place.workload_scratch / "nvtx_events";
}

// Events recorded by the dry run, for the whole workload or one rank.
struct Observed {
  std::optional<int64_t> rank;
  nvtx::Listing listing;
};

std::filesystem::path EventsOf(const pipeline::StagePlace& place, size_t rank) {
  return EventsDirectory(place) / ranks::RankName(static_cast<int64_t>(rank));
}

// Runs the dry run and reads the NVTX events it recorded.
Result<std::vector<Observed>> Observe(pipeline::StageContext& context,
                                      const pipeline::CaptureLimits& limits,
                                      const pipeline::PlannedCommand& dry_run) {
  const pipeline::StagePlace& place = context.place();
  RIDGELINE_RETURN_IF_ERROR(context.PrepareWorkload(place.ForCapture(limits)));
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(EventsDirectory(place)));
  for (size_t rank = 0; rank < dry_run.ranks.size(); ++rank) {
    RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(EventsOf(place, rank)));
  }
  RIDGELINE_TRY(const os::ProcessResult ran, context.Run(dry_run));
  RIDGELINE_RETURN_IF_ERROR(context.CheckEnd(dry_run, ran));
  std::vector<Observed> observed;
  if (dry_run.ranks.empty()) {
    RIDGELINE_TRY(nvtx::Listing listing, nvtx::ReadListing(EventsDirectory(place)));
    observed.push_back({std::nullopt, std::move(listing)});
  }
  for (size_t rank = 0; rank < dry_run.ranks.size(); ++rank) {
    if (!dry_run.ranks[rank].profiled) continue;
    RIDGELINE_TRY(nvtx::Listing listing, nvtx::ReadListing(EventsOf(place, rank)));
    observed.push_back({static_cast<int64_t>(rank), std::move(listing)});
  }
  return observed;
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
                const Observed& observed) {
  const nvtx::Resolution found = nvtx::Resolve(expression, observed.listing);
  const std::string where =
      observed.rank ? fmt::format("rank {}: ", *observed.rank) : std::string();
  if (!found.Matches()) {
    if (observed.rank) context.SetRankOutcome(*observed.rank, "NoRangeHit");
    context.SetOutcome(
        "NoRangeHit",
        {found.nearest.empty() ? "pipeline.nsys.gating_nvtx=false"
                               : "pipeline.nsys.nvtx_capture=" + AsValue(found.nearest)});
    return Error(ErrorCode::kTool,
                 "NoRangeHit: " + where + found.sentence + "; " + found.fix +
                     " (pipeline.nsys.nvtx_dry_run=false captures anyway)");
  }
  if (found.verdict == nvtx::Verdict::kUnregistered) {
    context.Note("LabelUnregistered: " + found.sentence +
                 "; NSYS_NVTX_PROFILER_REGISTER_ONLY=0 is passed");
  }
  if (found.verdict == nvtx::Verdict::kWide) {
    context.Note("LabelWide: " + where + found.sentence);
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
  const auto under_injection = [&](const os::Command& workload,
                                   const std::string& suffix) {
    std::filesystem::path events = EventsDirectory(place);
    if (!suffix.empty()) events /= suffix.substr(1);
    return nvtx::UnderInjection(workload, *library, events);
  };
  plan.commands.push_back(pipeline::PlanWorkload(place, place.ForCapture(limits),
                                                 {.purpose = kPurpose,
                                                  .command = {},
                                                  .log = "nvtx_dry_run.log",
                                                  .output = {},
                                                  .command_file = "cmd_nvtx_dry_run.txt"},
                                                 under_injection));
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
  RIDGELINE_TRY(const auto observed, Observe(context, limits, *dry_run));
  for (const Observed& one : observed) {
    const std::string file = one.rank ? ranks::RankFile(kListFile, *one.rank) : kListFile;
    RIDGELINE_RETURN_IF_ERROR(context.Write(file, nvtx::ToText(one.listing)));
  }
  for (const Observed& one : observed) {
    for (const nvtx::Expression& expression : parsed) {
      RIDGELINE_RETURN_IF_ERROR(CheckOne(context, expression, one));
    }
  }
  return Ok();
}

}  // namespace ridgeline::stages
