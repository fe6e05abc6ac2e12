#include <fmt/format.h>
#include <torch/cuda.h>

#include <functional>

#include "base/plural.h"
#include "inference/recorder/kineto_trace.h"
#include "inference/region.h"
#include "inference/tasks.h"
#include "os/env.h"
#include "os/ticks.h"
#include "profiles/operators/chrome_trace.h"
#include "profiles/shared/gzip.h"

namespace ridgeline::inference {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRecorder = "ridgeline: RecordFunction callbacks";

// PyTorch's name for one step under its profiler; tools that read its traces look for it.
constexpr const char* kStep = "ProfilerStep#0";

struct TimedRead {
  predictions::Prediction prediction;
  double wall_s = 0;
};

Result<TimedRead> Read(const inference::Session& session, const fs::path& page,
                       int64_t max_new_tokens) {
  const int64_t begin_ns = os::MonotonicNs();
  const inference::Annotation step(kStep);
  RIDGELINE_TRY(predictions::Prediction prediction,
                session.ReadFile(page, max_new_tokens));
  return TimedRead{std::move(prediction),
                   static_cast<double>(os::MonotonicNs() - begin_ns) * 1e-9};
}

struct RecordedRead {
  TimedRead read;
  profiles::Recording recording;
};

Result<RecordedRead> ReadRecorded(const inference::Session& session, const fs::path& page,
                                  const ProfileOptions& options) {
  inference::OpRecorder recorder(options.recorder);
  RIDGELINE_TRY(TimedRead read, Read(session, page, options.max_new_tokens));
  return RecordedRead{std::move(read), recorder.Finish()};
}

void CountEvents(const profiles::Recording& recording,
                 profiles::OperatorProfile& profile) {
  profile.threads = static_cast<int64_t>(recording.threads.size());
  for (const profiles::RecordedThread& thread : recording.threads) {
    const auto lost = static_cast<int64_t>(thread.events.lost());
    profile.events += static_cast<int64_t>(thread.events.size()) + lost;
    profile.events_dropped += lost;
    profile.memory_events +=
        static_cast<int64_t>(thread.memory.size()) + thread.memory_lost;
    profile.memory_events_dropped += thread.memory_lost;
    profile.unmatched += thread.unmatched;
    profile.buffer_bytes += static_cast<int64_t>(thread.events.memory_bytes());
  }
}

profiles::OperatorProfile SumUp(const profiles::Recording& recording,
                                const ProfileOptions& options) {
  using profiles::GroupBy;
  profiles::OperatorProfile profile;
  profile.recorder = kRecorder;
  profile.max_new_tokens = options.max_new_tokens;
  profile.activities = {"cpu"};
  profile.has_shapes = recording.has_shapes;
  profile.has_memory = recording.has_memory;
  profile.has_stacks = recording.has_stacks;
  profile.is_grouped_by_shapes = options.group_by_input_shape;
  CountEvents(recording, profile);
  profile.operators = profiles::OperatorTable(
      recording, options.group_by_input_shape ? GroupBy::kNameAndShapes : GroupBy::kName);
  profile.modules = profiles::ModuleTable(recording);
  return profile;
}

// Replaces the trace with one that has kernels, if requested and supported.
Status TraceKernels(const std::function<Status()>& read, const ProfileOptions& options,
                    const fs::path& scratch, ProfiledPage& profiled) {
  if (!options.cuda) return Ok();
  profiles::OperatorProfile& profile = profiled.profile;
  if (!torch::cuda::is_available()) {
    profile.notes.push_back(
        "activities contains cuda, but there is no CUDA device: only CPU operators were "
        "profiled");
    return Ok();
  }
  const Result<std::string> trace =
      inference::KinetoTrace(options.recorder, scratch, read);
  if (!trace.ok()) {
    profile.notes.push_back("no kernels in the trace (see the nsys stage): " +
                            trace.error().message());
    return Ok();
  }
  profiles::Gzip gzip;
  gzip.Add(trace.value());
  RIDGELINE_TRY(profiled.trace, gzip.Finish());
  profile.activities.push_back("cuda");
  profile.notes.push_back(
      "the trace is from a separate pass under the PyTorch profiler; the tables contain "
      "CPU operators. `ridgeline import trace.json.gz` summarizes its kernels");
  return Ok();
}

std::vector<std::string> Notes(const profiles::OperatorProfile& profile) {
  std::vector<std::string> notes;
  if (profile.events_dropped > 0) {
    notes.push_back(fmt::format(
        "trace buffer full: the first {} of {} events are not in the trace, only in the "
        "tables. Reduce run.representative_max_new_tokens to keep all",
        profile.events_dropped, profile.events));
  }
  if (profile.memory_events_dropped > 0) {
    notes.push_back(fmt::format("{} of {} allocations are not in the trace",
                                profile.memory_events_dropped, profile.memory_events));
  }
  if (profile.unmatched > 0) {
    notes.push_back(fmt::format("dropped {} without an end event",
                                Plural(profile.unmatched, "operator")));
  }
  return notes;
}

}  // namespace

Result<ProfiledPage> ProfilePage(const inference::Session& session, const fs::path& page,
                                 const ProfileOptions& options, const fs::path& scratch) {
  RIDGELINE_TRY(const TimedRead before, Read(session, page, options.max_new_tokens));
  RIDGELINE_TRY(RecordedRead recorded, ReadRecorded(session, page, options));
  RIDGELINE_TRY(const TimedRead after, Read(session, page, options.max_new_tokens));

  ProfiledPage profiled;
  profiles::OperatorProfile& profile = profiled.profile;
  profile = SumUp(recorded.recording, options);
  profile.image = page.string();
  profile.generated_tokens = static_cast<int64_t>(recorded.read.prediction.ids.size());
  profile.wall_s = recorded.read.wall_s;
  profile.unprofiled_before_s = before.wall_s;
  profile.unprofiled_after_s = after.wall_s;
  profile.overhead_per_event_ns = inference::RecordingCostNs(options.recorder);
  profile.notes = Notes(profile);
  RIDGELINE_TRY(profiled.trace, profiles::ChromeTrace(recorded.recording,
                                                      {.process_id = os::ProcessId(),
                                                       .process_name = "ridgeline-model",
                                                       .recorder = kRecorder}));
  const auto read_again = [&]() -> Status {
    RIDGELINE_TRY(const TimedRead ignored, Read(session, page, options.max_new_tokens));
    return Ok();
  };
  RIDGELINE_RETURN_IF_ERROR(TraceKernels(read_again, options, scratch, profiled));
  profiled.prediction = std::move(recorded.read.prediction);
  return profiled;
}

}  // namespace ridgeline::inference
