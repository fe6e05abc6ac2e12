#include "inference/recorder/thread_recorder.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "inference/recorder/op_flops.h"

namespace ridgeline::inference {
namespace {

using profiles::Event;
using profiles::EventKind;

constexpr size_t kReadyBytes = size_t{8} << 20;
constexpr size_t kMaxMemoryEvents = size_t{1} << 21;  // 64 MB.

// An id of 0 means "none" on every thread.
uint32_t Moved(uint32_t id, uint32_t offset) { return id == 0 ? 0 : id + offset; }

}  // namespace

ThreadRecorder::ThreadRecorder(const RecorderOptions& options, const os::TickClock& clock,
                               const ScopeTrail* scopes)
    : options_(options),
      clock_(clock),
      scopes_(scopes),
      thread_{.id = gettid(),
              .events = profiles::EventRing(
                  options.limit_bytes, kReadyBytes,
                  [this](const Event& event) { thread_.lost.Add(event); }),
              .lost = {},
              .memory = {}} {
  open_.reserve(64);
}

void ThreadRecorder::Begin(const at::RecordFunction& op) {
  Open& open = open_.emplace_back();
  open.op = &op;
  open.name = names_.Find(op.name());
  if (op.scope() == at::RecordScope::USER_SCOPE) open.kind = EventKind::kAnnotation;
  if (scopes_ != nullptr) open.scope = scopes_->current();
  if (options_.shapes) AddInputs(op, open);
  if (options_.stacks) open.stack = stacks_.Here();
  open.start = clock_.Ticks();
}

void ThreadRecorder::End(const at::RecordFunction& op) {
  const int64_t end = clock_.Ticks();
  // Starts and ends may not match: operators may have started before the recording, or
  // end on another thread.
  while (!open_.empty() && open_.back().op != &op && Holds(op)) {
    ++thread_.unmatched;
    open_.pop_back();
  }
  if (open_.empty() || open_.back().op != &op) return;
  const Open open = open_.back();
  open_.pop_back();
  const int64_t duration = end - open.start;
  if (!open_.empty()) {
    open_.back().within += duration;
    open_.back().bytes_within += open.bytes_self + open.bytes_within;
  }
  thread_.events.Append(
      {.start_ns = open.start,
       .duration_ns = duration,
       .self_ns = duration - open.within,
       .bytes_self = open.bytes_self,
       .bytes_total = open.bytes_self + open.bytes_within,
       .flops = open.flops,
       .name = open.name,
       .scope = open.scope,
       .shapes = open.shapes,
       .stack = open.stack,
       .depth = static_cast<uint16_t>(std::min<size_t>(open_.size(), UINT16_MAX)),
       .kind = open.kind,
       .is_within_same_name = IsOpen(open.name)});
}

void ThreadRecorder::AddMemory(const void* address, int64_t bytes) {
  if (!open_.empty()) open_.back().bytes_self += bytes;
  allocated_bytes_ += bytes;
  if (thread_.memory.size() >= kMaxMemoryEvents) {
    ++thread_.memory_lost;
    return;
  }
  thread_.memory.push_back(
      {clock_.Ticks(), bytes, reinterpret_cast<int64_t>(address), allocated_bytes_});
}

void ThreadRecorder::AddInputs(const at::RecordFunction& op, Open& open) {
  open.shapes = shapes_.Find(op.inputs());
  const size_t depth = open_.size() - 1;
  if (depth > 0 && open_[depth - 1].is_counted) {
    open.is_counted = true;
    return;
  }
  const auto parts = MatrixFlops(op);
  if (!parts) return;
  open.is_counted = true;
  for (const cost::FlopPart& part : *parts) open.flops += part.flops.executed.value();
}

bool ThreadRecorder::Holds(const at::RecordFunction& op) const {
  for (const Open& open : open_) {
    if (open.op == &op) return true;
  }
  return false;
}

bool ThreadRecorder::IsOpen(uint32_t name) const {
  for (const Open& open : open_) {
    if (open.name == name) return true;
  }
  return false;
}

void ThreadRecorder::Finish(profiles::Recording& recording) {
  thread_.unmatched += static_cast<int64_t>(open_.size());
  const Offsets offsets = AppendNames(recording);
  thread_.events.ForEach([&](Event& event) { Translate(offsets, event); });
  TranslateLost(offsets);
  for (profiles::MemoryEvent& event : thread_.memory) {
    event.time_ns = clock_.SinceBeginNs(event.time_ns);
  }
  recording.threads.push_back(std::move(thread_));
}

ThreadRecorder::Offsets ThreadRecorder::AppendNames(
    profiles::Recording& recording) const {
  const auto size = [](const auto& list) { return static_cast<uint32_t>(list.size()); };
  const Offsets offsets = {size(recording.names), size(recording.shapes) - 1,
                           size(recording.stacks) - 1};
  for (std::string& name : names_.names()) recording.names.push_back(std::move(name));
  std::vector<profiles::InputShapes> shapes = shapes_.shapes();
  std::move(shapes.begin() + 1, shapes.end(), std::back_inserter(recording.shapes));
  std::vector<std::string> stacks = stacks_.Names();
  std::move(stacks.begin() + 1, stacks.end(), std::back_inserter(recording.stacks));
  return offsets;
}

void ThreadRecorder::Translate(const Offsets& offsets, Event& event) const {
  event.start_ns = clock_.SinceBeginNs(event.start_ns);
  event.duration_ns = clock_.DurationNs(event.duration_ns);
  event.self_ns = clock_.DurationNs(event.self_ns);
  event.name += offsets.names;
  event.shapes = Moved(event.shapes, offsets.shapes);
  event.stack = Moved(event.stack, offsets.stacks);
}

void ThreadRecorder::TranslateLost(const Offsets& offsets) {
  profiles::OperatorTotals lost;
  thread_.lost.ForEach(
      [&](profiles::OperatorTotals::Key key, profiles::OperatorTotal total) {
        total.self_ns = clock_.DurationNs(total.self_ns);
        total.total_ns = clock_.DurationNs(total.total_ns);
        total.longest_ns = clock_.DurationNs(total.longest_ns);
        lost.Add({key.name + offsets.names, Moved(key.shapes, offsets.shapes)}, total);
      });
  thread_.lost = std::move(lost);
}

}  // namespace ridgeline::inference
