#include "inference/recorder/op_flops.h"

#include <algorithm>

#include "inference/layers.h"

namespace ridgeline::inference {
namespace {

using Inputs = c10::ArrayRef<const c10::IValue>;
using Parts = std::vector<OpPart>;

uint64_t Size(const at::Tensor& t, int64_t dim) {
  return static_cast<uint64_t>(t.size(dim));
}

uint64_t Elements(const at::Tensor& t) { return static_cast<uint64_t>(t.numel()); }

// (..., k) by (n, k).
uint64_t LinearFlops(const at::Tensor& x, const at::Tensor& weight) {
  return 2 * Elements(x) * Size(weight, 0);
}

// (m, k) by (k, n), alone or in batches; a side without a batch serves all of the
// other's.
uint64_t ProductFlops(const at::Tensor& a, const at::Tensor& b) {
  const uint64_t inner = Size(a, -1);
  const uint64_t rows = a.dim() > 1 ? Size(a, -2) : 1;
  const uint64_t cols = b.dim() > 1 ? Size(b, -1) : 1;
  const uint64_t batch_a = Elements(a) / (rows * inner);
  const uint64_t batch_b = Elements(b) / (inner * cols);
  return 2 * std::max(batch_a, batch_b) * rows * inner * cols;
}

// One number for both sides, or one for each.
int64_t Side(const c10::IValue& list, size_t side) {
  const auto values = list.toIntVector();
  return values.size() > 1 ? values[side] : values.at(0);
}

// x, weight, bias, stride, padding, dilation, ...: taps on the padding count.
uint64_t ConvolutionFlops(Inputs in) {
  const at::Tensor& x = in[0].toTensor();
  const at::Tensor& weight = in[1].toTensor();
  uint64_t places = Size(x, 0);
  for (size_t side = 0; side < 2; ++side) {
    const int64_t dim = static_cast<int64_t>(side) + 2;
    const int64_t span = Side(in[5], side) * (weight.size(dim) - 1) + 1;
    const int64_t out =
        (x.size(dim) + 2 * Side(in[4], side) - span) / Side(in[3], side) + 1;
    places *= static_cast<uint64_t>(out);
  }
  return 2 * places * Elements(weight);
}

Parts MixtureFlops(Inputs in) {
  Parts parts;
  const char* names[] = {"gate", "up", "down"};
  for (size_t i = 0; i < std::size(names); ++i) {
    OpPart part{names[i], 0};
    for (const at::Tensor& weight : in[2 + i].toTensorVector()) {
      part.flops += 2 * Elements(weight);
    }
    parts.push_back(part);
  }
  return parts;
}

Parts AttendTokenFlops(Inputs in) {
  const at::Tensor& q = in[0].toTensor();
  const uint64_t pairs = Size(q, 0) * Size(in[1].toTensor(), 1);
  return {{"scores", 2 * pairs * Size(q, 2)}, {"values", 2 * pairs * Size(q, 2)}};
}

// q, k, v, mask, dropout, is_causal.
Parts FusedAttentionFlops(Inputs in) {
  const at::Tensor& q = in[0].toTensor();
  const int64_t queries = q.size(-2);
  const int64_t keys = in[1].toTensor().size(-2);
  uint64_t pairs = 0;
  for (int64_t begin = 0; begin < queries; begin += kQueriesPerBlock) {
    const int64_t end = std::min(queries, begin + kQueriesPerBlock);
    const int64_t seen = in[5].toBool() ? std::min(keys, end) : keys;
    pairs += static_cast<uint64_t>((end - begin) * seen);
  }
  pairs *= Elements(q) / (Size(q, -2) * Size(q, -1));
  return {{"scores", 2 * pairs * Size(q, -1)},
          {"values", 2 * pairs * Size(in[2].toTensor(), -1)}};
}

Parts One(uint64_t flops) { return {{"", flops}}; }

struct Formula {
  std::string_view name;
  size_t inputs;  // At least.
  Parts (*parts)(Inputs in);
};

constexpr Formula kFormulas[] = {
    {"aten::linear", 2,
     [](Inputs in) { return One(LinearFlops(in[0].toTensor(), in[1].toTensor())); }},
    {"aten::matmul", 2,
     [](Inputs in) { return One(ProductFlops(in[0].toTensor(), in[1].toTensor())); }},
    {"aten::mm", 2,
     [](Inputs in) { return One(ProductFlops(in[0].toTensor(), in[1].toTensor())); }},
    {"aten::bmm", 2,
     [](Inputs in) { return One(ProductFlops(in[0].toTensor(), in[1].toTensor())); }},
    {"aten::mv", 2,
     [](Inputs in) { return One(ProductFlops(in[0].toTensor(), in[1].toTensor())); }},
    {"aten::addmm", 3,
     [](Inputs in) { return One(ProductFlops(in[1].toTensor(), in[2].toTensor())); }},
    {"aten::baddbmm", 3,
     [](Inputs in) { return One(ProductFlops(in[1].toTensor(), in[2].toTensor())); }},
    {"aten::conv2d", 6, [](Inputs in) { return One(ConvolutionFlops(in)); }},
    {"aten::convolution", 6, [](Inputs in) { return One(ConvolutionFlops(in)); }},
    {"aten::scaled_dot_product_attention", 6, FusedAttentionFlops},
    {"ridgeline::linear", 2,
     [](Inputs in) { return One(LinearFlops(in[0].toTensor(), in[1].toTensor())); }},
    {"ridgeline::mixture", 5, MixtureFlops},
    {"ridgeline::attend_token", 3, AttendTokenFlops},
};

constexpr std::string_view kUncounted[] = {"aten::_scaled_dot_product_attention",
                                           "aten::conv1d",
                                           "aten::conv3d",
                                           "aten::dot",
                                           "aten::addmv",
                                           "aten::addbmm",
                                           "aten::_trilinear",
                                           "aten::bilinear"};

}  // namespace

std::optional<std::vector<OpPart>> MatrixFlops(const at::RecordFunction& op) {
  const std::string_view name = op.name();
  for (const Formula& formula : kFormulas) {
    if (formula.name != name || op.inputs().size() < formula.inputs) continue;
    return formula.parts(op.inputs());
  }
  return std::nullopt;
}

bool IsUncounted(std::string_view name) {
  return std::find(std::begin(kUncounted), std::end(kUncounted), name) !=
         std::end(kUncounted);
}

}  // namespace ridgeline::inference
