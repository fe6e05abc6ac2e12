#include "analysis/timeline.h"

#include <algorithm>
#include <unordered_map>

#include "analysis/intervals.h"
#include "analysis/kernel_kind.h"

namespace ridgeline::analysis {
namespace {

using results::GpuActivityKind;
using results::NsysRows;
using results::TraceRows;

// Rows with a start and an end, in the order that lanes require.
template <typename Row, typename EndOf>
std::vector<const Row*> InOrder(const std::vector<Row>& rows, EndOf end_of) {
  std::vector<const Row*> order;
  order.reserve(rows.size());
  for (const Row& row : rows) order.push_back(&row);
  std::stable_sort(order.begin(), order.end(), [&end_of](const Row* a, const Row* b) {
    if (a->start_ns != b->start_ns) return a->start_ns < b->start_ns;
    return end_of(*a) > end_of(*b);
  });
  return order;
}

void AddCalls(const std::vector<results::ThreadCall>& calls, LaneGroup group,
              TimelineLanes& lanes) {
  const auto end_of = [](const results::ThreadCall& call) {
    return SaturatingAdd(call.start_ns, call.duration_ns);
  };
  for (const results::ThreadCall* call : InOrder(calls, end_of)) {
    lanes.Add({group, call->thread}, {call->start_ns, call->duration_ns, call->name});
  }
}

std::string ThreadTitle(uint32_t thread) {
  return "thread " + std::to_string(thread + 1);
}

std::string StreamTitle(const std::string& device, const std::string& stream) {
  return "GPU " + device + ", stream " + stream;
}

using KernelKinds = std::unordered_map<StringId, KernelKind>;

// "" if it is not a kernel.
std::string_view KindIn(const KernelKinds& kinds, StringId name) {
  const auto found = kinds.find(name);
  return found == kinds.end() ? "" : NameOf(found->second);
}

// Names of GPU work: the short names of kernels, which are descriptive; long ones would
// fill the screen.
class OpNames {
 public:
  OpNames(const NsysRows& rows, StringPool& names) {
    for (const results::NsysKernelShape& shape : rows.kernel_shapes) {
      const std::string_view whole = rows.names.text(shape.name);
      const std::string_view brief = rows.names.text(shape.short_name);
      kernels_.push_back(names.Intern(brief.empty() ? whole : brief));
      kinds_.emplace(kernels_.back(), KindOf(whole));
    }
    for (const results::NsysMemoryOp& op : rows.memory_ops) {
      memory_ops_.push_back(names.Intern(rows.names.text(op.name)));
    }
    for (const int64_t graph : rows.graphs) {
      graphs_.push_back(names.Intern("graph " + std::to_string(graph)));
    }
  }

  const KernelKinds& kinds() const { return kinds_; }

  StringId Of(const results::NsysGpuOp& op) const {
    switch (op.kind) {
      case GpuActivityKind::kMemcpy:
      case GpuActivityKind::kMemset:
        return memory_ops_[op.detail];
      case GpuActivityKind::kGraph:
        return graphs_[op.detail];
      case GpuActivityKind::kKernel:
        break;
    }
    return kernels_[op.detail];
  }

 private:
  KernelKinds kinds_;
  std::vector<StringId> kernels_;
  std::vector<StringId> memory_ops_;
  std::vector<StringId> graphs_;
};

}  // namespace

Timeline TimelineOf(const NsysRows& rows, size_t most_blocks) {
  TimelineLanes lanes(most_blocks);
  StringPool names;
  const auto end_of = [](const results::NvtxRange& range) { return range.end_ns; };
  for (const results::NvtxRange* range : InOrder(rows.nvtx_ranges, end_of)) {
    // Ranges of a process do not nest; their tracks come after those of threads.
    const bool is_of_thread = range->kind == results::NvtxKind::kPushPop;
    const auto threads = static_cast<uint32_t>(rows.threads.size());
    const uint32_t number =
        is_of_thread ? range->thread : threads + rows.threads[range->thread].process;
    lanes.Add({LaneGroup::kRegions, number},
              {range->start_ns, range->end_ns - range->start_ns,
               names.Intern(rows.names.text(range->name))});
  }
  const OpNames op_names(rows, names);
  for (const results::NsysGpuOp& op : rows.gpu_ops) {
    lanes.Add({LaneGroup::kGpu, op.track},
              {op.start_ns, op.duration_ns, op_names.Of(op)});
  }
  const auto title_of = [&rows](const TimelineTrack& track) {
    if (track.group == LaneGroup::kGpu) {
      const results::NsysTrack& gpu = rows.tracks[track.number];
      return StreamTitle(rows.devices[gpu.device].label, std::to_string(gpu.stream));
    }
    if (track.number < rows.threads.size()) return ThreadTitle(track.number);
    return "process " + std::to_string(track.number - rows.threads.size() + 1);
  };
  return lanes.Finish(names, title_of, [&op_names](StringId name) {
    return KindIn(op_names.kinds(), name);
  });
}

Timeline TimelineOf(const TraceRows& rows, size_t most_blocks) {
  TimelineLanes lanes(most_blocks);
  AddCalls(rows.annotations, LaneGroup::kRegions, lanes);
  AddCalls(rows.operators, LaneGroup::kOperators, lanes);
  const auto end_of = [](const results::GpuActivity& activity) {
    return SaturatingAdd(activity.start_ns, activity.duration_ns);
  };
  KernelKinds kinds;
  for (const results::GpuActivity* activity : InOrder(rows.gpu_activities, end_of)) {
    if (activity->kind == GpuActivityKind::kKernel && !kinds.contains(activity->name)) {
      kinds.emplace(activity->name, KindOf(rows.names.text(activity->name)));
    }
    lanes.Add({LaneGroup::kGpu, activity->track},
              {activity->start_ns, activity->duration_ns, activity->name});
  }
  const auto title_of = [&rows](const TimelineTrack& track) {
    if (track.group != LaneGroup::kGpu) return ThreadTitle(track.number);
    const results::Track& gpu = rows.tracks[track.number];
    return StreamTitle(rows.devices[gpu.device], gpu.stream);
  };
  return lanes.Finish(rows.names, title_of,
                      [&kinds](StringId name) { return KindIn(kinds, name); });
}

}  // namespace ridgeline::analysis
