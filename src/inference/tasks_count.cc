#include <nlohmann/json.hpp>

#include "base/json.h"
#include "inference/device.h"
#include "inference/tasks.h"
#include "model_io/datasets/find_samples.h"
#include "model_io/images/decode.h"
#include "models/deepseek_ocr/page_shapes.h"
#include "os/files.h"

namespace ridgeline::inference {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kCountVersion = 1;

// Decode steps differ only in context length, so a few steps are enough.
constexpr int64_t kDecodeSteps = 3;

Json PhaseJson(const inference::OpCounts::Phase& phase) {
  Json rows = Json::array();
  for (const inference::CountedOps& row : phase.rows) {
    rows.push_back(
        {{"scope", row.scope}, {"class", row.cost_class}, {"flops", row.flops}});
  }
  return rows;
}

std::string ToJson(const inference::OpCounts& counts) {
  Json json = {{"schema_version", kCountVersion},
               {"prompt_tokens", counts.prompt_tokens},
               {"image_tokens", counts.image_tokens},
               {"decode_steps", counts.decode_steps},
               {"views", Json::array()},
               {"phases", Json::object()},
               {"operators_without_formula", Json::object()}};
  for (const inference::OpCounts::Views& views : counts.views) {
    json["views"].push_back({{"side", views.side}, {"count", views.count}});
  }
  for (const inference::OpCounts::Phase& phase : counts.phases) {
    json["phases"][phase.name] = PhaseJson(phase);
    for (const auto& [name, times] : phase.unknown) {
      Json& known = json["operators_without_formula"][name];
      known = (known.is_null() ? 0 : known.get<int64_t>()) + times;
    }
  }
  return DumpJson(json, 1) + "\n";
}

Result<images::Image> ChoosePage(const Options& options) {
  if (options.count_synthetic) {
    // The page that the closed form counts with.
    constexpr models::deepseek_ocr::PageSize kPage = models::deepseek_ocr::kMadeUpPage;
    return images::Filled(kPage.width, kPage.height, {200, 200, 200});
  }
  RIDGELINE_TRY(const std::vector<std::filesystem::path> pages,
                datasets::FindPages(options.dataset));
  return images::LoadImage(pages.front());
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
  return os::WriteFileAtomically(place.output / "dispatcher.json", ToJson(counts));
}

}  // namespace ridgeline::inference
