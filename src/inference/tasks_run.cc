#include <fmt/format.h>

#include <ostream>

#include "base/digest.h"
#include "base/plural.h"
#include "base/random.h"
#include "inference/device.h"
#include "inference/metrics.h"
#include "inference/page_log.h"
#include "inference/region.h"
#include "inference/tasks.h"
#include "model_io/datasets/find_samples.h"
#include "model_io/datasets/sample_plan.h"
#include "model_io/images/decode.h"
#include "model_io/predictions/parity.h"
#include "os/directory_lock.h"
#include "os/files.h"
#include "os/stale_files.h"
#include "os/ticks.h"

namespace ridgeline::inference {
namespace {

namespace fs = std::filesystem;

// Enough to load, compile and cache everything once.
constexpr int64_t kWarmupTokens = 4;

Status TellProgress(const RunPlace& place, int64_t done, int64_t total) {
  if (place.progress_file.empty()) return Ok();
  return os::WriteFile(place.progress_file, fmt::format("{} {} pages\n", done, total));
}

// A page of noise of the same size.
images::Image SyntheticPage(const images::Image& like) {
  images::Image page = like;
  for (size_t i = 0; i < page.rgb.size(); ++i) {
    page.rgb[i] = static_cast<uint8_t>(SplitMix64At(0, i));
  }
  return page;
}

// Held while writing there. A recently killed run may have left a process that is still
// exiting.
Result<os::DirectoryLock> LockOutput(const fs::path& directory) {
  constexpr int kAttempts = 150;  // Each takes a tenth of a second.
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    RIDGELINE_TRY(std::optional<os::DirectoryLock> lock,
                  os::DirectoryLock::Try(directory));
    if (lock) return std::move(*lock);
  }
  return Error(ErrorCode::kIo, directory.string() + ": another process writes there");
}

// ---- Pages to read

struct PlannedPages {
  Options options;  // With the chosen seed and output directories.
  std::vector<fs::path> pages;
  std::vector<datasets::SamplePlan> samples;     // Of one pass.
  profiles::PageJournal head;                    // Without pages.
  std::optional<profiles::PageJournal> earlier;  // Earlier progress, to be continued.

