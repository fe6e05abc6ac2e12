// FLOPs of the operators of a trace, the GPU time of what they launched, and both by
// region (annotation).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiles/operators/operator_profile.h"
#include "results/drop_reason.h"
#include "results/rows.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

struct TraceCosts {
  struct Operator {
    std::optional<int64_t> gpu_self_ns;
    std::optional<results::OperatorWork> work;
  };

  bool has_shapes = false;
  std::vector<Operator> operators;  // By name; empty: nothing is known of any.
  // Annotations by path, except profiler steps; the one with the most GPU time (CPU time
  // in traces without kernels) first. A last row has what lies in none.
  std::vector<results::RegionTotal> regions;
  // Operators that multiply matrices, as far as their names say, without FLOPs.
  std::vector<results::UncountedOperator> uncounted;
  results::DropCounts dropped;  // FLOPs beyond the limit of the results.
};

// The outermost operator with a rule (cost/operator_flops.h) has the FLOPs of all
// operators that it calls. The time of its FLOP/s is that of the kernels launched inside
// it; in a trace without kernels, its total time on the CPU. A call with FLOPs beyond
// 2^63 has none: it is uncounted, as far as no operator inside it has a rule.
//
// A kernel belongs to the operator and the annotation that were open on the thread of its
// launch, and began last. Annotations nest by time on their thread; their path has their
// names, with "/" between them.
TraceCosts TraceCostsOf(const results::TraceRows& rows);

// Operators by name, or by name and shapes, and by the innermost annotation (`module`)
// that they lie in, as torch.profiler's key_averages() has them: annotations are rows
// too, nest with operators and take their self time; calls of the profiler itself are
// part of their callers; a call that is all that a call of the same name does is one with
// it.
struct TraceOperators {
  std::vector<profiles::OperatorRow> operators;  // The most self time first.
  std::vector<profiles::ModuleRow> modules;      // The same, without annotations.
};

TraceOperators OperatorProfileOf(const results::TraceRows& rows,
                                 profiles::GroupBy group_by);

}  // namespace ridgeline::analysis
