// FLOPs of the operators of a trace, call by call; each pair of a name and inputs is
// computed once.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cost/count.h"
#include "cost/operator_flops.h"
#include "hardware/gpu_specs.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

struct CallCost {
  Count flops;  // Executed, of matrix products.
  Count flops_useful;
  std::optional<Count> bytes;
  std::optional<double> ideal_s;  // At the peak of the GPU for this type.
};

class CallCosts {
 public:
  explicit CallCosts(const results::TraceRows& rows);

  // Of an operator of the trace. Null: none, or not enough is known of its inputs.
  const CallCost* Find(size_t op);

  // Whether an operator without a cost multiplies matrices, going by its name.
  bool IsMatrixWork(StringId name);

 private:
  enum class Kind : uint8_t { kUndecided, kRule, kMatrixWork, kOther };

  Kind KindOf(StringId name);
  std::optional<CallCost> CostOf(StringId name, uint32_t inputs) const;
  std::optional<double> IdealSeconds(const cost::OperatorCost& cost) const;

  const results::TraceRows& rows_;
  const hardware::GpuSpec* gpu_ = nullptr;  // Null: none, several, or an unknown one.
  std::vector<Kind> kinds_;                 // By name.
  std::unordered_map<uint64_t, std::optional<CallCost>> costs_;
};

}  // namespace ridgeline::analysis