  int64_t samples_total() const { return head.metrics.samples_planned; }
  const fs::path& page(int64_t sample) const {
    return pages[samples[static_cast<size_t>(sample) % samples.size()].page];
  }
};

// Hash of the configuration and the pages, without the seed, which is in the journal.
std::string IdentityOf(const Options& options, const std::vector<fs::path>& pages) {
  Sha256Sum sum;
  sum.Add(options.config_sha256);
  for (const fs::path& page : pages) {
    sum.Add(page.native());
    sum.Add(std::string_view("\0", 1));
  }
  return sum.ToHex();
}

// nullopt if there is none, or it has another configuration.
Result<std::optional<profiles::PageJournal>> FindEarlier(
    const RunPlace& place, const predictions::OutputOptions& outputs,
    const std::string& identity) {
  std::optional<profiles::PageJournal> none;
  if (!place.resume) return none;
  Result<profiles::PageJournal> journal =
      profiles::ReadPageJournal(place.output, predictions::FilesOf(outputs));
  if (!journal.ok() && journal.error().code() == ErrorCode::kIo) {
    return std::move(journal).error();
  }
  if (journal.ok() && journal.value().identity == identity) {
    return std::optional(std::move(journal).value());
  }
  place.messages << fmt::format(
      "ridgeline-model: {}: {}; starting with the first page\n",
      (place.output / profiles::kPageJournalFile).string(),
      journal.ok() ? "written with another configuration" : journal.error().message());
  return none;
}

// Absolute directories in the options are kept. Parity needs the predictions.
predictions::OutputOptions OutputsOf(const Options& options, const RunPlace& place) {
  predictions::OutputOptions outputs = options.output;
  if (!outputs.prediction_enable && options.parity_reference) {
    outputs.prediction_enable = true;
    outputs.prediction_dir.clear();
  }
  outputs.prediction_dir = place.output / outputs.prediction_dir;
  outputs.visualization_dir = place.output / outputs.visualization_dir;
  return outputs;
}

profiles::PageJournal HeadOf(const PlannedPages& planned) {
  profiles::PageJournal head;
  head.identity = IdentityOf(planned.options, planned.pages);
  head.metrics = EmptyMetrics(planned.options);
  head.metrics.samples_planned =
      static_cast<int64_t>(planned.samples.size()) * planned.options.repeats;
  return head;
}

Result<PlannedPages> PlanPages(const Options& given, const RunPlace& place) {
  PlannedPages planned = {.options = given};
  Options& options = planned.options;
  RIDGELINE_TRY(planned.pages, datasets::FindPages(options.dataset));
  options.output = OutputsOf(options, place);
  RIDGELINE_TRY(planned.earlier,
                FindEarlier(place, options.output, IdentityOf(options, planned.pages)));
  options.dataset.seed = planned.earlier ? planned.earlier->metrics.sampling.seed
                                         : datasets::ChooseSeed(options.dataset);
  planned.samples = datasets::PlanSamples(planned.pages.size(), options.dataset,
                                          options.dataset.seed.value_or(0));
  if (planned.samples.empty()) {
    return Error(ErrorCode::kConfig,
                 "dataset.sampling: no page selected; num_epochs and "
                 "num_samples_per_epoch must be at least 1");
  }
  planned.head = HeadOf(planned);
  return planned;
}

Result<PageLog> OpenLog(const PlannedPages& planned, const RunPlace& place) {
  const predictions::OutputOptions& outputs = planned.options.output;
  if (!planned.earlier) return PageLog::Begin(planned.head, outputs, place.output);
  place.messages << fmt::format(
      "ridgeline-model: resumed after {}\n",
      PartOf(planned.earlier->samples_done, planned.samples_total(), "page"));
  return PageLog::Continue(*planned.earlier, outputs, place.output);
}

// ---- Before the first page

Status WarmUp(const inference::Session& session, images::Image page,
              const Options& options) {
  if (options.warmup_synthetic) page = SyntheticPage(page);
  for (int64_t round = 0; round < options.warmup_rounds; ++round) {
    const inference::ClosedRegion region("warmup");
    RIDGELINE_TRY(const predictions::Prediction ignored,
                  session.Read(page, std::min(kWarmupTokens, options.max_new_tokens)));
  }
  return Ok();
}

// Profiles one page and writes the profile, if enabled.
Status Profile(const inference::Session& session, const fs::path& page,
               const Options& options, const RunPlace& place, PageLog& log) {
  const bool enabled = options.profile.enabled && options.profile.cpu;
  if (!enabled || log.has_profiled()) return Ok();
  RIDGELINE_TRY(const ProfiledPage profiled,
                ProfilePage(session, page, options.profile, place.output / "trace.json"));
  RIDGELINE_RETURN_IF_ERROR(os::WriteFileAtomically(place.output / profiles::kProfileFile,
                                                    profiles::ToJson(profiled.profile)));
  RIDGELINE_RETURN_IF_ERROR(
      os::WriteFileAtomically(place.output / profiles::kTraceFile, profiled.trace));
  return log.AddProfiled({0, profiled.profile.wall_s, profiled.prediction});
}

// Warm-up and profile use the first readable page. If there is none, each page fails on
// its own.
Status Prepare(const inference::Session& session, const PlannedPages& planned,
               const RunPlace& place, PageLog& log) {
  for (size_t i = 0; i < planned.samples.size(); ++i) {
    const fs::path& first = planned.page(static_cast<int64_t>(i));
    Result<images::Image> page = images::LoadImage(first);
    if (!page.ok()) continue;
    RIDGELINE_RETURN_IF_ERROR(WarmUp(session, std::move(page).value(), planned.options));
    return Profile(session, first, planned.options, place, log);
  }
  return Ok();
}

// ---- The pages

// Without the name of the page, a prefix of most messages.
std::string ReasonOf(const Error& error, const fs::path& page) {
  const std::string name = page.string() + ": ";
  return error.message().starts_with(name) ? error.message().substr(name.size())
                                           : error.message();
}

Status HandleFailure(const Error& error, const fs::path& page, const Options& options,
                     std::ostream& messages, PageLog& log) {
  const profiles::PageFailure failure = {page.string(), ReasonOf(error, page)};
  const std::string text = failure.image + ": " + failure.reason;
  if (options.dataset.on_error == datasets::OnError::kFail) {
    return Error(ErrorCode::kIo,
                 text + "; dataset.on_error=skip continues with the other pages");
  }
  messages << "ridgeline-model: skipped: " << text << '\n';
  return log.AddFailure(failure);
}

// Pages whose logits are NaN.
struct NanPages {
  int64_t count = 0;
  std::string first;  // "prefill of a.png"

