#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "os/process_runner.h"
#include "pipeline/stage.h"
#include "pipeline/stage_context.h"
#include "profiles/nsys_sqlite/contents.h"
#include "stages/nsys/capabilities.h"
#include "stages/nsys/command.h"
#include "stages/nsys/log.h"
#include "stages/nsys/options.h"

namespace ridgeline::stages {

// Files and messages of one `nsys profile`.
struct NsysEnd {
  os::ProcessResult process;
  NsysLog log;
  size_t files = 0;                            // Existing reports and raw streams.
  size_t empty_files = 0;                      // Those of size 0.
  std::string base = {};                       // Of its files: "run", "run.rank3".
  std::optional<int64_t> rank = std::nullopt;  // nullopt: a workload without ranks.
  std::string log_file = {};                   // Of nsys, in the stage's directory.
  std::string workload_log = {};               // Of the workload.
};

// A timeline with Nsight Systems.
class Nsys final : public pipeline::Stage {
 public:
  Nsys(NsysOptions options, NsysFacts facts)
      : options_(std::move(options)), facts_(std::move(facts)) {}
  pipeline::StagePlan Plan(const pipeline::StagePlace& place) const override;
  pipeline::StageOutcome Run(pipeline::StageContext& context) override;

 private:
  pipeline::StageOutcome RunCaptures(pipeline::StageContext& context);

  // One run of the workload under nsys.
  struct Capture {
    std::string nvtx_capture;  // Empty: does not wait for an NVTX range.
    std::string base;          // Of its files: "run", or "run.decode" if several.
  };
  // Its reports by name, and its failure, if any. With several ranks, the reports of the
  // others are kept.
  struct Captured {
    std::vector<std::string> reports;
    std::optional<Error> failure;
  };
  std::vector<Capture> Captures() const;
  // Wraps `workload`, whose files have `suffix` in their names.
  NsysCommand CommandOf(const pipeline::StagePlace& place, const Capture& capture,
                        const os::Command& workload, const std::string& suffix) const;
  pipeline::PlannedCommand PlanCapture(const pipeline::StagePlace& place,
                                       const Capture& capture) const;
  // Whether nsys itself failed, not what it ran.
  bool HasBroken(const pipeline::StageContext& context, const Capture& capture,
                 const NsysEnd& end) const;
  Result<std::vector<NsysEnd>> RunAgainIfItBreaks(pipeline::StageContext& context,
                                                  const pipeline::PlannedCommand& planned,
                                                  const Capture& capture);
  static std::optional<Error> FailureOfRanks(pipeline::StageContext& context,
                                             const pipeline::PlannedCommand& planned);
  Status TakeOutput(pipeline::StageContext& context, const Capture& capture) const;
  Error FailureOf(pipeline::StageContext& context,
                  const pipeline::PlannedCommand& planned, const Capture& capture,
                  NsysEnd end) const;
  Result<Captured> RunCapture(pipeline::StageContext& context,
                              const pipeline::PlannedCommand& planned,
                              const Capture& capture);

  const NsysOptions options_;
  const NsysFacts facts_;
};

config::Result<std::unique_ptr<pipeline::Stage>> MakeNsys(
    const pipeline::StageConfig& config);

pipeline::KeyGroup NsysKeys();

// Outcome of a capture as one word that scripts can search for, with its cause and fix.
// nsys exits with 0 in most of these cases.

// In the same order as the table in outcome.cc, which describes each.
enum class NsysVerdict {
  kCaptured,
  kKilledByRangeEnd,
  kFewerRanges,
  kLeftRunning,
  kReportRedirected,
  kNoRangeHit,
  kImporterMissing,
  kWorkloadFailed,
  kArgumentRefused,
  kToolFailed,
  kExportFailed,
  kTimedOut,
  kToolTooOld,
  kNoReport,
};

std::span<const pipeline::OutcomeSpec> NsysOutcomes();

std::string_view Name(NsysVerdict verdict);  // "NoRangeHit"

struct NsysOutcome {
  NsysVerdict verdict = NsysVerdict::kCaptured;
  std::string cause;                         // Empty: no problem.
  std::vector<std::string> retry_overrides;  // Overrides that fix it.

  bool failed() const;
  std::string ToString() const;  // "NoRangeHit: no NVTX range ..."
};

NsysOutcome Classify(const NsysOptions& options, const std::string& nvtx_capture,
                     const NsysEnd& end);

// Files written by nsys: counted, imported, exported, redacted, summarized.

// Counts the reports and raw streams of `base` ("run") in the stage's directory.
Status CountReports(const pipeline::StageContext& context, const std::string& base,
                    NsysEnd& end);

// Removes them: files of a failed attempt must not be taken for those of the next one.
Status RemoveReports(pipeline::StageContext& context, const std::string& base);

// The reports of `base` by name ("run.1.nsys-rep"); raw streams, which nsys writes
// without its importer, are converted first.
Result<std::vector<std::string>> MakeReports(pipeline::StageContext& context,
                                             const std::string& base);

// Notes which files of a failed capture contain the environment.
Status NoteRawFiles(pipeline::StageContext& context);

// run.nsys-rep -> run.sqlite, redacted if configured, and summary_*.csv. Returns the
// contents; adds notes to the stage.
Result<profiles::NsysContents> ExportReport(pipeline::StageContext& context,
                                            const NsysOptions& options,
                                            const NsysFacts& facts,
                                            const std::string& report);

}  // namespace ridgeline::stages
