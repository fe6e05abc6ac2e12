#include "cost/operator_flops.h"

#include <algorithm>
#include <utility>

#include "cost/operator_rules.h"

namespace ridgeline::cost {
namespace {

using OptionalCost = std::optional<OperatorCost>;

bool IsValid(const Sizes& sizes) {
  return std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size >= 0; });
}

Count Elements(std::span<const int64_t> sizes) {
  Count count = 1;
  for (const int64_t size : sizes) count = count * size;
  return count;
}

// The inputs of one call, as a rule asks for them.
class Call {
 public:
  Call(const Rule& rule, std::span<const OperatorInput> inputs,
       const FlopOptions& options)
      : rule_(rule), inputs_(inputs), options_(options) {}

  const FlopOptions& options() const { return options_; }
  int8_t code(size_t i) const { return rule_.at[i]; }

  // The tensor at the i-th place of the rule; null: absent, a list, or not a tensor.
  const Sizes* Tensor(size_t i) const { return TensorAt(rule_.at[i]); }
  const Sizes* TensorAt(int place) const {
    const OperatorInput* const input = InputAt(place);
    const bool is_tensor = input != nullptr && input->tensors.size() == 1;
    return is_tensor && IsValid(input->tensors[0]) ? &input->tensors[0] : nullptr;
  }

  const OperatorInput* InputAt(int place) const {
    const bool is_in = place >= 0 && static_cast<size_t>(place) < inputs_.size();
    return is_in ? &inputs_[static_cast<size_t>(place)] : nullptr;
  }

  // The integers at the i-th place of the rule.
  const std::vector<int64_t>* Values(size_t i) const {
    const OperatorInput* const input = InputAt(rule_.at[i]);
    return input != nullptr && input->value ? &*input->value : nullptr;
  }
  std::optional<int64_t> Value(size_t i) const { return ValueAt(rule_.at[i]); }
  std::optional<int64_t> ValueAt(int place) const {
    const OperatorInput* const input = InputAt(place);
    if (input == nullptr || !input->value || input->value->size() != 1) return {};
    return input->value->front();
  }

  // One number for all dimensions, or one for each.
  std::optional<int64_t> Along(size_t i, size_t dimension) const {
    const std::vector<int64_t>* const values = Values(i);
    if (values == nullptr || values->empty()) return std::nullopt;
    if (values->size() == 1) return values->front();
    if (dimension >= values->size()) return std::nullopt;
    return (*values)[dimension];
  }

  // A tensor that is added, or none.
  bool Has(size_t i) const {
    const OperatorInput* const input = InputAt(rule_.at[i]);
    return input != nullptr && !input->tensors.empty();
  }

  // All inputs and an output of as many elements, of the type of the input at `like`.
  std::optional<Count> Bytes(Count output_elements, int like) const {
    Count bytes;
    for (const OperatorInput& input : inputs_) {
      for (const Sizes& sizes : input.tensors) {
        if (input.element_bytes <= 0 || !IsValid(sizes)) return std::nullopt;
        bytes += Elements(sizes) * input.element_bytes;
      }
    }
    const std::optional<int64_t> output = OutputBytes(like);
    if (!output) return std::nullopt;
    return bytes + output_elements * *output;
  }

 private:
  // Per element.
  std::optional<int64_t> OutputBytes(int like) const {
    if (rule_.output > 0) return rule_.output;
    if (rule_.output == kInPlace) return 0;
    if (rule_.output == kUnknownType) return std::nullopt;
    const OperatorInput* const input = InputAt(like);
    if (input == nullptr || input->element_bytes <= 0) return std::nullopt;
    if (rule_.output == kAsInput) return input->element_bytes;
    const std::optional<int64_t> type = ValueAt(kTypeInput - rule_.output);
    if (!type) return input->element_bytes;
    // PyTorch's numbers of types: half, bfloat16; float.
    if (*type == 5 || *type == 15) return 2;
    return *type == 6 ? std::optional<int64_t>(4) : std::nullopt;
  }

  const Rule& rule_;
  std::span<const OperatorInput> inputs_;
  const FlopOptions& options_;
};

