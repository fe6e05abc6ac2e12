#include "models/dummy_shallow_resnet/network/session.h"

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "inference/device.h"
#include "inference/region.h"
#include "inference/session.h"
#include "inference/torch_errors.h"
#include "model_io/images/resize.h"
#include "models/dummy_shallow_resnet/network/network.h"

namespace ridgeline::networks::dummy_shallow_resnet {
namespace {

// (height, width, 3) bytes -> (1, 3, height, width) from -1 to 1
at::Tensor ToTensor(const images::Image& image, const Network& network) {
  const at::Tensor bytes = at::from_blob(const_cast<uint8_t*>(image.rgb.data()),
                                         {1, image.height, image.width, 3}, at::kByte);
  return (bytes.permute({0, 3, 1, 2}).to(at::kFloat) / 127.5 - 1)
      .to(network.device(), network.dtype())
      .contiguous();
}

class ResnetSession final : public inference::Session {
 public:
  ResnetSession(Network network, int side) : network_(std::move(network)), side_(side) {}

  Result<predictions::Prediction> Read(const images::Image& page,
                                       int64_t /*max_new_tokens*/) const override {
    return inference::CatchTorch("classifying", [&]() -> Result<predictions::Prediction> {
      const c10::InferenceMode no_gradients;
      predictions::Prediction prediction;
      prediction.preprocess_s = 0;
      at::Tensor input;
      {
        const inference::PhaseTimer timer(at::kCPU, *prediction.preprocess_s);
        input = ToTensor(images::ResizeBicubic(page, side_, side_), network_);
      }
      double prefill_s = 0;
      {
        const inference::Region region("prefill");
        const inference::PhaseTimer timer(network_.device(), prefill_s);
        prediction.ids = {network_.Forward(input).argmax().item<int64_t>()};
      }
      prediction.text = fmt::format("class {}", prediction.ids.front());
      prediction.text_clean = prediction.text;
      prediction.reached_end = true;
      prediction.phases = {{"prefill", prefill_s}};
      return prediction;
    });
  }

  Result<inference::OpCounts> Count(const images::Image& page,
                                    int64_t /*decode_steps*/) const override {
    inference::OpCounter counter;
    RIDGELINE_TRY(const predictions::Prediction ignored, Read(page, 1));
    inference::OpCounts counts;
    counts.phases.push_back({"prefill", counter.rows(), counter.unknown()});
    return counts;
  }

  std::vector<std::filesystem::path> files() const override { return {}; }

 private:
  Network network_;
  int side_;
};

}  // namespace

Result<std::unique_ptr<inference::Session>> MakeSession(
    const inference::SessionOptions& options) {
  RIDGELINE_TRY(const inference::DeviceChoice device,
                inference::ChooseDevice(options.device, options.dtype));
  return inference::CatchTorch(
      "creating the model", [&]() -> Result<std::unique_ptr<inference::Session>> {
        const c10::InferenceMode no_gradients;
        Network network(static_cast<uint64_t>(options.create_seed), device.device,
                        device.dtype);
        return std::unique_ptr<inference::Session>(std::make_unique<ResnetSession>(
            std::move(network), static_cast<int>(options.preprocess.image_size)));
      });
}

}  // namespace ridgeline::networks::dummy_shallow_resnet
