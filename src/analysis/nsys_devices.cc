#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "analysis/communication.h"
#include "analysis/intervals.h"
#include "analysis/nsys_findings.h"

namespace ridgeline::analysis {
namespace {

using results::DeviceTime;
using results::GpuActivityKind;
using results::NsysGpuOp;
using results::NsysRows;

// Union of intervals sorted by start, without storing them: there may be millions.
class RunningUnion {
 public:
  void Add(int64_t start_ns, int64_t end_ns) {
    if (end_ns <= start_ns) return;
    if (is_empty()) {
      first_ns_ = start_ns;
      length_ns_ = end_ns - start_ns;
      last_ns_ = end_ns;
      return;
    }
    if (start_ns > last_ns_) {
      ++gap_count_;
      gap_max_ns_ = std::max(gap_max_ns_, start_ns - last_ns_);
    }
    if (end_ns > last_ns_) length_ns_ += end_ns - std::max(start_ns, last_ns_);
    last_ns_ = std::max(last_ns_, end_ns);
  }

  bool is_empty() const { return length_ns_ == 0; }
  int64_t first_ns() const { return first_ns_; }
  int64_t last_ns() const { return last_ns_; }
  int64_t length_ns() const { return length_ns_; }
  int64_t span_ns() const { return last_ns_ - first_ns_; }
  int64_t gap_count() const { return gap_count_; }
  int64_t gap_max_ns() const { return gap_max_ns_; }

 private:
  int64_t first_ns_ = 0;
  int64_t last_ns_ = 0;
  int64_t length_ns_ = 0;
  int64_t gap_count_ = 0;
  int64_t gap_max_ns_ = 0;
};

struct DeviceSum {
  DeviceTime time;
  RunningUnion all;
  RunningUnion kernels;
  RunningUnion kernels_graphs;
  RunningUnion compute;
  RunningUnion communication;
  RunningUnion memory;
  RunningUnion launched_inside;
  int64_t first_start_ns = std::numeric_limits<int64_t>::max();
};

void AddKernel(const NsysGpuOp& op, KernelRole role, DeviceSum& sum) {
  DeviceTime& time = sum.time;
  sum.kernels.Add(op.start_ns, op.end_ns());
  sum.kernels_graphs.Add(op.start_ns, op.end_ns());
  if (role == KernelRole::kCommunication) {
    sum.communication.Add(op.start_ns, op.end_ns());
    ++time.communication_count;
    time.communication_total_ns =
        SaturatingAdd(time.communication_total_ns, op.duration_ns);
    return;
  }
  sum.compute.Add(op.start_ns, op.end_ns());
  if (role != KernelRole::kSuspected) return;
  ++time.communication_suspected_count;
  time.communication_suspected_total_ns =
      SaturatingAdd(time.communication_suspected_total_ns, op.duration_ns);
}

void AddOther(const NsysGpuOp& op, DeviceSum& sum) {
  if (op.kind != GpuActivityKind::kGraph) {
    sum.memory.Add(op.start_ns, op.end_ns());
    return;
  }
  sum.kernels_graphs.Add(op.start_ns, op.end_ns());
  ++sum.time.graph_count;
  sum.time.graph_total_ns = SaturatingAdd(sum.time.graph_total_ns, op.duration_ns);
}

// The overlap of two sets is the sum of their lengths minus the length of their union.
NsysDevice Finished(const DeviceSum& sum) {
  NsysDevice device = {.time = sum.time};
  DeviceTime& time = device.time;
  time.first_start_ns = sum.all.is_empty() ? sum.first_start_ns : sum.all.first_ns();
  time.last_end_ns = sum.all.is_empty() ? time.first_start_ns : sum.all.last_ns();
  time.span_ns = time.last_end_ns - time.first_start_ns;
  time.busy_ns = sum.all.length_ns();
  time.busy_kernels_ns = sum.kernels.length_ns();
  time.idle_ns = time.span_ns - time.busy_ns;
  time.gap_count = sum.all.gap_count();
  time.gap_max_ns = sum.all.gap_max_ns();
  time.compute_ns = sum.compute.length_ns();
  time.memory_ns = sum.memory.length_ns();
  time.memory_exposed_ns = time.busy_ns - sum.kernels_graphs.length_ns();
  time.communication_ns = sum.communication.length_ns();
  time.communication_exposed_ns = time.busy_kernels_ns - time.compute_ns;
  time.launched_inside_span_ns = sum.launched_inside.span_ns();
  time.launched_inside_busy_ns = sum.launched_inside.length_ns();
  time.launched_inside_idle_ns =
      time.launched_inside_span_ns - time.launched_inside_busy_ns;
  device.busy_kernels_graphs_ns = sum.kernels_graphs.length_ns();
  device.kernel_span_ns = sum.kernels.span_ns();
  device.kernel_idle_ns = device.kernel_span_ns - time.busy_kernels_ns;
  return device;
}

void CountStreams(const NsysRows& rows, std::vector<NsysDevice>& devices) {
  std::set<std::pair<uint32_t, int64_t>> streams;
  for (const results::NsysTrack& track : rows.tracks) {
    if (streams.emplace(track.device, track.stream).second) {
      ++devices[track.device].time.stream_count;
    }
  }
}

}  // namespace

std::vector<NsysDevice> NsysDevices(const NsysRows& rows) {
  KernelRoles roles(rows.names);
  std::vector<DeviceSum> sums(rows.devices.size());
  for (const NsysGpuOp& op : rows.gpu_ops) {
    DeviceSum& sum = sums[rows.tracks[op.track].device];
    ++sum.time.activity_count;
    sum.first_start_ns = std::min(sum.first_start_ns, op.start_ns);
    sum.all.Add(op.start_ns, op.end_ns());
    if (op.kind == GpuActivityKind::kKernel) {
      AddKernel(op, roles.Of(rows.kernel_shapes[op.detail].name), sum);
    } else {
      AddOther(op, sum);
    }
    if (!op.has_call() && !rows.IsMigration(op)) continue;
    ++sum.time.launched_inside_count;
    sum.launched_inside.Add(op.start_ns, op.end_ns());
  }
  std::vector<NsysDevice> devices;
  for (const DeviceSum& sum : sums) {
    devices.push_back(Finished(sum));
    devices.back().time.device = static_cast<results::DeviceId>(devices.size() - 1);
  }
  CountStreams(rows, devices);
  return devices;
}

}  // namespace ridgeline::analysis
