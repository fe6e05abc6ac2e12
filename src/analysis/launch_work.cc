#include "analysis/launch_work.h"

#include <algorithm>
#include <numeric>

#include "analysis/intervals.h"

namespace ridgeline::analysis {
namespace {

using results::GpuActivity;
using results::GpuActivityKind;

}  // namespace

void Launched::Add(const GpuActivity& activity) {
  gpu_ns = SaturatingAdd(gpu_ns, activity.duration_ns);
  const bool is_memory = activity.kind == GpuActivityKind::kMemcpy ||
                         activity.kind == GpuActivityKind::kMemset;
  if (is_memory) memory_ns = SaturatingAdd(memory_ns, activity.duration_ns);
  ++(is_memory ? memory_ops : kernels);
}

GpuWork WorkOf(const Launched& launched) {
  return {.launches = launched.kernels,
          .gpu_ns = launched.gpu_ns - launched.memory_ns,
          .memory_ops = launched.memory_ops,
          .memory_ns = launched.memory_ns,
          .memory_bytes = 0};
}

void AddWork(const GpuWork& part, GpuWork& sum) {
  sum.launches += part.launches;
  sum.gpu_ns = SaturatingAdd(sum.gpu_ns, part.gpu_ns);
  sum.memory_ops += part.memory_ops;
  sum.memory_ns = SaturatingAdd(sum.memory_ns, part.memory_ns);
}

Launches::Launches(const results::TraceRows& rows, const LaunchIndex& index)
    : rows_(rows) {
  if (rows.gpu_activities.empty()) return;
  launched_.resize(rows.runtime_calls.size());
  for (size_t i = 0; i < rows.gpu_activities.size(); ++i) {
    const GpuActivity& activity = rows.gpu_activities[i];
    total_ns_ = SaturatingAdd(total_ns_, activity.duration_ns);
    const uint32_t call = index.calls()[i];
    (call != kNoCall ? launched_[call] : without_call_).Add(activity);
  }
  OrderByThread();
}

std::span<const uint32_t> Launches::OfThread(uint32_t thread) const {
  if (begins_.empty()) return {};
  return std::span(order_).subspan(begins_[thread],
                                   begins_[thread + 1] - begins_[thread]);
}

void Launches::OrderByThread() {
  begins_.assign(rows_.thread_count + 1, 0);
  for (uint32_t call = 0; call < launched_.size(); ++call) {
    if (launched_[call].kernels + launched_[call].memory_ops == 0) continue;
    order_.push_back(call);
    ++begins_[rows_.runtime_call_threads[call] + 1];
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  std::stable_sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
    const uint32_t thread_a = rows_.runtime_call_threads[a];
    const uint32_t thread_b = rows_.runtime_call_threads[b];
    if (thread_a != thread_b) return thread_a < thread_b;
    return rows_.runtime_calls[a].start_ns < rows_.runtime_calls[b].start_ns;
  });
}

}  // namespace ridgeline::analysis
