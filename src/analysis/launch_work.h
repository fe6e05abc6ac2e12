// GPU work by the runtime call that launched it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/launch_delay.h"
#include "analysis/regions.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

// GPU work launched by one runtime call.
struct Launched {
  int64_t gpu_ns = 0;  // Total, memory operations included.
  int64_t memory_ns = 0;
  uint32_t kernels = 0;
  uint32_t memory_ops = 0;

  void Add(const results::GpuActivity& activity);
};

GpuWork WorkOf(const Launched& launched);
void AddWork(const GpuWork& part, GpuWork& sum);

// Refers to the trace, which must outlive it.
class Launches {
 public:
  Launches(const results::TraceRows& rows, const LaunchIndex& index);

  bool has_kernels() const { return !rows_.gpu_activities.empty(); }
  int64_t total_ns() const { return total_ns_; }
  const Launched& without_call() const { return without_call_; }
  const Launched& of(uint32_t call) const { return launched_[call]; }

  // Calls that launched any work, by start.
  std::span<const uint32_t> OfThread(uint32_t thread) const;

 private:
  void OrderByThread();

  const results::TraceRows& rows_;
  std::vector<Launched> launched_;  // By runtime call.
  Launched without_call_;
  int64_t total_ns_ = 0;
  std::vector<uint32_t> order_;
  std::vector<size_t> begins_;  // By thread.
};

}  // namespace ridgeline::analysis
