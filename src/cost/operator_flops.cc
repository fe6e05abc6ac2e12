#include "cost/operator_flops.h"

#include <algorithm>
#include <utility>

#include "cost/operator_call.h"
#include "cost/operator_costs.h"
#include "cost/operator_rules.h"

namespace ridgeline::cost {
namespace {

OptionalCost UntypedCost(const Rule& rule, const OperatorCall& call) {
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

OptionalCost CostOf(const Rule& rule, const OperatorCall& call) {
  OptionalCost cost = UntypedCost(rule, call);
  const OperatorInput* const first = call.InputAt(rule.at[0]);
  if (cost && first != nullptr) cost->type = first->type;
  return cost;
}

// A word of a name, separated by ':', '_' and '.'.
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
    return CostOf(*rule, OperatorCall(*rule, unary, options));
  }
  return CostOf(*rule, OperatorCall(*rule, inputs, options));
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
