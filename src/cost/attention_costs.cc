#include <algorithm>
#include <utility>

#include "cost/operator_call.h"
#include "cost/operator_costs.h"

namespace ridgeline::cost {
namespace {

// Which keys a query may attend to.
enum class Mask { kNone, kTopLeft, kBottomRight };

Mask MaskOfAttention(const OperatorCall& call) {
  const std::optional<int64_t> causal = call.Value(1);
  if (!causal || *causal == 0) return Mask::kNone;
  if (call.code(3) == kMaskType) {
    return *causal == 1 ? Mask::kTopLeft : Mask::kBottomRight;
  }
  return call.code(3) == kBottomRight ? Mask::kBottomRight : Mask::kTopLeft;
}

// Number of (query, key) pairs left by the mask, within one sequence and head.
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

// Number of (query, key) pairs computed: all, or, for each block of queries, the keys up
// to the last one that the block sees.
Count ExecutedPairs(int64_t queries, int64_t keys, Mask mask, int64_t block) {
  if (mask != Mask::kTopLeft || block <= 0) return Count(queries) * keys;
  const int64_t full = std::min(queries, keys) / block;
  // Each block sees `block` more keys than the previous one; then the remainder.
  Count pairs = SumUpTo(full) * block * block;
  const int64_t done = full * block;
  const int64_t last = std::min(queries - done, block);
  pairs += Count(last) * std::min(keys, done + last);
  return pairs + Count(queries - done - last) * keys;
}

struct AttentionSizes {
  Count sequences = 1;  // Includes the query heads.
  int64_t queries = 0;
  int64_t keys = 0;
  int64_t key_width = 0;
  int64_t value_width = 0;
};

// Query heads share key heads, or vice versa if one is 1.
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

// Packed sequences of varying length, (tokens, heads, d). The lengths are tensor values
// and not recorded: only sequences of equal length can be counted.
std::optional<AttentionSizes> PackedSizes(const OperatorCall& call, const Sizes& q,
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

std::optional<AttentionSizes> AttentionSizesOf(const OperatorCall& call) {
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

}  // namespace

OptionalCost AttentionCost(const OperatorCall& call, Pass pass) {
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

OptionalCost AttendTokenCost(const OperatorCall& call) {
  const Sizes* const q = call.Tensor(0);
  const Sizes* const k = call.Tensor(1);
  if (q == nullptr || k == nullptr || q->size() != 3 || k->size() < 2) return {};
  const Amount flops = Amount::Same(Count(2) * q->front() * (*k)[1] * q->back());
  OperatorCost cost;
  cost.parts = {{"scores", CostClass::kAttentionScores, flops},
                {"values", CostClass::kAttentionValues, flops}};
  return cost;
}

}  // namespace ridgeline::cost
