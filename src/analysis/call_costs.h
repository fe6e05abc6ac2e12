// FLOPs of the operators of a trace, per call; each combination of name and inputs is
// computed once.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cost/count.h"
#include "cost/operator_flops.h"
#include "hardware/gpu_specs.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

// Results store FLOPs as int64.
inline constexpr uint64_t kMaxFlops = std::numeric_limits<int64_t>::max();

struct CallCost {
  Count flops;  // Executed FLOPs of matrix products.
  Count flops_useful;
  std::optional<Count> bytes;
  std::optional<double> ideal_s;  // At the GPU's peak for this data type.
};

class CallCosts {
 public:
  explicit CallCosts(const results::TraceRows& rows);

  // Cost of an operator of the trace. Null: no cost, too large, or inputs not
  // sufficiently known.
  const CallCost* Find(size_t op);

  // Calls so far whose FLOPs exceeded kMaxFlops.
  int64_t calls_too_large() const { return calls_too_large_; }

  // Whether an operator without a cost multiplies matrices, judging by its name.
  bool IsMatrixWork(StringId name);

 private:
  // No cost: the operator has none, or its inputs are not sufficiently known.
  struct Known {
    std::optional<CallCost> cost;
    bool is_too_large = false;
  };
  enum class Kind : uint8_t { kUndecided, kRule, kMatrixWork, kOther };

  Kind KindOf(StringId name);
  Known CostOf(StringId name, uint32_t inputs) const;
  std::optional<double> IdealSeconds(const cost::OperatorCost& cost) const;

  const results::TraceRows& rows_;
  const hardware::GpuSpec* gpu_ = nullptr;  // Null: no GPU, several, or an unknown one.
  std::vector<Kind> kinds_;                 // By name.
  std::unordered_map<uint64_t, Known> costs_;
  int64_t calls_too_large_ = 0;
};

}  // namespace ridgeline::analysis
