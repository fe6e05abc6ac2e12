// FLOPs of the operators of a trace, the GPU time they launched, and both by region
// (annotation).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/launch_delay.h"
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
  std::vector<Operator> operators;  // By name; empty: no operator is known.
  // Annotations by path, except profiler steps, by descending GPU time (CPU time in
  // traces without kernels). The last row is the work outside all annotations.
  std::vector<results::RegionTotal> regions;
  // Operators that multiply matrices, judging by their names, but have no FLOPs.
  std::vector<results::UncountedOperator> uncounted;
  results::DropCounts dropped;  // FLOPs that exceed the limit of the results.
};

// The outermost operator with a rule (cost/operator_flops.h) accounts for the FLOPs of
// all operators it calls. Its FLOP/s are based on the time of the kernels launched inside
// it; in a trace without kernels, on its total CPU time. A call whose FLOPs exceed 2^63
// has none: it is uncounted, unless an operator inside it has a rule.
//
// A kernel belongs to the latest-starting operator and annotation open on the launching
// thread. Annotations nest by time on their thread; their path consists of their names,
// separated by "/".
TraceCosts TraceCostsOf(const results::TraceRows& rows, const LaunchIndex& launches);

// Operators by name, or by name and shapes, and by their innermost annotation (`module`),
// like torch.profiler's key_averages(): annotations are rows too, nest with operators and
// have self time; calls of the profiler itself are part of their callers; a call that is
// the only child of a call of the same name is merged into it.
struct TraceOperators {
  std::vector<profiles::OperatorRow> operators;  // By descending self time.
  std::vector<profiles::ModuleRow> modules;      // The same, without annotations.
};

TraceOperators OperatorProfileOf(const results::TraceRows& rows,
                                 profiles::GroupBy group_by);

}  // namespace ridgeline::analysis
