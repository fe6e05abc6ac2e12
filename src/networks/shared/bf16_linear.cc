#include "networks/shared/bf16_linear.h"

#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include "networks/shared/bf16_kernels.h"

namespace ridgeline::networks {
namespace {

// Up to so many rows of x it is cheaper to read the bf16 weights once per row than to
// widen them first.
constexpr int64_t kFewRows = 4;

// Rows of a weight that are widened at a time: 1 to 4 MB, within a cache.
constexpr int64_t kTileElements = int64_t{1} << 19;

// Elements of a weight below which another thread costs more than it saves.
constexpr int64_t kGrain = int64_t{1} << 15;

const uint16_t* Bits(const at::Tensor& weight) {
  return reinterpret_cast<const uint16_t*>(weight.data_ptr<at::BFloat16>());
}

void MultiplyRowByRow(const at::Tensor& x, const at::Tensor& weight, at::Tensor& out) {
  const Bf16Kernels& kernels = BestBf16Kernels();
  const int64_t rows = weight.size(0);
  const int64_t cols = weight.size(1);
  const uint16_t* w = Bits(weight);
  const float* in = x.data_ptr<float>();
  float* y = out.data_ptr<float>();
  const int64_t grain = std::max<int64_t>(1, kGrain / cols);
  for (int64_t i = 0; i < x.size(0); ++i) {
    at::parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
      kernels.gemv(w + begin * cols, in + i * cols, y + i * rows + begin, end - begin,
                   cols);
    });
  }
}

void MultiplyByTiles(const at::Tensor& x, const at::Tensor& weight, at::Tensor& out) {
  const Bf16Kernels& kernels = BestBf16Kernels();
  const int64_t rows = weight.size(0);
  const int64_t cols = weight.size(1);
  const int64_t tile_rows = std::min(rows, std::max<int64_t>(1, kTileElements / cols));
  at::Tensor tile = at::empty({tile_rows, cols}, x.options());
  for (int64_t begin = 0; begin < rows; begin += tile_rows) {
    const int64_t count = std::min(tile_rows, rows - begin);
    float* widened = tile.data_ptr<float>();
    at::parallel_for(0, count, std::max<int64_t>(1, kGrain / cols),
                     [&](int64_t from, int64_t to) {
                       kernels.widen(Bits(weight) + (begin + from) * cols,
                                     widened + from * cols, (to - from) * cols);
                     });
    at::Tensor part = out.narrow(1, begin, count);
    at::mm_out(part, x, tile.narrow(0, 0, count).t());
  }
}

at::Tensor LinearBf16Cpu(const at::Tensor& x, const at::Tensor& weight,
                         const c10::optional<at::Tensor>& bias) {
  TORCH_CHECK(x.scalar_type() == at::kFloat && weight.scalar_type() == at::kBFloat16 &&
                  weight.dim() == 2 && weight.is_contiguous() &&
                  x.size(-1) == weight.size(1),
              "linear_bf16: expected f32 (..., n) and contiguous bf16 (m, n)");
  const at::Tensor flat = x.reshape({-1, weight.size(1)}).contiguous();
  at::Tensor out = at::empty({flat.size(0), weight.size(0)}, flat.options());
  if (flat.size(0) <= kFewRows) {
    MultiplyRowByRow(flat, weight, out);
  } else {
    MultiplyByTiles(flat, weight, out);
  }
  if (bias && bias->defined()) out += *bias;
  std::vector<int64_t> shape = x.sizes().vec();
  shape.back() = weight.size(0);
  return out.view(shape);
}

}  // namespace

TORCH_LIBRARY(ridgeline, library) {
  library.def("linear_bf16(Tensor x, Tensor weight, Tensor? bias) -> Tensor");
}

TORCH_LIBRARY_IMPL(ridgeline, CPU, library) {
  library.impl("linear_bf16", LinearBf16Cpu);
}

at::Tensor LinearBf16(const at::Tensor& x, const at::Tensor& weight,
                      const at::Tensor& bias) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("ridgeline::linear_bf16", "")
                             .typed<at::Tensor(const at::Tensor&, const at::Tensor&,
                                               const c10::optional<at::Tensor>&)>();
  return op.call(x, weight,
                 bias.defined() ? c10::optional<at::Tensor>(bias) : c10::nullopt);
}

}  // namespace ridgeline::networks
