#include <fmt/format.h>

#include "base/random.h"
#include "inference/device.h"
#include "inference/metrics.h"
#include "inference/region.h"
#include "inference/tasks.h"
#include "model_io/datasets/find_samples.h"
#include "model_io/datasets/sample_plan.h"
#include "model_io/images/decode.h"
#include "model_io/predictions/parity.h"
#include "model_io/predictions/write_outputs.h"
#include "os/env.h"
#include "os/files.h"
#include "os/ticks.h"

namespace ridgeline::inference {
namespace {

namespace fs = std::filesystem;

// Enough to have everything loaded, compiled and cached once.
constexpr int64_t kWarmupTokens = 4;

Status TellProgress(const RunPlace& place, size_t done, size_t total) {
  if (place.progress_file.empty()) return Ok();
  return os::WriteFileAtomically(place.progress_file,
                                 fmt::format("{} {} pages\n", done, total));
}

// A page of noise with the size of this one.
images::Image SyntheticPage(const images::Image& like) {
  images::Image page = like;
  for (size_t i = 0; i < page.rgb.size(); ++i) {
    page.rgb[i] = static_cast<uint8_t>(SplitMix64At(0, i));
  }
  return page;
}

Status WarmUp(const inference::Session& session, const fs::path& first,
              const Options& options) {
  if (options.warmup_rounds == 0) return Ok();
  RIDGELINE_TRY(images::Image page, images::LoadImage(first));
  if (options.warmup_synthetic) page = SyntheticPage(page);
  for (int64_t round = 0; round < options.warmup_rounds; ++round) {
    const inference::ClosedRegion region("warmup");
    RIDGELINE_TRY(const predictions::Prediction ignored,
                  session.Read(page, std::min(kWarmupTokens, options.max_new_tokens)));
  }
  return Ok();
}

struct PlannedPages {
  std::vector<fs::path> pages;
  std::vector<datasets::SamplePlan> samples;
};

Result<PlannedPages> PlanPages(const Options& options) {
  RIDGELINE_TRY(std::vector<fs::path> pages, datasets::FindPages(options.dataset));
  std::vector<datasets::SamplePlan> samples =
      datasets::PlanSamples(pages.size(), options.dataset, *options.dataset.seed);
  if (samples.empty()) {
    return Error(ErrorCode::kConfig,
                 "dataset.sampling: no page selected; num_epochs and "
                 "num_samples_per_epoch must be at least 1");
  }
  return PlannedPages{std::move(pages), std::move(samples)};
}

// Profiles one page and writes the profile, if enabled.
Result<std::optional<ProfiledPage>> Profile(const inference::Session& session,
                                            const fs::path& page, const Options& options,
                                            const RunPlace& place) {
  if (!options.profile.enabled || !options.profile.cpu)
    return std::optional<ProfiledPage>();
  RIDGELINE_TRY(ProfiledPage profiled,
                ProfilePage(session, page, options.profile, place.output / "trace.json"));
  RIDGELINE_RETURN_IF_ERROR(os::WriteFileAtomically(place.output / profiles::kProfileFile,
                                                    profiles::ToJson(profiled.profile)));
  RIDGELINE_RETURN_IF_ERROR(
      os::WriteFileAtomically(place.output / profiles::kTraceFile, profiled.trace));
  profiled.trace.clear();
  return std::optional(std::move(profiled));
}

Result<std::vector<Sample>> ReadPages(const inference::Session& session,
                                      const PlannedPages& planned_pages,
                                      const Options& options, const RunPlace& place) {
  const auto& [pages, plan] = planned_pages;
  std::vector<Sample> samples;
  const size_t total = plan.size() * static_cast<size_t>(options.repeats);
  for (int64_t repeat = 0; repeat < options.repeats; ++repeat) {
    for (const datasets::SamplePlan& planned : plan) {
      const int64_t begin_ns = os::MonotonicNs();
      RIDGELINE_TRY(predictions::Prediction prediction,
                    session.ReadFile(pages[planned.page], options.max_new_tokens));
      const double wall_s = static_cast<double>(os::MonotonicNs() - begin_ns) * 1e-9;
      prediction.epoch = planned.epoch;
      samples.push_back({repeat, wall_s, std::move(prediction)});
      RIDGELINE_RETURN_IF_ERROR(TellProgress(place, samples.size(), total));
    }
  }
  return samples;
}

// Predictions of the first pass; later passes only measure.
std::vector<predictions::Prediction> FirstOf(const std::vector<Sample>& samples) {
  std::vector<predictions::Prediction> first;
  for (const Sample& sample : samples) {
    if (sample.repeat == 0) first.push_back(sample.prediction);
  }
  return first;
}

Status CompareWithReference(const Options& options, const RunPlace& place,
                            const std::vector<predictions::Prediction>& ours,
                            RunVerdict& verdict) {
  if (!options.parity_reference) return Ok();
  RIDGELINE_TRY(const std::vector<predictions::Prediction> reference,
                predictions::ReadPredictions(*options.parity_reference));
  const predictions::Parity parity =
      predictions::Compare(reference, ours, options.parity_logits_tolerance);
  verdict.differs = !parity.passed();
  verdict.parity = predictions::Summary(parity);
  return os::WriteFileAtomically(place.output / "parity.json",
                                 predictions::ToJson(parity));
}

}  // namespace

Result<RunVerdict> RunPages(const Options& given, const RunPlace& place,
                            inference::LoadSession load) {
  inference::PrepareCpu();
  Options options = given;
  options.dataset.seed = datasets::ChooseSeed(options.dataset);
  RIDGELINE_TRY(const PlannedPages planned, PlanPages(options));
  RIDGELINE_TRY(const std::unique_ptr<inference::Session> session,
                load(options.model, options.session));
  const fs::path& first_page = planned.pages[planned.samples.front().page];
  RIDGELINE_RETURN_IF_ERROR(WarmUp(*session, first_page, options));
  RIDGELINE_TRY(const std::optional<ProfiledPage> profiled,
                Profile(*session, first_page, options, place));
  RIDGELINE_TRY(const std::vector<Sample> samples,
                ReadPages(*session, planned, options, place));
  const std::vector<predictions::Prediction> first = FirstOf(samples);
  // Absolute directories of the options stay as they are.
  predictions::OutputOptions output = options.output;
  output.prediction_dir = place.output / output.prediction_dir;
  output.visualization_dir = place.output / output.visualization_dir;
  RIDGELINE_TRY(predictions::WrittenOutputs written,
                predictions::WriteOutputs(output, first));
  const RunMetrics metrics = {.samples = samples,
                              .profiled = profiled ? &*profiled : nullptr,
                              .peak_rss_bytes = os::PeakMemoryBytes()};
  RIDGELINE_RETURN_IF_ERROR(os::WriteFileAtomically(
      place.output / "metrics.json", profiles::ToJson(MetricsOf(metrics, options))));
  RunVerdict verdict;
  verdict.problems = std::move(written.problems);
  RIDGELINE_RETURN_IF_ERROR(CompareWithReference(options, place, first, verdict));
  return verdict;
}

}  // namespace ridgeline::inference
