#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include "inference/kernels/ops.h"
#include "inference/kernels/rows.h"

namespace ridgeline::inference::cpu {
namespace {

at::Tensor RotateOnCpu(const at::Tensor& x, const at::Tensor& cos,
                       const at::Tensor& sin) {
  TORCH_CHECK(x.dim() == 3 && x.scalar_type() == at::kFloat && x.stride(2) == 1 &&
                  x.size(2) % 2 == 0 && cos.is_contiguous() && sin.is_contiguous() &&
                  cos.sizes() == x.sizes().slice(1) && sin.sizes() == cos.sizes() &&
                  cos.scalar_type() == at::kFloat && sin.scalar_type() == at::kFloat,
              "ridgeline::rotate: expected f32 (heads, n, width) and twice (n, width)");
  at::Tensor out = at::empty(x.sizes(), x.options());
  const int64_t count = x.size(1);
  const int64_t width = x.size(2);
  const int64_t half = width / 2;
  at::parallel_for(0, x.size(0) * count, std::max<int64_t>(1, kGrain / width),
                   [&](int64_t begin, int64_t end) {
                     for (int64_t row = begin; row < end; ++row) {
                       const int64_t head = row / count;
                       const int64_t place = row % count;
                       const float* in =
                           x.data_ptr<float>() + head * x.stride(0) + place * x.stride(1);
                       const float* c = cos.data_ptr<float>() + place * width;
                       const float* s = sin.data_ptr<float>() + place * width;
                       float* y = out.data_ptr<float>() + row * width;
                       for (int64_t i = 0; i < half; ++i) {
                         y[i] = in[i] * c[i] - in[i + half] * s[i];
                         y[i + half] = in[i + half] * c[i + half] + in[i] * s[i + half];
                       }
                     }
                   });
  return out;
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(ridgeline, library) {
  library.def("rotate(Tensor x, Tensor cos, Tensor sin) -> Tensor");
}

TORCH_LIBRARY_IMPL(ridgeline, CPU, library) { library.impl("rotate", RotateOnCpu); }

at::Tensor Rotate(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin) {
  static const auto op =
      c10::Dispatcher::singleton()
          .findSchemaOrThrow("ridgeline::rotate", "")
          .typed<at::Tensor(const at::Tensor&, const at::Tensor&, const at::Tensor&)>();
  return op.call(x, cos, sin);
}

}  // namespace ridgeline::inference::cpu
