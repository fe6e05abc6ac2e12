#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "inference/kernels/ops.h"
#include "inference/kernels/rows.h"

namespace ridgeline::inference::cpu {
namespace {

// Heads have a separate stride, because the cache has spare capacity after each.
bool IsCache(const at::Tensor& t) {
  return t.dim() == 3 && t.scalar_type() == at::kFloat && t.stride(2) == 1 &&
         t.stride(1) == t.size(2);
}

// Turns scores into weights that sum to one.
void Softmax(std::vector<float>& scores, float scale) {
  const float largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (float& score : scores) {
    score = std::exp((score - largest) * scale);
    sum += score;
  }
  const float factor = static_cast<float>(1 / sum);
  for (float& score : scores) score *= factor;
}

at::Tensor AttendTokenOnCpu(const at::Tensor& q, const at::Tensor& keys,
                            const at::Tensor& values, double scale) {
  TORCH_CHECK(q.dim() == 3 && q.size(1) == 1 && q.scalar_type() == at::kFloat &&
                  IsCache(keys) && IsCache(values) && keys.sizes() == values.sizes() &&
                  keys.size(2) == q.size(2) && keys.size(1) > 0 &&
                  q.size(0) % keys.size(0) == 0 && scale > 0,
              "ridgeline::attend_token: expected f32 (heads, 1, width) and a cache");
  const at::Tensor queries = q.contiguous();
  at::Tensor out = at::empty(q.sizes(), queries.options());
  const int64_t count = keys.size(1);
  const int64_t width = q.size(2);
  const int64_t per_key = q.size(0) / keys.size(0);
  const Kernels& kernels = BestKernels();
  const int64_t grain = std::max<int64_t>(1, kGrain / (2 * count * width));
  at::parallel_for(0, q.size(0), grain, [&](int64_t begin, int64_t end) {
    std::vector<float> shares(static_cast<size_t>(count));
    for (int64_t head = begin; head < end; ++head) {
      const int64_t from = head / per_key;
      kernels.gemv_f32(keys.data_ptr<float>() + from * keys.stride(0),
                       queries.data_ptr<float>() + head * width, shares.data(), count,
                       width);
      Softmax(shares, static_cast<float>(scale));
      kernels.mix_rows(values.data_ptr<float>() + from * values.stride(0), shares.data(),
                       out.data_ptr<float>() + head * width, count, width);
    }
  });
  return out;
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(ridgeline, library) {
  library.def(
      "attend_token(Tensor q, Tensor keys, Tensor values, float scale) -> Tensor");
}

TORCH_LIBRARY_IMPL(ridgeline, CPU, library) {
  library.impl("attend_token", AttendTokenOnCpu);
}

at::Tensor AttendToken(const at::Tensor& q, const at::Tensor& keys,
                       const at::Tensor& values, double scale) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("ridgeline::attend_token", "")
                             .typed<at::Tensor(const at::Tensor&, const at::Tensor&,
                                               const at::Tensor&, double)>();
  return op.call(q, keys, values, scale);
}

}  // namespace ridgeline::inference::cpu
