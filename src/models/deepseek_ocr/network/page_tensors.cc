#include "models/deepseek_ocr/network/page_tensors.h"

namespace ridgeline::networks::deepseek_ocr {
namespace {

at::Tensor ToTensor(std::span<const images::Image> views, const WeightOptions& options) {
  const int64_t width = views.front().width;
  const int64_t height = views.front().height;
  at::Tensor tensor =
      at::empty({static_cast<int64_t>(views.size()), 3, height, width}, at::kFloat);
  for (size_t i = 0; i < views.size(); ++i) {
    models::deepseek_ocr::NormalizeInto(
        views[i],
        tensor.data_ptr<float>() + static_cast<int64_t>(i) * 3 * height * width);
  }
  return tensor.to(options.device, options.dtype);
}

}  // namespace

PageTensors ToTensors(const models::deepseek_ocr::PageViews& views,
                      const WeightOptions& options) {
  PageTensors page;
  page.global = ToTensor({&views.global, 1}, options);
  if (!views.crops.empty()) page.crops = ToTensor(views.crops, options);
  page.grid_cols = views.grid_cols;
  page.grid_rows = views.grid_rows;
  return page;
}

}  // namespace ridgeline::networks::deepseek_ocr
