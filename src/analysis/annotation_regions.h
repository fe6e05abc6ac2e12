// Regions of a trace: annotations by path, with the operators and the GPU work in them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/call_costs.h"
#include "analysis/launch_work.h"
#include "analysis/regions.h"
#include "results/rows.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

int64_t CallEnd(const results::ThreadCall& call);

// Nothing: more than the results hold.
std::optional<int64_t> WithinLimit(Count count);

// Sums of calls that have a cost.
struct WorkSum {
  int64_t calls = 0;
  Count flops;
  Count flops_useful;
  Count bytes;
  double ideal_s = 0;
  bool has_bytes = true;
  bool has_ideal = true;
  int64_t cpu_ns = 0;
  int64_t gpu_ns = 0;

  void Add(const CallCost& cost);
};

// Fed with the annotations, operators and launches of one thread after the other, each
// thread in the order of time.
class AnnotationRegions {
 public:
  explicit AnnotationRegions(const results::TraceRows& rows) : rows_(rows) {}

  // Profiler steps are not regions.
  bool IsRegion(const results::ThreadCall& annotation) const;

  void BeginThread();
  void Begin(const results::ThreadCall& annotation);
  void CloseBefore(int64_t time_ns);
  void CloseAll();

  // To the innermost open region; outside of all, operators count nowhere.
  void AddOperator(const CallCost* cost);  // Null: none.
  void AddLaunched(const Launched& launched);

  struct Totals {
    std::vector<results::RegionTotal> regions;
    int64_t flops_beyond_limit = 0;  // Regions.
  };
  // The one with the most GPU time (CPU time without kernels) first, then what lies in
  // none.
  Totals Finish(const Launches& launches, bool has_shapes);

 private:
  // A region, while it is summed up.
  struct Sum {
    uint32_t parent = 0;
    std::string path;
    int64_t instances = 0;
    int64_t cpu_total_ns = 0;
    int64_t cpu_self_ns = 0;
    int64_t operators = 0;  // Exclusive until Finish(), as all that follow.
    WorkSum work;
    GpuWork gpu;
    std::vector<int64_t> durations_ns;
  };
  struct Inclusive {
    GpuWork gpu;
    int64_t operators = 0;
    Count flops;
    double ideal_s = 0;
    bool has_ideal = true;
  };
  struct Open {
    uint32_t region = 0;
    int64_t end_ns = 0;
  };

  Sum* Current();
  uint32_t NumberOf(uint32_t parent, StringId name);
  void GiveTo(int64_t until_ns);
  void FinishRegion(size_t index, bool has_shapes, Totals& totals);

  const results::TraceRows& rows_;
  std::vector<Sum> regions_;
  std::vector<Inclusive> inclusive_;                // By region, while it is finished.
  std::unordered_map<uint64_t, uint32_t> numbers_;  // By parent and name.
  GpuWork outside_;
  // Of the thread.
  std::vector<Open> open_;
  int64_t now_ns_ = 0;
};

}  // namespace ridgeline::analysis
