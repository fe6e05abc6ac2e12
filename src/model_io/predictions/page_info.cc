#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "model_io/predictions/label_colour.h"
#include "model_io/predictions/write_page.h"

namespace ridgeline::predictions {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kPageInfoVersion = 2;

Json BoxJson(const PageBox& box) {
  const bool has_crop = box.crop && !box.pixels.degenerate();
  return {
      {"label", box.label},
      {"normalised", {box.model.x1, box.model.y1, box.model.x2, box.model.y2}},
      {"pixels", {box.pixels.x1, box.pixels.y1, box.pixels.x2, box.pixels.y2}},
      {"degenerate", box.pixels.degenerate()},
      {"colour", ToHex(LabelColour(box.label))},
      {"crop", has_crop ? Json(images::CropPath(*box.crop)) : Json()},
  };
}

Json CountsJson(const PageFacts& facts) {
  const auto count = [&facts](auto holds) {
    return std::count_if(facts.boxes.boxes.begin(), facts.boxes.boxes.end(), holds);
  };
  return {
      {"tags", facts.grounded.groundings.size()},
      {"tags_malformed", facts.grounded.tags_malformed},
      {"boxes", facts.boxes.boxes.size() + facts.boxes.left_out},
      {"boxes_left_out", facts.boxes.left_out},
      {"boxes_degenerate", facts.boxes.degenerate},
      {"boxes_clamped", facts.boxes.clamped},
      {"image_boxes", count([](const PageBox& box) { return box.crop.has_value(); })},
      {"crops", count([](const PageBox& box) {
         return box.crop.has_value() && !box.pixels.degenerate();
       })},
  };
}

Json TimesJson(const Prediction& prediction) {
  Json times = Json::object();
  if (prediction.preprocess_s) times["preprocess_s"] = *prediction.preprocess_s;
  for (const PhaseTime& phase : prediction.phases) {
    times[phase.name + "_s"] = phase.seconds;
  }
  return times;
}

}  // namespace

std::string PageInfoJson(const PageFacts& facts) {
  const Prediction& prediction = facts.prediction;
  Json json = {{"schema_version", kPageInfoVersion},
               {"image", prediction.image.string()},
               {"image_md5", facts.image_md5},
               {"epoch", prediction.epoch},
               {"width", facts.width},
               {"height", facts.height},
               {"text_bytes", prediction.text.size()},
               {"prompt_tokens",
                prediction.prompt_tokens ? Json(*prediction.prompt_tokens) : Json()},
               {"generated_tokens", prediction.ids.size()},
               {"finish_reason", prediction.reached_end ? kStop : kLength},
               {"times", TimesJson(prediction)},
               {"counts", CountsJson(facts)},
               {"boxes", Json::array()}};
  for (const PageBox& box : facts.boxes.boxes) json["boxes"].push_back(BoxJson(box));
  return DumpJson(json, 2) + "\n";
}

}  // namespace ridgeline::predictions
