#include <algorithm>

#include "cost/ledger.h"
#include "inference/device.h"
#include "inference/tasks.h"
#include "model_io/datasets/find_samples.h"
#include "model_io/images/decode.h"
#include "os/files.h"
#include "profiles/op_counts.h"

namespace ridgeline::inference {
namespace {

// Decode steps differ only in context length, so a few steps are enough.
constexpr int64_t kDecodeSteps = 3;

Result<images::Image> ChoosePage(const Options& options) {
  if (options.count_synthetic) {
    // The page used by the closed form.
    constexpr cost::ImageSize kPage = cost::kSyntheticPage;
    return images::Filled(kPage.width, kPage.height, {200, 200, 200});
  }
  RIDGELINE_TRY(const std::vector<std::filesystem::path> pages,
                datasets::FindPages(options.dataset));
  const auto readable = std::find_if(pages.begin(), pages.end(), os::IsRegularFile);
  return images::LoadImage(readable == pages.end() ? pages.front() : *readable);
}

}  // namespace

Status CountOps(const Options& options, const RunPlace& place,
                inference::LoadSession load) {
  inference::PrepareCpu();
  inference::SessionOptions session_options = options.session;
  session_options.fused_attention = false;
  RIDGELINE_TRY(const images::Image page, ChoosePage(options));
  RIDGELINE_TRY(const std::unique_ptr<inference::Session> session,
                load(options.model, session_options));
  RIDGELINE_TRY(const inference::OpCounts counts, session->Count(page, kDecodeSteps));
  return os::WriteFileAtomically(place.output / profiles::kOpCountsFile,
                                 profiles::ToJson(counts));
}

}  // namespace ridgeline::inference