FlopPart Gemm(Count multiply_adds) {
  return {"", CostClass::kGemm, Amount::Same(Count(2) * multiply_adds)};
}

// An operator of one matrix product, with the addition of a bias.
OperatorCost WithAdded(const Call& call, FlopPart part, Count outputs, int like,
                       size_t added) {
  OperatorCost cost;
  cost.parts.push_back(part);
  if (call.Has(added)) {
    cost.parts.push_back({"bias", CostClass::kElementwise, Amount::Same(outputs)});
  }
  cost.bytes = call.Bytes(outputs, like);
  return cost;
}

// (..., m, k) by (..., k, n). A vector on the left is a row, on the right a column.
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

enum class Batch { kKept, kSummed };

OptionalCost ProductCost(const Call& call, Batch batch) {
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

// (..., k) by n outputs.
OptionalCost FeaturesCost(const Call& call, int64_t inner, int64_t outputs,
                          size_t bias = 7) {
  const Sizes* const x = call.Tensor(0);
  if (x == nullptr || x->empty() || x->back() != inner || outputs < 0) return {};
  const Count rows = Elements(std::span(*x).first(x->size() - 1));
  return WithAdded(call, Gemm(rows * inner * outputs), rows * outputs, call.code(0),
                   bias);
}

OptionalCost LinearCost(const Call& call) {
  const Sizes* const weight = call.Tensor(1);
  if (weight == nullptr || weight->empty() || weight->size() > 2) return std::nullopt;
  return FeaturesCost(call, weight->back(), weight->size() == 2 ? weight->front() : 1, 2);
}

OptionalCost EitherLinearCost(const Call& call) {
  const Sizes* const x = call.Tensor(0);
  const Sizes* const weight = call.Tensor(1);
  if (x == nullptr || x->empty() || weight == nullptr || weight->size() != 2) return {};
  const bool is_inner_first = weight->front() == x->back();
  return FeaturesCost(call, is_inner_first ? weight->front() : weight->back(),
                      is_inner_first ? weight->back() : weight->front());
}

OptionalCost SizedFeaturesCost(const Call& call) {
  const Sizes* const x = call.Tensor(0);
  const Sizes* const sized = call.Tensor(1);
  const auto dimension = static_cast<size_t>(call.code(2));
  if (x == nullptr || x->empty() || sized == nullptr || sized->size() <= dimension) {
    return std::nullopt;
  }
  return FeaturesCost(call, x->back(), (*sized)[dimension]);
}

OptionalCost FeatureValuesCost(const Call& call) {
  const std::optional<int64_t> inner = call.Value(1);
  const std::optional<int64_t> outputs = call.Value(2);
  if (!inner || !outputs) return std::nullopt;
  return FeaturesCost(call, *inner, *outputs);
}

OptionalCost ShapeValueCost(const Call& call) {
  const std::vector<int64_t>* const shape = call.Values(1);
  if (shape == nullptr || shape->size() != 2) return std::nullopt;
  return FeaturesCost(call, shape->back(), shape->front());
}

OptionalCost HalfBytePairsCost(const Call& call) {
  const Sizes* const out = call.Tensor(0);
  const Sizes* const a = call.Tensor(1);
  if (out == nullptr || a == nullptr || out->size() != 2 || a->size() != 2) return {};
  if (out->front() != a->front()) return std::nullopt;
  const Count outputs = Elements(*out);
  return WithAdded(call, Gemm(outputs * 2 * a->back()), outputs, call.code(0), 7);
}

// One multiplication per element; with an addition two.
OptionalCost OuterCost(const Call& call) {
  const Sizes* const a = call.Tensor(0);
  const Sizes* const b = call.Tensor(1);
  if (a == nullptr || b == nullptr || a->size() != 1 || b->size() != 1) return {};
  const Count outputs = Count(a->front()) * b->front();
  return WithAdded(call, {"", CostClass::kGemm, Amount::Same(outputs)}, outputs,
                   call.code(0), 2);
}

// Rows, columns or the inner dimension of one side lie in groups, which together are that
// side: (m, k) by (g, k, n), (g, m, k) by (k, n), (m, k) by (k, n).
OptionalCost GroupedCost(const Call& call) {
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

// A token is multiplied by both matrices of each of its experts.
OptionalCost ExpertsCost(const Call& call) {
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

// Booleans of the gradients of input and weight; nothing: not recorded.
std::optional<std::pair<bool, bool>> MaskOf(const Call& call, size_t i) {
  const std::vector<int64_t>* const mask = call.Values(i);
  if (mask == nullptr || mask->size() < 2) return std::nullopt;
  return std::pair((*mask)[0] != 0, (*mask)[1] != 0);
}

OperatorCost GradCost(const Call& call, CostClass cost_class, Count multiply_adds,
                      std::pair<bool, bool> mask, std::pair<Count, Count> outputs) {
  OperatorCost cost;
  const Amount flops = Amount::Same(Count(2) * multiply_adds);
  if (mask.first) cost.parts.push_back({"grad_input", cost_class, flops});
  if (mask.second) cost.parts.push_back({"grad_weight", cost_class, flops});
  const Count written =
      (mask.first ? outputs.first : Count(0)) + (mask.second ? outputs.second : Count(0));
  cost.bytes = call.Bytes(written, call.code(0));
  return cost;
}

OptionalCost LinearGradCost(const Call& call) {
  const Sizes* const x = call.Tensor(0);
  const Sizes* const grad = call.Tensor(1);
  const Sizes* const weight = call.Tensor(2);
  const auto mask = MaskOf(call, 3);
  if (x == nullptr || grad == nullptr || weight == nullptr || !mask) return {};
  if (x->empty() || weight->size() != 2 || weight->back() != x->back()) return {};
  return GradCost(call, CostClass::kGemm, Elements(*grad) * x->back(), *mask,
                  {Elements(*x), Elements(*weight)});
}

OptionalCost LinearGradPartCost(const Call& call) {
  const Sizes* const grad = call.Tensor(0);
  const Sizes* const other = call.Tensor(1);
  if (grad == nullptr || other == nullptr || other->empty() || grad->empty()) return {};
  const Count rows = Elements(std::span(*grad).first(grad->size() - 1));
  return WithAdded(call, Gemm(Elements(*grad) * other->back()), rows * other->back(),
                   call.code(0), 7);
}

std::optional<bool> IsTransposed(const Call& call, size_t i) {
  if (call.code(i) == kAbsent) return false;
  if (call.code(i) == kAlways) return true;
  const std::optional<int64_t> value = call.Value(i);
  if (!value) return std::nullopt;
  return *value != 0;
}

// How many places one dimension of the output has; nothing: a value is missing, or the
// window does not fit.
std::optional<int64_t> OutputSize(const Call& call, size_t dimension, int64_t input,
                                  int64_t taps, bool is_transposed) {
  constexpr int64_t kMax = int64_t{1} << 40;
  const auto is_sane = [](int64_t value) { return value >= 0 && value <= kMax; };
  const std::optional<int64_t> stride = call.Along(3, dimension);
  const std::optional<int64_t> padding = call.Along(4, dimension);
  const std::optional<int64_t> dilation =
      call.code(5) == kAbsent ? 1 : call.Along(5, dimension);
  if (!stride || !padding || !dilation || *stride < 1 || *dilation < 1) return {};
  for (const int64_t value : {*stride, *padding, *dilation, input, taps}) {
    if (!is_sane(value)) return std::nullopt;
  }
  if (taps < 1 || *dilation > kMax / taps ||
      *stride > kMax / std::max<int64_t>(input, 1)) {
    return std::nullopt;
  }
  const int64_t reach = *dilation * (taps - 1) + 1;
  if (!is_transposed) {
    const int64_t room = input + 2 * *padding - reach;
    return room < 0 ? std::nullopt : std::optional(room / *stride + 1);
  }
  const std::optional<int64_t> added = call.Along(7, dimension);
  if (!added || !is_sane(*added)) return std::nullopt;
  const int64_t size = (input - 1) * *stride - 2 * *padding + reach + *added;
  return size < 0 ? std::nullopt : std::optional(size);
}

// Of a transposed convolution; those that do not say have one.
int64_t GroupsOf(const Call& call) {
  return std::max<int64_t>(call.Value(8).value_or(1), 1);
}

// Every place of the output (of the input, if transposed) meets every weight of its
// group. Taps on padding count.
OptionalCost ConvolutionCost(const Call& call) {
  const Sizes* const x = call.Tensor(0);
  const Sizes* const weight = call.Tensor(1);
  const std::optional<bool> is_transposed = IsTransposed(call, 6);
  if (x == nullptr || weight == nullptr || !is_transposed || weight->size() < 3)
    return {};
  const size_t dimensions = weight->size() - 2;
  // With or without a batch.
  if (x->size() != dimensions + 2 && x->size() != dimensions + 1) return std::nullopt;
  const bool has_batch = x->size() == dimensions + 2;
  const Count batch = has_batch ? x->front() : 1;
  const int64_t channels_in = (*x)[has_batch ? 1 : 0];
  const int64_t channels_of_weight = (*weight)[*is_transposed ? 0 : 1];
  if (channels_of_weight < 1 || channels_in % channels_of_weight != 0) return {};
  const int64_t groups = *is_transposed ? 1 : channels_in / channels_of_weight;
  if (!*is_transposed && weight->front() % std::max<int64_t>(groups, 1) != 0) return {};
  Count places = batch;
  Count output_places = batch;
  for (size_t i = 0; i < dimensions; ++i) {
    const int64_t input = (*x)[x->size() - dimensions + i];
    const std::optional<int64_t> output =
        OutputSize(call, i, input, (*weight)[i + 2], *is_transposed);
    if (!output) return std::nullopt;
    places = places * (*is_transposed ? input : *output);
    output_places = output_places * *output;
  }
  // A transposed weight is (in, out / groups, ...).
  const Count channels_out =
      *is_transposed ? Count((*weight)[1]) * GroupsOf(call) : Count(weight->front());
  const Count outputs = output_places * channels_out;
  const FlopPart part = {"", CostClass::kConvolution,
                         Amount::Same(Count(2) * places * Elements(*weight))};
  return WithAdded(call, part, outputs, call.code(0), 2);
}

OptionalCost ConvolutionGradCost(const Call& call) {
  const Sizes* const grad = call.Tensor(0);
  const Sizes* const x = call.Tensor(1);
  const Sizes* const weight = call.Tensor(2);
  const auto mask = MaskOf(call, 3);
  const std::optional<bool> is_transposed = IsTransposed(call, 4);
  if (grad == nullptr || x == nullptr || weight == nullptr || !mask || !is_transposed) {
    return std::nullopt;
  }
  if (weight->size() < 3 || grad->size() < weight->size() - 1) return std::nullopt;
  const Sizes& side = *is_transposed ? *x : *grad;
  if (side.size() < weight->size() - 1) return std::nullopt;
  const Count multiply_adds = Elements(side) * Elements(std::span(*weight).subspan(1));
  return GradCost(call, CostClass::kConvolution, multiply_adds, *mask,
                  {Elements(*x), Elements(*weight)});
}

OptionalCost ConvolutionGradInputCost(const Call& call) {
  const Sizes* const grad = call.Tensor(0);
  const Sizes* const weight = call.Tensor(1);
  if (grad == nullptr || weight == nullptr || weight->size() < 3) return std::nullopt;
  OperatorCost cost;
  cost.parts.push_back({"grad_input", CostClass::kConvolution,
                        Amount::Same(Count(2) * Elements(*grad) *
                                     Elements(std::span(*weight).subspan(1)))});
  return cost;
}

// Which keys a query may see.
enum class Mask { kNone, kTopLeft, kBottomRight };

Mask MaskOfAttention(const Call& call) {
  const std::optional<int64_t> causal = call.Value(1);
  if (!causal || *causal == 0) return Mask::kNone;
  if (call.code(3) == kMaskType) {
    return *causal == 1 ? Mask::kTopLeft : Mask::kBottomRight;
  }
  return call.code(3) == kBottomRight ? Mask::kBottomRight : Mask::kTopLeft;
}

// Pairs of a query and a key that it may see, within one sequence and head.
Count VisiblePairs(int64_t queries, int64_t keys, Mask mask) {
  const int64_t smaller = std::min(queries, keys);
  switch (mask) {
    case Mask::kNone:
      return Count(queries) * keys;
    case Mask::kTopLeft:
      return SumUpTo(smaller) + Count(queries - smaller) * keys;
    case Mask::kBottomRight:
      return SumUpTo(smaller) + Count(keys - smaller) * smaller;
  }
  return {};
}

// Pairs that are multiplied: all of them, or those of the keys up to the last one that a
// block of queries sees.
Count ExecutedPairs(int64_t queries, int64_t keys, Mask mask, int64_t block) {
  if (mask != Mask::kTopLeft || block <= 0) return Count(queries) * keys;
  const int64_t full = std::min(queries, keys) / block;
  // Blocks that see `block` keys more than the one before, then the rest.
  Count pairs = SumUpTo(full) * block * block;
  const int64_t done = full * block;
  const int64_t last = std::min(queries - done, block);
  pairs += Count(last) * std::min(keys, done + last);
  return pairs + Count(queries - done - last) * keys;
}

struct AttentionSizes {
  Count sequences = 1;  // Times heads of queries.
  int64_t queries = 0;
  int64_t keys = 0;
  int64_t key_width = 0;
  int64_t value_width = 0;
};

// Heads of queries share those of keys, or the other way round where one is 1.
bool IsBroadcast(int64_t a, int64_t b) { return a == b || a == 1 || b == 1; }
bool IsGrouped(int64_t queries, int64_t keys) {
  return IsBroadcast(queries, keys) || (keys > 0 && queries % keys == 0);
}

std::optional<AttentionSizes> HeadsFirstSizes(const Sizes& q, const Sizes& k,
                                              const Sizes& v) {
  if (q.size() < 2 || k.size() != q.size() || v.size() != q.size()) return std::nullopt;
  const size_t last = q.size() - 1;
  if (q[last] != k[last] || k[last - 1] != v[last - 1]) return std::nullopt;
  AttentionSizes sizes = {.queries = q[last - 1],
                          .keys = k[last - 1],
                          .key_width = q[last],
                          .value_width = v[last]};
  for (size_t i = 0; i + 2 < q.size(); ++i) {
    const bool is_heads = i + 3 == q.size();
    if (!(is_heads ? IsGrouped(q[i], k[i]) : IsBroadcast(q[i], k[i]))) return {};
    sizes.sequences = sizes.sequences * (q[i] == 1 ? k[i] : q[i]);
  }
  return sizes;
}

std::optional<AttentionSizes> TokensFirstSizes(const Sizes& q, const Sizes& k,
                                               const Sizes& v) {
  if (q.size() != 4 || k.size() != 4 || v.size() != 4) return std::nullopt;
  const auto swapped = [](const Sizes& s) { return Sizes{s[0], s[2], s[1], s[3]}; };
  return HeadsFirstSizes(swapped(q), swapped(k), swapped(v));
}

// Sequences of several lengths one after the other, (tokens, heads, d). Lengths are
// values of a tensor and not recorded: only sequences of one length can be counted.
std::optional<AttentionSizes> PackedSizes(const Call& call, const Sizes& q,
                                          const Sizes& k, const Sizes& v) {
  const int first = call.code(4);
  const Sizes* const starts = call.TensorAt(first);
  if (starts == nullptr || starts->size() != 1 || starts->front() < 2) return {};
  if (q.size() < 3 || q.size() > 4 || k.size() != q.size() || v.size() != q.size()) {
    return std::nullopt;
  }
  if (q.size() == 4 && (q[0] != 1 || k[0] != 1 || v[0] != 1)) return std::nullopt;
  const auto without_batch = [](const Sizes& s) { return Sizes(s.end() - 3, s.end()); };
  const Sizes q3 = without_batch(q);
  const Sizes k3 = without_batch(k);
  const Sizes v3 = without_batch(v);
  const int64_t sequences = starts->front() - 1;
  std::optional<int64_t> queries = call.ValueAt(first + 2);
  std::optional<int64_t> keys = call.ValueAt(first + 3);
  if (sequences == 1) {
    queries = q3[0];
    keys = k3[0];
  }
  if (!queries || !keys || *queries < 0 || *keys < 0) return std::nullopt;
  const bool are_equal = Count(*queries) * sequences == Count(q3[0]) &&
                         Count(*keys) * sequences == Count(k3[0]);
  if (!are_equal) return std::nullopt;
  return TokensFirstSizes({sequences, *queries, q3[1], q3[2]},
                          {sequences, *keys, k3[1], k3[2]},
                          {sequences, *keys, v3[1], v3[2]});
}

std::optional<AttentionSizes> AttentionSizesOf(const Call& call) {
  const int first = call.code(0);
  const Sizes* const q = call.TensorAt(first);
  const Sizes* const k = call.TensorAt(first + 1);
  const Sizes* const v = call.TensorAt(first + 2);
  if (q == nullptr || k == nullptr || v == nullptr) return std::nullopt;
  const Sizes* const starts = call.TensorAt(call.code(4));
  if (call.code(4) >= 0 && starts != nullptr && !starts->empty() && starts->front() > 0) {
    return PackedSizes(call, *q, *k, *v);
  }
  return call.code(2) == kTokensFirst ? TokensFirstSizes(*q, *k, *v)
                                      : HeadsFirstSizes(*q, *k, *v);
}

// Scores and values once each; backward recomputes the scores and has two products for
// each factor of both.
enum class Pass { kForward, kBackward };

OptionalCost AttentionCost(const Call& call, Pass pass) {
  const bool is_backward = pass == Pass::kBackward;
  const std::optional<AttentionSizes> sizes = AttentionSizesOf(call);
  if (!sizes) return std::nullopt;
  const Mask mask = MaskOfAttention(call);
  const Amount pairs = {
      sizes->sequences *
          ExecutedPairs(sizes->queries, sizes->keys, mask, call.options().causal_block),
      sizes->sequences * VisiblePairs(sizes->queries, sizes->keys, mask)};
  OperatorCost cost;
  cost.parts = {{"scores", CostClass::kAttentionScores,
                 pairs * Count(is_backward ? 6 : 2) * sizes->key_width},
                {"values", CostClass::kAttentionValues,
                 pairs * Count(is_backward ? 4 : 2) * sizes->value_width}};
  const int first = call.code(0);
  const Count written = is_backward
                            ? Elements(*call.TensorAt(first)) +
                                  Elements(*call.TensorAt(first + 1)) +
                                  Elements(*call.TensorAt(first + 2))
                            : sizes->sequences * sizes->queries * sizes->value_width;
  cost.bytes = call.Bytes(written, first);
  return cost;
}

// One token by the gate, up and down matrices of its experts.
OptionalCost MixtureCost(const Call& call) {
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

OptionalCost AttendTokenCost(const Call& call) {
  const Sizes* const q = call.Tensor(0);
  const Sizes* const k = call.Tensor(1);
  if (q == nullptr || k == nullptr || q->size() != 3 || k->size() < 2) return {};
  const Amount flops = Amount::Same(Count(2) * q->front() * (*k)[1] * q->back());
  OperatorCost cost;
  cost.parts = {{"scores", CostClass::kAttentionScores, flops},
                {"values", CostClass::kAttentionValues, flops}};
  return cost;
}

OptionalCost UntypedCost(const Rule& rule, const Call& call) {
  switch (rule.family) {
    case RuleFamily::kProduct:
      return ProductCost(call, Batch::kKept);
    case RuleFamily::kSummedProduct:
      return ProductCost(call, Batch::kSummed);
    case RuleFamily::kLinear:
      return LinearCost(call);
    case RuleFamily::kEitherLinear:
      return EitherLinearCost(call);
    case RuleFamily::kFeatures:
      return SizedFeaturesCost(call);
    case RuleFamily::kFeatureValues:
      return FeatureValuesCost(call);
    case RuleFamily::kShapeValue:
      return ShapeValueCost(call);
    case RuleFamily::kHalfBytePairs:
      return HalfBytePairsCost(call);
    case RuleFamily::kOuter:
      return OuterCost(call);
    case RuleFamily::kGrouped:
      return GroupedCost(call);
    case RuleFamily::kExperts:
      return ExpertsCost(call);
    case RuleFamily::kLinearGrad:
      return LinearGradCost(call);
    case RuleFamily::kLinearGradPart:
      return LinearGradPartCost(call);
    case RuleFamily::kConvolution:
      return ConvolutionCost(call);
    case RuleFamily::kConvolutionGrad:
      return ConvolutionGradCost(call);
    case RuleFamily::kConvolutionGradInput:
      return ConvolutionGradInputCost(call);
    case RuleFamily::kAttention:
      return AttentionCost(call, Pass::kForward);
    case RuleFamily::kAttentionGrad:
      return AttentionCost(call, Pass::kBackward);
    case RuleFamily::kMixture:
      return MixtureCost(call);
    case RuleFamily::kAttendToken:
      return AttendTokenCost(call);
  }
  return std::nullopt;
}

OptionalCost CostOf(const Rule& rule, const Call& call) {
  OptionalCost cost = UntypedCost(rule, call);
  const OperatorInput* const first = call.InputAt(rule.at[0]);
  if (cost && first != nullptr) cost->type = first->type;
  return cost;
}

// A part of a name between ':', '_' and '.'.
bool IsMatrixWord(std::string_view word) {
  constexpr std::string_view kWords[] = {
      "addmm",   "attention", "attn",   "baddbmm", "bilinear", "bmm",  "cholesky", "conv",
      "conv1d",  "conv2d",    "conv3d", "einsum",  "experts",  "gemm", "gemv",     "gru",
      "linear",  "lstm",      "marlin", "matmul",  "mla",      "mlp",  "mm",       "moe",
      "qlinear", "qr",        "rnn",    "sdpa",    "solve",    "svd",  "trilinear"};
  return word.starts_with("convolution") ||
         std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

}  // namespace

Amount OperatorCost::flops_matrix() const {
  Amount sum;
  for (const FlopPart& part : parts) {
    if (IsMatrix(part.cost_class)) sum += part.flops;
  }
  return sum;
}

Amount OperatorCost::flops_total() const {
  Amount sum;
  for (const FlopPart& part : parts) sum += part.flops;
  return sum;
}

std::optional<OperatorCost> CostOf(std::string_view name,
                                   std::span<const OperatorInput> inputs,
                                   const FlopOptions& options) {
  const Rule* const rule = FindRule(name);
  if (rule == nullptr) return std::nullopt;
  if (rule->binary_inputs != 0 && inputs.size() == rule->binary_inputs) {
    std::vector<OperatorInput> unary(inputs.begin(), inputs.end());
    std::rotate(unary.begin() + 1, unary.begin() + 2, unary.end());
    return CostOf(*rule, Call(*rule, unary, options));
  }
  return CostOf(*rule, Call(*rule, inputs, options));
}

bool HasRule(std::string_view name) { return FindRule(name) != nullptr; }

bool RuleReadsValues(std::string_view name) {
  const Rule* const rule = FindRule(name);
  if (rule == nullptr) return false;
  switch (rule->family) {
    case RuleFamily::kConvolution:
    case RuleFamily::kConvolutionGrad:
    case RuleFamily::kAttention:
    case RuleFamily::kAttentionGrad:
    case RuleFamily::kLinearGrad:
    case RuleFamily::kFeatureValues:
    case RuleFamily::kShapeValue:
      return true;
    case RuleFamily::kProduct:
    case RuleFamily::kSummedProduct:
    case RuleFamily::kLinear:
    case RuleFamily::kEitherLinear:
    case RuleFamily::kFeatures:
    case RuleFamily::kHalfBytePairs:
    case RuleFamily::kOuter:
    case RuleFamily::kGrouped:
    case RuleFamily::kExperts:
    case RuleFamily::kLinearGradPart:
    case RuleFamily::kConvolutionGradInput:
    case RuleFamily::kMixture:
    case RuleFamily::kAttendToken:
      return rule->output <= kTypeInput;
  }
  return false;
}

bool LooksLikeMatrixWork(std::string_view name) {
  if (HasRule(name)) return false;
  size_t begin = 0;
  while (begin <= name.size()) {
    size_t end = name.find_first_of(":_. ", begin);
    if (end == std::string_view::npos) end = name.size();
    if (IsMatrixWord(name.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace ridgeline::cost
