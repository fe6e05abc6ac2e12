// Regions of a trace: annotations by path, with the operators and GPU work in each.
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

// nullopt if the count does not fit into a result (int64).
std::optional<int64_t> WithinLimit(Count count);

// Sum over calls with a known cost.
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

// Takes the annotations, operators and launches of one thread at a time, in time order.
class AnnotationRegions {
 public:
  explicit AnnotationRegions(const results::TraceRows& rows) : rows_(rows) {}

  // Profiler steps are not regions.
  bool IsRegion(const results::ThreadCall& annotation) const;

  void BeginThread();
  void Begin(const results::ThreadCall& annotation);
  void CloseBefore(int64_t time_ns);
  void CloseAll();

  // Adds to the innermost open region. Operators outside all regions are not counted.
  void AddOperator(const CallCost* cost);  // Null: no known cost.
  void AddLaunched(const Launched& launched);

  struct Totals {
    std::vector<results::RegionTotal> regions;
    int64_t flops_beyond_limit = 0;  // Number of regions.
  };
  // Regions by descending GPU time (CPU time if there are no kernels), then one for the
  // work outside all of them.
  Totals Finish(const Launches& launches, bool has_shapes);

 private:
  // A region under construction.
  struct Sum {
    uint32_t parent = 0;
    std::string path;
    int64_t instances = 0;
    int64_t cpu_total_ns = 0;
    int64_t cpu_self_ns = 0;
    int64_t operators = 0;  // This and the fields below: exclusive until Finish().
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
  std::vector<Inclusive> inclusive_;                // By region; filled by Finish().
  std::unordered_map<uint64_t, uint32_t> numbers_;  // By parent and name.
  GpuWork outside_;
  // On the current thread.
  std::vector<Open> open_;
  int64_t now_ns_ = 0;
};

}  // namespace ridgeline::analysis
