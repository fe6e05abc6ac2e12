#include "inference/session.h"

#include "model_io/images/decode.h"

namespace ridgeline::inference {

Result<predictions::Prediction> Session::ReadFile(const std::filesystem::path& image,
                                                  int64_t max_new_tokens) const {
  double opening_s = 0;
  const auto load = [&]() -> Result<images::Image> {
    const PhaseTimer timer(at::kCPU, opening_s);
    return images::LoadImage(image);
  };
  RIDGELINE_TRY(const images::Image page, load());
  RIDGELINE_TRY(predictions::Prediction prediction, Read(page, max_new_tokens));
  prediction.image = image;
  prediction.preprocess_s = prediction.preprocess_s.value_or(0) + opening_s;
  return prediction;
}

}  // namespace ridgeline::inference
