#include <algorithm>
#include <utility>

#include "cost/operator_call.h"
#include "cost/operator_costs.h"

namespace ridgeline::cost {
namespace {

std::optional<bool> IsTransposed(const OperatorCall& call, size_t i) {
  if (call.code(i) == kAbsent) return false;
  if (call.code(i) == kAlways) return true;
  const std::optional<int64_t> value = call.Value(i);
  if (!value) return std::nullopt;
  return *value != 0;
}

// Size of one output dimension; empty: a value is missing, or the window does not fit.
std::optional<int64_t> OutputSize(const OperatorCall& call, size_t dimension,
                                  int64_t input, int64_t taps, bool is_transposed) {
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

// Groups of a transposed convolution; 1 if not recorded.
int64_t GroupsOf(const OperatorCall& call) {
  return std::max<int64_t>(call.Value(8).value_or(1), 1);
}

}  // namespace

// Every output position (input position, if transposed) is multiplied by every weight of
// its group. Taps on padding count.
OptionalCost ConvolutionCost(const OperatorCall& call) {
  const Sizes* const x = call.Tensor(0);
  const Sizes* const weight = call.Tensor(1);
  const std::optional<bool> is_transposed = IsTransposed(call, 6);
  if (x == nullptr || weight == nullptr || !is_transposed || weight->size() < 3)
    return {};
  const size_t dimensions = weight->size() - 2;
  // Batched or unbatched.
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
  // A transposed weight has the shape (in, out / groups, ...).
  const Count channels_out =
      *is_transposed ? Count((*weight)[1]) * GroupsOf(call) : Count(weight->front());
  const Count outputs = output_places * channels_out;
  const FlopPart part = {"", CostClass::kConvolution,
                         Amount::Same(Count(2) * places * Elements(*weight))};
  return WithAdded(call, part, outputs, call.code(0), 2);
}

OptionalCost ConvolutionGradCost(const OperatorCall& call) {
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

OptionalCost ConvolutionGradInputCost(const OperatorCall& call) {
  const Sizes* const grad = call.Tensor(0);
  const Sizes* const weight = call.Tensor(1);
  if (grad == nullptr || weight == nullptr || weight->size() < 3) return std::nullopt;
  OperatorCost cost;
  cost.parts.push_back({"grad_input", CostClass::kConvolution,
                        Amount::Same(Count(2) * Elements(*grad) *
                                     Elements(std::span(*weight).subspan(1)))});
  return cost;
}

}  // namespace ridgeline::cost
