#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <cmath>

#include "inference/kernels/ops.h"
#include "inference/kernels/rows.h"

namespace ridgeline::inference::cpu {
namespace {

at::Tensor RmsNormOnCpu(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
  TORCH_CHECK(x.scalar_type() == at::kFloat && weight.scalar_type() == at::kFloat &&
                  weight.dim() == 1 && weight.is_contiguous() &&
                  x.size(-1) == weight.size(0),
              "ridgeline::rms_norm: expected f32 (..., n) and (n)");
  const at::Tensor flat = x.contiguous();
  at::Tensor out = at::empty(x.sizes(), flat.options());
  const int64_t width = x.size(-1);
  const float* scale = weight.data_ptr<float>();
  at::parallel_for(
      0, x.numel() / width, std::max<int64_t>(1, kGrain / width),
      [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          const float* in = flat.data_ptr<float>() + row * width;
          float* y = out.data_ptr<float>() + row * width;
          float squares = 0;
          BestKernels().gemv_f32(in, in, &squares, 1, width);
          const double mean = static_cast<double>(squares) / static_cast<double>(width);
          const float factor = static_cast<float>(1 / std::sqrt(mean + epsilon));
          for (int64_t i = 0; i < width; ++i) y[i] = in[i] * factor * scale[i];
        }
      });
  return out;
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(ridgeline, library) {
  library.def("rms_norm(Tensor x, Tensor weight, float epsilon) -> Tensor");
}

TORCH_LIBRARY_IMPL(ridgeline, CPU, library) { library.impl("rms_norm", RmsNormOnCpu); }

at::Tensor RmsNorm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
  static const auto op =
      c10::Dispatcher::singleton()
          .findSchemaOrThrow("ridgeline::rms_norm", "")
          .typed<at::Tensor(const at::Tensor&, const at::Tensor&, double)>();
  return op.call(x, weight, epsilon);
}

}  // namespace ridgeline::inference::cpu
