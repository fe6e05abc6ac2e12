#include "inference/page_log.h"

#include "analysis/model_statistics.h"
#include "inference/metrics.h"
#include "model_io/predictions/parity.h"
#include "os/env.h"
#include "os/ticks.h"

namespace ridgeline::inference {
namespace {

namespace fs = std::filesystem;
using profiles::PageJournal;

// Outputs are those of the first pass.
size_t PagesPerPass(const PageJournal& journal) {
  const profiles::ModelMetrics& metrics = journal.metrics;
  return static_cast<size_t>(metrics.samples_planned /
                             std::max<int64_t>(metrics.repeats, 1));
}

}  // namespace

Result<PageLog> PageLog::Begin(const PageJournal& head,
                               const predictions::OutputOptions& outputs,
                               const fs::path& directory) {
  RIDGELINE_TRY(
      os::AppendFile journal,
      os::AppendFile::Open(directory / profiles::kPageJournalFile, /*keep_bytes=*/0));
  RIDGELINE_TRY(predictions::OutputWriter writer,
                predictions::OutputWriter::Open(outputs, PagesPerPass(head)));
  RIDGELINE_RETURN_IF_ERROR(journal.Append(profiles::HeadLine(head)));
  return PageLog(directory, std::move(journal), std::move(writer));
}

Result<PageLog> PageLog::Continue(const PageJournal& earlier,
                                  const predictions::OutputOptions& outputs,
                                  const fs::path& directory) {
  RIDGELINE_TRY(
      os::AppendFile journal,
      os::AppendFile::Open(directory / profiles::kPageJournalFile, earlier.bytes));
  RIDGELINE_TRY(predictions::OutputWriter writer,
                predictions::OutputWriter::Continue(outputs, PagesPerPass(earlier),
                                                    {earlier.marks, earlier.folders}));
  RIDGELINE_RETURN_IF_ERROR(journal.Append(profiles::ResumedLine()));
  PageLog log(directory, std::move(journal), std::move(writer));
  log.samples_done_ = earlier.samples_done;
  log.has_profiled_ = earlier.metrics.profiled.has_value();
  return log;
}

Status PageLog::AddProfiled(const Sample& sample) {
  has_profiled_ = true;
  return journal_.Append(
      profiles::ProfiledLine(SampleOf(sample.prediction, sample.repeat, sample.wall_s),
                             predictions::TokensDigest(sample.prediction.ids)));
}

Result<std::string> PageLog::Add(const Sample& sample) {
  std::string problem;
  if (sample.repeat == 0) {
    RIDGELINE_RETURN_IF_ERROR(outputs_.Add(sample.prediction));
    problem = outputs_.problem();
  }
  profiles::OutputMarks marks = outputs_.marks();
  if (sample.repeat > 0) marks.folder.clear();
  RIDGELINE_RETURN_IF_ERROR(journal_.Append(profiles::SampleLine(
      SampleOf(sample.prediction, sample.repeat, sample.wall_s),
      predictions::TokensDigest(sample.prediction.ids), marks, os::PeakMemoryBytes())));
  ++samples_done_;
  RIDGELINE_RETURN_IF_ERROR(SyncNowAndThen());
  return problem;
}

Status PageLog::AddFailure(const profiles::PageFailure& failure) {
  ++samples_done_;
  return journal_.Append(profiles::FailureLine(failure));
}

// Syncing takes milliseconds: too slow for every page of a small model, and system
// crashes are rare.
Status PageLog::SyncNowAndThen() {
  constexpr int64_t kIntervalNs = 5'000'000'000;
  const int64_t now_ns = os::MonotonicNs();
  if (now_ns < synced_ns_ + kIntervalNs) return Ok();
  synced_ns_ = now_ns;
  RIDGELINE_RETURN_IF_ERROR(outputs_.Sync());
  return journal_.Sync();
}

Result<profiles::ModelMetrics> PageLog::Finish() {
  RIDGELINE_TRY(PageJournal journal, profiles::ReadPageJournal(directory_, {}));
  profiles::ModelMetrics& metrics = journal.metrics;
  std::vector<std::string> failures;
  for (const profiles::PageFailure& failure : metrics.failures) {
    failures.push_back(failure.image + ": " + failure.reason);
  }
  RIDGELINE_RETURN_IF_ERROR(outputs_.Finish(failures));
  RIDGELINE_RETURN_IF_ERROR(journal_.Sync());
  metrics.statistics = analysis::StatisticsOf(metrics.samples);
  return std::move(metrics);
}

}  // namespace ridgeline::inference
