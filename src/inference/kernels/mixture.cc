#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <cmath>

#include "inference/kernels/ops.h"
#include "inference/kernels/rows.h"

namespace ridgeline::inference::cpu {
namespace {

// Rows computed at a time, so that their results stay in the L1 cache.
constexpr int64_t kRowsAtOnce = 64;

// Start offsets of the inner activations of each network, plus the end of the last one.
std::vector<int64_t> Offsets(at::TensorList gates) {
  std::vector<int64_t> offsets = {0};
  for (const at::Tensor& gate : gates) offsets.push_back(offsets.back() + gate.size(0));
  return offsets;
}

void CheckShapes(const at::Tensor& x, at::TensorList gates, at::TensorList ups,
                 at::TensorList downs) {
  TORCH_CHECK(
      x.dim() == 2 && x.size(0) == 1 && x.scalar_type() == at::kFloat &&
          gates.size() == ups.size() && gates.size() == downs.size(),
      "ridgeline::mixture: expected one token in f32, and networks of three parts");
  for (size_t i = 0; i < gates.size(); ++i) {
    TORCH_CHECK(IsWeight(gates[i]) && IsWeight(ups[i]) && IsWeight(downs[i]) &&
                    gates[i].size(1) == x.size(1) && ups[i].sizes() == gates[i].sizes() &&
                    downs[i].size(1) == gates[i].size(0) &&
                    downs[i].size(0) == downs[0].size(0),
                "ridgeline::mixture: network ", i, " has a different shape or type");
  }
}

// out[r] = silu(gate[r] x) * (up[r] x)
void Activate(const at::Tensor& gate, const at::Tensor& up, const float* x, float* out,
              int64_t begin, int64_t end) {
  float lifted[kRowsAtOnce];
  for (int64_t row = begin; row < end; row += kRowsAtOnce) {
    const int64_t last = std::min(end, row + kRowsAtOnce);
    MultiplyRows(gate, x, out + row, row, last);
    MultiplyRows(up, x, lifted, row, last);
    for (int64_t i = row; i < last; ++i) {
      out[i] = out[i] / (1 + std::exp(-out[i])) * lifted[i - row];
    }
  }
}

at::Tensor MixtureOnCpu(const at::Tensor& x, const at::Tensor& shares,
                        at::TensorList gates, at::TensorList ups, at::TensorList downs) {
  CheckShapes(x, gates, ups, downs);
  const at::Tensor token = x.contiguous();
  const at::Tensor weights = shares.contiguous();
  const float* in = token.data_ptr<float>();
  const float* share = weights.data_ptr<float>();
  const std::vector<int64_t> offsets = Offsets(gates);
  at::Tensor inner = at::empty({offsets.back()}, x.options());
  float* activations = inner.data_ptr<float>();
  const int64_t inputs = x.size(1);
  at::parallel_for(0, offsets.back(), std::max<int64_t>(1, kGrain / inputs),
                   [&](int64_t begin, int64_t end) {
                     for (size_t i = 0; i < gates.size(); ++i) {
                       const int64_t from = std::max(begin, offsets[i]) - offsets[i];
                       const int64_t to = std::min(end, offsets[i + 1]) - offsets[i];
                       if (from >= to) continue;
                       Activate(gates[i], ups[i], in, activations + offsets[i], from, to);
                     }
                   });
  const int64_t outputs = downs[0].size(0);
  at::Tensor out = at::zeros({1, outputs}, x.options());
  float* y = out.data_ptr<float>();
  at::parallel_for(0, outputs, std::max<int64_t>(1, kGrain / offsets.back()),
                   [&](int64_t begin, int64_t end) {
                     float part[kRowsAtOnce];
                     for (size_t i = 0; i < downs.size(); ++i) {
                       for (int64_t row = begin; row < end; row += kRowsAtOnce) {
                         const int64_t last = std::min(end, row + kRowsAtOnce);
                         MultiplyRows(downs[i], activations + offsets[i], part, row,
                                      last);
                         for (int64_t r = row; r < last; ++r)
                           y[r] += share[i] * part[r - row];
                       }
                     }
                   });
  return out;
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(ridgeline, library) {
  library.def(
      "mixture(Tensor x, Tensor shares, Tensor[] gates, Tensor[] ups, Tensor[] downs)"
      " -> Tensor");
}

TORCH_LIBRARY_IMPL(ridgeline, CPU, library) { library.impl("mixture", MixtureOnCpu); }

at::Tensor Mixture(const at::Tensor& x, const at::Tensor& shares, at::TensorList gates,
                   at::TensorList ups, at::TensorList downs) {
  static const auto op =
      c10::Dispatcher::singleton()
          .findSchemaOrThrow("ridgeline::mixture", "")
          .typed<at::Tensor(const at::Tensor&, const at::Tensor&, at::TensorList,
                            at::TensorList, at::TensorList)>();
  return op.call(x, shares, gates, ups, downs);
}

}  // namespace ridgeline::inference::cpu