  void Add(const predictions::Prediction& prediction, const fs::path& page) {
    if (prediction.nan_phase.empty()) return;
    if (count++ == 0) first = prediction.nan_phase + " of " + page.string();
  }
};

void WarnOfNan(const NanPages& nan, int64_t read, std::ostream& messages) {
  if (nan.count == 0) return;
  messages << fmt::format(
      "{}logits are NaN in {} (first in {}): predictions are meaningless; check the "
      "checkpoint, or set model.dtype=fp32\n",
      profiles::kModelWarning, PartOf(nan.count, read, "page"), nan.first);
}

Status ReadPage(const inference::Session& session, const PlannedPages& planned,
                std::ostream& messages, PageLog& log, NanPages& nan) {
  const auto pass = static_cast<int64_t>(planned.samples.size());
  const int64_t number = log.samples_done();
  const fs::path& page = planned.page(number);
  const int64_t begin_ns = os::MonotonicNs();
  Result<predictions::Prediction> prediction =
      session.ReadFile(page, planned.options.max_new_tokens);
  const double wall_s = static_cast<double>(os::MonotonicNs() - begin_ns) * 1e-9;
  if (!prediction.ok()) {
    return HandleFailure(prediction.error(), page, planned.options, messages, log);
  }
  nan.Add(prediction.value(), page);
  prediction.value().epoch = planned.samples[static_cast<size_t>(number % pass)].epoch;
  RIDGELINE_TRY(const std::string problem,
                log.Add({number / pass, wall_s, std::move(prediction).value()}));
  if (!problem.empty()) messages << "ridgeline-model: " << problem << '\n';
  return Ok();
}

Status ReadPages(const PlannedPages& planned, const RunPlace& place,
                 inference::LoadSession load, PageLog& log) {
  const int64_t total = planned.samples_total();
  if (log.samples_done() == total) return Ok();
  RIDGELINE_TRY(const std::unique_ptr<inference::Session> session,
                load(planned.options.model, planned.options.session));
  RIDGELINE_RETURN_IF_ERROR(Prepare(*session, planned, place, log));
  RIDGELINE_RETURN_IF_ERROR(TellProgress(place, log.samples_done(), total));
  const int64_t first = log.samples_done();
  NanPages nan;
  while (log.samples_done() < total) {
    RIDGELINE_RETURN_IF_ERROR(ReadPage(*session, planned, place.messages, log, nan));
    RIDGELINE_RETURN_IF_ERROR(TellProgress(place, log.samples_done(), total));
  }
  WarnOfNan(nan, total - first, place.messages);
  return Ok();
}

// ---- After the last page

Status CheckAnyRead(const profiles::ModelMetrics& metrics) {
  if (!metrics.samples.empty() || metrics.failures.empty()) return Ok();
  const profiles::PageFailure& first = metrics.failures.front();
  return Error(ErrorCode::kIo, fmt::format("none of {} could be read; the first: {}: {}",
                                           Plural(metrics.failures.size(), "page"),
                                           first.image, first.reason));
}

Result<RunVerdict> CompareWithReference(const Options& options, const RunPlace& place) {
  if (!options.parity_reference) return RunVerdict{};
  RIDGELINE_TRY(const std::vector<predictions::Prediction> reference,
                predictions::ReadPredictions(*options.parity_reference));
  RIDGELINE_TRY(
      const std::vector<predictions::Prediction> ours,
      predictions::ReadPredictions(predictions::FilesOf(options.output).predictions));
  predictions::ParityScope scope = {.logits_tolerance = options.parity_logits_tolerance};
  if (options.is_capture) scope.capture_tokens = options.max_new_tokens;
  predictions::Parity parity = predictions::Compare(reference, ours, scope);
  RIDGELINE_TRY(const profiles::PageJournal journal,
                profiles::ReadPageJournal(place.output, {}));
  predictions::ComparePasses(journal, ours, parity);
  RIDGELINE_RETURN_IF_ERROR(
      os::WriteFileAtomically(place.output / "parity.json", predictions::ToJson(parity)));
  return RunVerdict{.differs = parity.failed(), .parity = predictions::Summary(parity)};
}

}  // namespace

Result<RunVerdict> RunPages(const Options& given, const RunPlace& place,
                            inference::LoadSession load) {
  inference::PrepareCpu();
  RIDGELINE_TRY(const os::DirectoryLock lock, LockOutput(place.output));
  RIDGELINE_RETURN_IF_ERROR(os::RemoveStaleFiles(place.output));
  RIDGELINE_TRY(const PlannedPages planned, PlanPages(given, place));
  RIDGELINE_TRY(PageLog log, OpenLog(planned, place));
  RIDGELINE_RETURN_IF_ERROR(ReadPages(planned, place, load, log));
  RIDGELINE_TRY(const profiles::ModelMetrics metrics, log.Finish());
  RIDGELINE_RETURN_IF_ERROR(CheckAnyRead(metrics));
  RIDGELINE_RETURN_IF_ERROR(
      os::WriteFileAtomically(place.output / "metrics.json", profiles::ToJson(metrics)));
  return CompareWithReference(planned.options, place);
}

}  // namespace ridgeline::inference
