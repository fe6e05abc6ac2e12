// Everything that is asked of launches that ncu measured, in one go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/kernel_identity.h"
#include "analysis/ncu_class.h"
#include "analysis/ncu_kernel.h"
#include "analysis/ncu_roofline.h"
#include "results/ncu_rows.h"
#include "results/result_store.h"

namespace ridgeline::analysis {

struct NcuLaunchFinding {
  NcuKernel kernel;
  KernelIdentity identity;
  NcuClass kernel_class = NcuClass::kUnknown;
  std::vector<NcuPoint> points;
};

struct ClassCount {
  NcuClass kernel_class = NcuClass::kUnknown;
  int64_t launches = 0;
  double duration_ns = 0;
};

struct NcuQuestion {
  ClassRule rule = ClassRule::kRidgeline;
  ClassThresholds thresholds;
  NcuRoofs given;     // Win over those that the files tell.
  NcuRoofs fallback;  // For what the files do not tell.
};

struct NcuFindings {
  std::vector<NcuLaunchFinding> launches;  // As in the rows.
  NcuRoofs roofs;
  // The one that the rule "ridge" uses: of the fastest arithmetic that is known.
  std::optional<double> ridge_flops_per_byte;
  std::vector<ClassCount> classes;  // That occur, in the order of NcuClass.
  double duration_total_ns = 0;
};

NcuFindings FindingsOf(const results::NcuRows& rows, const NcuQuestion& question);

// Adds the rows of `from` to those of `into`, that has the same launches, perhaps, from
// another page of the same run: metrics and rules of one launch come together. A metric
// that `into` has already is not added again.
void Merge(const results::NcuRows& from, results::NcuRows& into);

// Adds the launches of `from` behind those of `into`, as others.
void Append(const results::NcuRows& from, results::NcuRows& into);

void AddToStore(const results::NcuRows& rows, const NcuFindings& findings,
                results::Source source, results::ResultStore& store);

}  // namespace ridgeline::analysis
