#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/communication.h"
#include "analysis/intervals.h"
#include "analysis/trace_findings.h"

namespace ridgeline::analysis {
namespace {

using results::DeviceTime;
using results::GpuActivity;
using results::GpuActivityKind;
using results::TraceRows;

// Activity intervals of one device, before aggregation.
struct DeviceIntervals {
  std::vector<Interval> compute;
  std::vector<Interval> communication;
  std::vector<Interval> memory;
  std::vector<Interval> launched_inside;
  int64_t first_start_ns = std::numeric_limits<int64_t>::max();  // Even of empty ones.
};

void AddKernel(const GpuActivity& activity, KernelRole role, DeviceIntervals& intervals,
               DeviceTime& time) {
  const Interval interval = {activity.start_ns, activity.start_ns + activity.duration_ns};
  switch (role) {
    case KernelRole::kCommunication:
      intervals.communication.push_back(interval);
      ++time.communication_count;
      time.communication_total_ns =
          SaturatingAdd(time.communication_total_ns, activity.duration_ns);
      return;
    case KernelRole::kSuspected:
      ++time.communication_suspected_count;
      time.communication_suspected_total_ns =
          SaturatingAdd(time.communication_suspected_total_ns, activity.duration_ns);
      [[fallthrough]];
    case KernelRole::kCompute:
      intervals.compute.push_back(interval);
      return;
  }
}

IntervalUnion Both(const IntervalUnion& a, const IntervalUnion& b) {
  std::vector<Interval> all;
  all.reserve(a.size() + b.size());
  std::merge(
      a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all),
      [](const Interval& x, const Interval& y) { return x.start_ns < y.start_ns; });
  return UnionOf(std::move(all));
}

void FillGaps(const IntervalUnion& busy, DeviceTime& time) {
  for (size_t i = 1; i < busy.size(); ++i) {
    const int64_t gap_ns = busy[i].start_ns - busy[i - 1].end_ns;
    ++time.gap_count;
    time.gap_max_ns = std::max(time.gap_max_ns, gap_ns);
  }
}

void FillLaunchedInside(std::vector<Interval> intervals, DeviceTime& time) {
  time.launched_inside_count = static_cast<int64_t>(intervals.size());
  const IntervalUnion busy = UnionOf(std::move(intervals));
  if (busy.empty()) return;
  time.launched_inside_span_ns = busy.back().end_ns - busy.front().start_ns;
  time.launched_inside_busy_ns = LengthOf(busy);
  time.launched_inside_idle_ns =
      time.launched_inside_span_ns - time.launched_inside_busy_ns;
}

void Fill(DeviceIntervals intervals, DeviceTime& time) {
  const IntervalUnion compute = UnionOf(std::move(intervals.compute));
  const IntervalUnion communication = UnionOf(std::move(intervals.communication));
  const IntervalUnion memory = UnionOf(std::move(intervals.memory));
  const IntervalUnion kernels = Both(compute, communication);
  const IntervalUnion busy = Both(kernels, memory);
  time.first_start_ns = busy.empty() ? intervals.first_start_ns : busy.front().start_ns;
  time.last_end_ns = busy.empty() ? time.first_start_ns : busy.back().end_ns;
  time.span_ns = time.last_end_ns - time.first_start_ns;
  time.busy_ns = LengthOf(busy);
  time.busy_kernels_ns = LengthOf(kernels);
  time.idle_ns = time.span_ns - time.busy_ns;
  time.compute_ns = LengthOf(compute);
  time.memory_ns = LengthOf(memory);
  time.memory_exposed_ns = time.memory_ns - OverlapOf(memory, kernels);
  time.communication_ns = LengthOf(communication);
  time.communication_exposed_ns =
      time.communication_ns - OverlapOf(communication, compute);
  FillGaps(busy, time);
  FillLaunchedInside(std::move(intervals.launched_inside), time);
}

// Stream names may repeat: 7 and "stream 7" are the same stream.
void CountStreams(const TraceRows& rows, std::vector<DeviceTime>& times) {
  std::set<std::pair<uint32_t, std::string_view>> streams;
  for (const results::Track& track : rows.tracks) {
    if (streams.emplace(track.device, track.stream).second) {
      ++times[track.device].stream_count;
    }
  }
}

}  // namespace

std::vector<DeviceTime> DeviceTimes(const TraceRows& rows, const LaunchIndex& launches) {
  KernelRoles roles(rows.names);
  std::vector<DeviceIntervals> intervals(rows.devices.size());
  std::vector<DeviceTime> times(rows.devices.size());
  for (size_t i = 0; i < rows.gpu_activities.size(); ++i) {
    const GpuActivity& activity = rows.gpu_activities[i];
    const uint32_t device = rows.tracks[activity.track].device;
    DeviceIntervals& of_device = intervals[device];
    ++times[device].activity_count;
    of_device.first_start_ns = std::min(of_device.first_start_ns, activity.start_ns);
    const Interval interval = {activity.start_ns,
                               activity.start_ns + activity.duration_ns};
    if (activity.kind == GpuActivityKind::kKernel) {
      AddKernel(activity, roles.Of(activity.name), of_device, times[device]);
    } else {
      of_device.memory.push_back(interval);
    }
    if (launches.calls()[i] != kNoCall) of_device.launched_inside.push_back(interval);
  }
  for (size_t device = 0; device < times.size(); ++device) {
    times[device].device = static_cast<results::DeviceId>(device);
    Fill(std::move(intervals[device]), times[device]);
  }
  CountStreams(rows, times);
  return times;
}

}  // namespace ridgeline::analysis
