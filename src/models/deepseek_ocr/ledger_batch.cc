#include <algorithm>
#include <cmath>

#include "models/deepseek_ocr/ledger_phases.h"

namespace ridgeline::models::deepseek_ocr {

using cost::Count;

ExpertsRead ExpertsReadOf(const DecoderDimensions& d, int64_t pages) {
  if (d.experts == 0) return {};
  const int64_t k = std::min(d.experts_per_token, d.experts);
  const int64_t most = pages >= d.experts ? d.experts : std::min(d.experts, pages * k);
  // A token does not choose an expert with probability 1 - k / experts.
  const double share = static_cast<double>(k) / static_cast<double>(d.experts);
  const double uniform = static_cast<double>(d.experts) *
                         (1 - std::pow(1 - share, static_cast<double>(pages)));
  return {
      .least = k,
      .uniform = std::clamp(uniform, static_cast<double>(k), static_cast<double>(most)),
      .most = most,
      .experts = d.experts};
}

Count ExpertLoads(const DecoderDimensions& d, const SampleBatch& batch, Count steps) {
  const ExpertsRead read = ExpertsReadOf(d, batch.samples);
  switch (batch.experts) {
    case ExpertSpread::kLeast:
      return steps * read.least;
    case ExpertSpread::kUniform:
      // Rounded once, over all steps.
      return std::clamp(Count(std::llround(steps.as_double() * read.uniform)),
                        steps * read.least, steps * read.most);
    case ExpertSpread::kMost:
      return steps * read.most;
  }
  return {};
}

void ReadTogether(DecoderWork& work, Count pages) {
  for (Count* count : {&work.rows, &work.image_rows, &work.logits_rows, &work.keys_cached,
                       &work.keys_read}) {
    *count = *count * pages;
  }
  work.pairs = work.pairs * pages;
}

}  // namespace ridgeline::models::deepseek_ocr
