#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include "inference/kernels/ops.h"
#include "inference/kernels/rows.h"

namespace ridgeline::inference::cpu {
namespace {

// For this many rows of x or fewer, reading the weights once per row is cheaper than a
// GEMM, which packs them first (and does not support bf16 here).
constexpr int64_t kFewRows = 4;

// Weight elements widened at a time: 1 to 4 MB, which fits into a cache.
constexpr int64_t kTileElements = int64_t{1} << 19;

void MultiplyRowByRow(const at::Tensor& x, const at::Tensor& weight, at::Tensor& out) {
  const int64_t rows = weight.size(0);
  const int64_t cols = weight.size(1);
  const float* in = x.data_ptr<float>();
  float* y = out.data_ptr<float>();
  const int64_t grain = std::max<int64_t>(1, kGrain / cols);
  for (int64_t i = 0; i < x.size(0); ++i) {
    at::parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
      MultiplyRows(weight, in + i * cols, y + i * rows + begin, begin, end);
    });
  }
}

void MultiplyByTiles(const at::Tensor& x, const at::Tensor& weight, at::Tensor& out) {
  const Kernels& kernels = BestKernels();
  const int64_t rows = weight.size(0);
  const int64_t cols = weight.size(1);
  const int64_t tile_rows = std::min(rows, std::max<int64_t>(1, kTileElements / cols));
  at::Tensor tile = at::empty({tile_rows, cols}, x.options());
  for (int64_t begin = 0; begin < rows; begin += tile_rows) {
    const int64_t count = std::min(tile_rows, rows - begin);
    float* widened = tile.data_ptr<float>();
    at::parallel_for(0, count, std::max<int64_t>(1, kGrain / cols),
                     [&](int64_t from, int64_t to) {
                       kernels.widen_bf16(Bits(weight) + (begin + from) * cols,
                                          widened + from * cols, (to - from) * cols);
                     });
    at::Tensor part = out.narrow(1, begin, count);
    at::mm_out(part, x, tile.narrow(0, 0, count).t());
  }
}

at::Tensor LinearOnCpu(const at::Tensor& x, const at::Tensor& weight,
                       const c10::optional<at::Tensor>& bias) {
  TORCH_CHECK(
      x.scalar_type() == at::kFloat && IsWeight(weight) && x.size(-1) == weight.size(1),
      "ridgeline::linear: expected f32 (..., n) and contiguous bf16 or f32 (m, n)");
  const at::Tensor flat = x.reshape({-1, weight.size(1)}).contiguous();
  at::Tensor out = at::empty({flat.size(0), weight.size(0)}, flat.options());
  if (flat.size(0) <= kFewRows) {
    MultiplyRowByRow(flat, weight, out);
  } else if (weight.scalar_type() == at::kFloat) {
    at::mm_out(out, flat, weight.t());
  } else {
    MultiplyByTiles(flat, weight, out);
  }
  if (bias && bias->defined()) out += *bias;
  std::vector<int64_t> shape = x.sizes().vec();
  shape.back() = weight.size(0);
  return out.view(shape);
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(ridgeline, library) {
  library.def("linear(Tensor x, Tensor weight, Tensor? bias) -> Tensor");
}

TORCH_LIBRARY_IMPL(ridgeline, CPU, library) { library.impl("linear", LinearOnCpu); }

at::Tensor Linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("ridgeline::linear", "")
                             .typed<at::Tensor(const at::Tensor&, const at::Tensor&,
                                               const c10::optional<at::Tensor>&)>();
  return op.call(x, weight,
                 bias.defined() ? c10::optional<at::Tensor>(bias) : c10::nullopt);
}

}  // namespace ridgeline::inference::cpu
