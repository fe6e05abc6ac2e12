// Any bytes either are refused or are rows that belong together, and they are the same
// rows however the bytes are cut. What is found in them keeps its promises.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "analysis/trace_findings.h"
#include "base/utf8.h"
#include "profiles/shared/gzip.h"
#include "profiles/torch_trace/torch_trace.h"
#include "results/result_store.h"
#include "tests/fuzz/fuzz.h"

namespace torch_trace_fuzz {

using ridgeline::ByteSource;
using ridgeline::MemorySource;
using ridgeline::Result;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;
using ridgeline::profiles::ReadTorchTrace;
using ridgeline::results::TraceRows;

// A few bytes at a time.
class Trickle final : public ByteSource {
 public:
  explicit Trickle(std::string_view bytes) : source_(bytes) {}
  Result<size_t> Read(std::span<char> into) override {
    step_ = step_ % 7 + 1;
    return source_.Read(into.first(std::min(step_, into.size())));
  }

 private:
  MemorySource source_;
  size_t step_ = 0;
};

void CheckRows(const TraceRows& rows) {
  for (const auto& call : rows.operators) {
    Require(call.name < rows.names.size() && call.thread < rows.thread_count);
    Require(call.duration_ns >= 0);
  }
  for (const auto& activity : rows.gpu_activities) {
    Require(activity.name < rows.names.size() && activity.track < rows.tracks.size());
    Require(activity.duration_ns >= 0);
    Require(ridgeline::IsValidUtf8(rows.names.text(activity.name)));
  }
  Require(rows.runtime_call_threads.size() == rows.runtime_calls.size());
  Require(rows.operator_inputs.empty() ||
          rows.operator_inputs.size() == rows.operators.size());
  for (const uint32_t inputs : rows.operator_inputs) Require(inputs < rows.inputs.size());
  for (const auto& track : rows.tracks) Require(track.device < rows.devices.size());
  int64_t events = rows.left_out.Get(ridgeline::results::DropReason::kElementNotAnObject);
  for (const auto& [phase, count] : rows.counts.by_phase) events += count;
  Require(events == rows.counts.events);
}

// Exclusive times of regions and unattributed time are all GPU time.
void CheckRegions(const TraceRows& rows,
                  const ridgeline::analysis::TraceFindings& findings) {
  if (findings.regions.empty()) return;
  double all_ns = 0;
  for (const auto& activity : rows.gpu_activities) {
    all_ns += static_cast<double>(activity.duration_ns);
  }
  if (all_ns > 1e18) return;  // Sums saturate.
  int64_t sum_ns = 0;
  for (const auto& region : findings.regions) {
    Require(region.gpu_exclusive_ns <= region.gpu_inclusive_ns);
    sum_ns += region.gpu_exclusive_ns + region.memory_exclusive_ns;
  }
  for (const auto& activity : rows.gpu_activities) sum_ns -= activity.duration_ns;
  Require(sum_ns == 0);
}

void CheckFindings(const TraceRows& rows) {
  const auto findings = ridgeline::analysis::FindingsOf(rows);
  for (const auto& time : findings.devices) {
    Require(time.busy_ns + time.idle_ns == time.span_ns);
    Require(time.busy_ns >= time.busy_kernels_ns && time.idle_ns >= 0);
    Require(time.communication_exposed_ns <= time.communication_ns);
  }
  CheckRegions(rows, findings);
  using ridgeline::profiles::GroupBy;
  for (const GroupBy group_by : {GroupBy::kName, GroupBy::kNameAndShapes}) {
    for (const auto& row :
         ridgeline::analysis::OperatorProfileOf(rows, group_by).operators) {
      Require(row.total.calls > 0);
    }
  }
  ridgeline::results::ResultStore store;
  AddToStore(rows, findings, {.file = "fuzz"}, ridgeline::analysis::WithEvents::kYes,
             store);
  Require(ToSqlite(store, "fuzz").ok());
}

void CheckText(std::string_view text) {
  MemorySource whole(text);
  Trickle cut(text);
  const Result<TraceRows> rows = ReadTorchTrace(whole);
  const Result<TraceRows> again = ReadTorchTrace(cut);
  Require(rows.ok() == again.ok());
  if (!rows.ok()) {
    Require(rows.error().message() == again.error().message());
    return;
  }
  Require(rows.value().counts.by_category == again.value().counts.by_category);
  Require(rows.value().gpu_activities.size() == again.value().gpu_activities.size());
  Require(rows.value().names.size() == again.value().names.size());
  Require(rows.value().text_bytes == static_cast<int64_t>(text.size()));
  CheckRows(rows.value());
  CheckFindings(rows.value());
}

void CheckCompressed(std::string_view bytes) {
  MemorySource memory(bytes);
  const auto source = ridgeline::profiles::GunzipSource::Create(memory);
  Require(source.ok());
  (void)ReadTorchTrace(*source.value());
}

int Run(const uint8_t* data, size_t size) {
  const std::string_view bytes = AsText(data, size);
  if (ridgeline::profiles::IsGzip(bytes)) {
    CheckCompressed(bytes);
  } else {
    CheckText(bytes);
  }
  return 0;
}

}  // namespace torch_trace_fuzz

RIDGELINE_FUZZ_TARGET(torch_trace_fuzz)
