#include <algorithm>
#include <utility>

#include "cost/operator_call.h"
#include "cost/operator_costs.h"

namespace ridgeline::cost {
namespace {

// (..., m, k) by (..., k, n). A vector is a row on the left and a column on the right.
struct ProductSizes {
  Count batch = 1;
  Count m = 1;
  Count k = 1;
  Count n = 1;
};

std::optional<ProductSizes> ProductOf(const Sizes& a, const Sizes& b) {
  if (a.empty() || b.empty()) return std::nullopt;
  const size_t batch_a = a.size() > 2 ? a.size() - 2 : 0;
  const size_t batch_b = b.size() > 2 ? b.size() - 2 : 0;
  const int64_t inner_b = b.size() > 1 ? b[b.size() - 2] : b[0];
  if (a.back() != inner_b) return std::nullopt;
  ProductSizes sizes;
  sizes.m = a.size() > 1 ? a[a.size() - 2] : 1;
  sizes.k = a.back();
  sizes.n = b.size() > 1 ? b.back() : 1;
  for (size_t i = 0; i < std::max(batch_a, batch_b); ++i) {
    const int64_t left = i < batch_a ? a[batch_a - 1 - i] : 1;
    const int64_t right = i < batch_b ? b[batch_b - 1 - i] : 1;
    if (left != right && left != 1 && right != 1) return std::nullopt;
    sizes.batch = sizes.batch * (left == 1 ? right : left);
  }
  return sizes;
}

// (..., k) by n outputs.
OptionalCost FeaturesCost(const OperatorCall& call, int64_t inner, int64_t outputs,
                          size_t bias = 7) {
  const Sizes* const x = call.Tensor(0);
  if (x == nullptr || x->empty() || x->back() != inner || outputs < 0) return {};
  const Count rows = Elements(std::span(*x).first(x->size() - 1));
  return WithAdded(call, Gemm(rows * inner * outputs), rows * outputs, call.code(0),
                   bias);
}

}  // namespace

OptionalCost ProductCost(const OperatorCall& call, Batch batch) {
  const Sizes* const a = call.Tensor(0);
  const Sizes* const b = call.Tensor(1);
  if (a == nullptr || b == nullptr) return std::nullopt;
  const std::optional<ProductSizes> sizes = ProductOf(*a, *b);
  if (!sizes) return std::nullopt;
  const Count outputs =
      (batch == Batch::kSummed ? Count(1) : sizes->batch) * sizes->m * sizes->n;
  return WithAdded(call, Gemm(sizes->batch * sizes->m * sizes->k * sizes->n), outputs,
                   call.code(0), 2);
}

OptionalCost LinearCost(const OperatorCall& call) {
  const Sizes* const weight = call.Tensor(1);
  if (weight == nullptr || weight->empty() || weight->size() > 2) return std::nullopt;
  return FeaturesCost(call, weight->back(), weight->size() == 2 ? weight->front() : 1, 2);
}

OptionalCost EitherLinearCost(const OperatorCall& call) {
  const Sizes* const x = call.Tensor(0);
  const Sizes* const weight = call.Tensor(1);
  if (x == nullptr || x->empty() || weight == nullptr || weight->size() != 2) return {};
  const bool is_inner_first = weight->front() == x->back();
  return FeaturesCost(call, is_inner_first ? weight->front() : weight->back(),
                      is_inner_first ? weight->back() : weight->front());
}

OptionalCost SizedFeaturesCost(const OperatorCall& call) {
  const Sizes* const x = call.Tensor(0);
  const Sizes* const sized = call.Tensor(1);
  const auto dimension = static_cast<size_t>(call.code(2));
  if (x == nullptr || x->empty() || sized == nullptr || sized->size() <= dimension) {
    return std::nullopt;
  }
  return FeaturesCost(call, x->back(), (*sized)[dimension]);
}

OptionalCost FeatureValuesCost(const OperatorCall& call) {
  const std::optional<int64_t> inner = call.Value(1);
  const std::optional<int64_t> outputs = call.Value(2);
  if (!inner || !outputs) return std::nullopt;
  return FeaturesCost(call, *inner, *outputs);
}

OptionalCost ShapeValueCost(const OperatorCall& call) {
  const std::vector<int64_t>* const shape = call.Values(1);
  if (shape == nullptr || shape->size() != 2) return std::nullopt;
  return FeaturesCost(call, shape->back(), shape->front());
}

OptionalCost HalfBytePairsCost(const OperatorCall& call) {
  const Sizes* const out = call.Tensor(0);
  const Sizes* const a = call.Tensor(1);
  if (out == nullptr || a == nullptr || out->size() != 2 || a->size() != 2) return {};
  if (out->front() != a->front()) return std::nullopt;
  const Count outputs = Elements(*out);
  return WithAdded(call, Gemm(outputs * 2 * a->back()), outputs, call.code(0), 7);
}

// One FLOP per element; two with an addition.
OptionalCost OuterCost(const OperatorCall& call) {
  const Sizes* const a = call.Tensor(0);
  const Sizes* const b = call.Tensor(1);
  if (a == nullptr || b == nullptr || a->size() != 1 || b->size() != 1) return {};
  const Count outputs = Count(a->front()) * b->front();
  return WithAdded(call, {"", CostClass::kGemm, Amount::Same(outputs)}, outputs,
                   call.code(0), 2);
}

// One operand is partitioned into groups by rows, columns or the inner dimension: (m, k)
// by (g, k, n), (g, m, k) by (k, n), (m, k) by (k, n).
OptionalCost GroupedCost(const OperatorCall& call) {
  const Sizes* const a = call.Tensor(0);
  const Sizes* const b = call.Tensor(1);
  if (a == nullptr || b == nullptr || a->size() < 2 || b->size() < 2) return {};
  if (a->size() > 3 || b->size() > 3) return std::nullopt;
  if (a->size() == 3 && b->size() == 3) return ProductCost(call, Batch::kKept);
  const Count m = (*a)[a->size() - 2];
  const Count k = a->back();
  const Count n = b->back();
  if ((*b)[b->size() - 2] != a->back()) return std::nullopt;
  const bool is_inner_grouped = a->size() == 2 && b->size() == 2;
  const OperatorInput* const offsets = call.InputAt(2);
  const bool has_groups = is_inner_grouped && offsets != nullptr &&
                          offsets->tensors.size() == 1 && offsets->tensors[0].size() == 1;
  if (is_inner_grouped && !has_groups) return std::nullopt;
  const Count groups = is_inner_grouped ? Count(offsets->tensors[0][0]) : Count(1);
  return WithAdded(call, Gemm(m * k * n), groups * m * n, call.code(0), 7);
}

// Each token is multiplied by both matrices of each of its experts.
OptionalCost ExpertsCost(const OperatorCall& call) {
  const Sizes* const x = call.Tensor(0);
  const Sizes* const w1 = call.Tensor(1);
  const Sizes* const w2 = call.Tensor(2);
  const Sizes* const top = call.Tensor(3);
  if (x == nullptr || w1 == nullptr || w2 == nullptr || top == nullptr) return {};
  if (x->size() != 2 || w1->size() != 3 || w2->size() != 3 || top->size() != 2) return {};
  if ((*w1)[2] != x->back() || (*w2)[1] != x->back() || top->front() != x->front()) {
    return std::nullopt;
  }
  const Count pairs = Elements(*top);
  const Count weights = Count((*w1)[1]) * (*w1)[2] + Count((*w2)[1]) * (*w2)[2];
  return WithAdded(call, Gemm(pairs * weights), Elements(*x), call.code(0), 7);
}

OptionalCost LinearGradCost(const OperatorCall& call) {
  const Sizes* const x = call.Tensor(0);
  const Sizes* const grad = call.Tensor(1);
  const Sizes* const weight = call.Tensor(2);
  const auto mask = MaskOf(call, 3);
  if (x == nullptr || grad == nullptr || weight == nullptr || !mask) return {};
  if (x->empty() || weight->size() != 2 || weight->back() != x->back()) return {};
  return GradCost(call, CostClass::kGemm, Elements(*grad) * x->back(), *mask,
                  {Elements(*x), Elements(*weight)});
}

OptionalCost LinearGradPartCost(const OperatorCall& call) {
  const Sizes* const grad = call.Tensor(0);
  const Sizes* const other = call.Tensor(1);
  if (grad == nullptr || other == nullptr || other->empty() || grad->empty()) return {};
  const Count rows = Elements(std::span(*grad).first(grad->size() - 1));
  return WithAdded(call, Gemm(Elements(*grad) * other->back()), rows * other->back(),
                   call.code(0), 7);
}

// One token by the gate, up and down matrices of its experts.
OptionalCost MixtureCost(const OperatorCall& call) {
  constexpr std::string_view kNames[] = {"gate", "up", "down"};
  OperatorCost cost;
  for (size_t i = 0; i < std::size(kNames); ++i) {
    const OperatorInput* const weights = call.InputAt(call.code(i));
    if (weights == nullptr || weights->tensors.empty()) return std::nullopt;
    Count multiply_adds;
    for (const Sizes& sizes : weights->tensors) {
      if (!IsValid(sizes)) return std::nullopt;
      multiply_adds += Elements(sizes);
    }
    FlopPart part = Gemm(multiply_adds);
    part.name = kNames[i];
    cost.parts.push_back(part);
  }
  return cost;
}

}  // namespace ridgeline::cost
