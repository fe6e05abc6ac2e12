// Costs by rule family (RuleFamily). Empty: the inputs do not match the rule. Internal to
// the FLOP counts of operators.
#pragma once

#include "cost/operator_call.h"

namespace ridgeline::cost {

// matrix_costs.cc
enum class Batch { kKept, kSummed };
OptionalCost ProductCost(const OperatorCall& call, Batch batch);
OptionalCost LinearCost(const OperatorCall& call);
OptionalCost EitherLinearCost(const OperatorCall& call);
OptionalCost SizedFeaturesCost(const OperatorCall& call);
OptionalCost FeatureValuesCost(const OperatorCall& call);
OptionalCost ShapeValueCost(const OperatorCall& call);
OptionalCost HalfBytePairsCost(const OperatorCall& call);
OptionalCost OuterCost(const OperatorCall& call);
OptionalCost GroupedCost(const OperatorCall& call);
OptionalCost ExpertsCost(const OperatorCall& call);
OptionalCost LinearGradCost(const OperatorCall& call);
OptionalCost LinearGradPartCost(const OperatorCall& call);
OptionalCost MixtureCost(const OperatorCall& call);

// convolution_costs.cc
OptionalCost ConvolutionCost(const OperatorCall& call);
OptionalCost ConvolutionGradCost(const OperatorCall& call);
OptionalCost ConvolutionGradInputCost(const OperatorCall& call);

// attention_costs.cc: scores and values once each; backward recomputes the scores and has
// two GEMMs for each of the two.
enum class Pass { kForward, kBackward };
OptionalCost AttentionCost(const OperatorCall& call, Pass pass);
OptionalCost AttendTokenCost(const OperatorCall& call);

}  // namespace ridgeline::cost
