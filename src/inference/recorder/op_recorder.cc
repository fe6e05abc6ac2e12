#include "inference/recorder/op_recorder.h"

#include <ATen/record_function.h>
#include <c10/core/Allocator.h>
#include <c10/util/Exception.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "inference/recorder/thread_recorder.h"
#include "inference/scope.h"
#include "inference/torch_versions.h"
#include "os/ticks.h"

namespace ridgeline::inference {
namespace {

// Receives memory events of libtorch's allocators, on the thread that installed it.
class MemoryReporter final : public c10::MemoryReportingInfoBase {
 public:
  explicit MemoryReporter(ThreadRecorder& recorder) : recorder_(recorder) {}

  void reportMemoryUsage(void* address, int64_t bytes, AllocatedTotal, AllocatedTotal,
                         c10::Device) override {
    recorder_.AddMemory(address, bytes);
  }
  bool memoryProfilingEnabled() const override { return true; }

 private:
  ThreadRecorder& recorder_;
};

// Recorder state of a thread; a thread belongs to one recorder.
struct ThreadPart {
  uint64_t generation = 0;
  ThreadRecorder* recorder = nullptr;
};
thread_local ThreadPart part_here;

}  // namespace

class OpRecorder::Impl {
 public:
  explicit Impl(const RecorderOptions& options) : options_(options) {
    TORCH_INTERNAL_ASSERT(active == nullptr);
    part_here = {++generation, &PartOfNewThread(&scopes_)};
    active = this;
    callback_ = at::addGlobalCallback(
        at::RecordFunctionCallback(Begin, End).needsInputs(options.shapes));
    if (options.memory) {
      memory_.emplace(c10::DebugInfoKind::PROFILER_STATE,
                      std::make_shared<MemoryReporter>(*part_here.recorder));
    }
  }

  ~Impl() { Stop(); }

  profiles::Recording Finish() {
    Stop();
    clock_.Calibrate();
    profiles::Recording recording;
    recording.begin_unix_ns = begin_unix_ns_;
    recording.duration_ns = clock_.SinceBeginNs(end_ticks_);
    recording.has_shapes = options_.shapes;
    recording.has_memory = options_.memory;
    recording.has_stacks = options_.stacks;
    recording.scopes = scopes_.paths();
    recording.shapes = {{"[]", "[]"}};
    recording.stacks = {""};
    for (const std::unique_ptr<ThreadRecorder>& part : parts_) part->Finish(recording);
    return recording;
  }

 private:
  static std::unique_ptr<at::ObserverContext> Begin(const at::RecordFunction& op) {
    if (ThreadRecorder* const here = Here()) here->Begin(op);
    return nullptr;
  }

  static void End(const at::RecordFunction& op, at::ObserverContext*) {
    if (ThreadRecorder* const here = Here()) here->End(op);
  }

  // The calling thread's part of the active recorder; null if there is none.
  static ThreadRecorder* Here() {
    Impl* const recorder = active.load(std::memory_order_acquire);
    if (recorder == nullptr) return nullptr;
    const uint64_t current = generation.load(std::memory_order_relaxed);
    if (part_here.generation != current) {
      part_here = {current, &recorder->PartOfNewThread(nullptr)};
    }
    return part_here.recorder;
  }

  ThreadRecorder& PartOfNewThread(const ScopeTrail* scopes) {
    const std::lock_guard lock(mutex_);
    parts_.push_back(std::make_unique<ThreadRecorder>(options_, clock_, scopes));
    return *parts_.back();
  }

  void Stop() {
    if (active.exchange(nullptr) == nullptr) return;
    end_ticks_ = clock_.Ticks();
    at::removeCallback(callback_);
    memory_.reset();
  }

  static inline std::atomic<Impl*> active = nullptr;
  static inline std::atomic<uint64_t> generation = 0;

  const RecorderOptions options_;
  const int64_t begin_unix_ns_ = os::UnixNs();
  os::TickClock clock_;
  ScopeTrail scopes_;  // Of the recording thread; others have none.
  std::mutex mutex_;
  std::vector<std::unique_ptr<ThreadRecorder>> parts_;
  at::CallbackHandle callback_ = 0;
  std::optional<c10::DebugInfoGuard> memory_;
  int64_t end_ticks_ = 0;
};

OpRecorder::OpRecorder(const RecorderOptions& options)
    : impl_(std::make_unique<Impl>(options)) {}

OpRecorder::~OpRecorder() = default;

profiles::Recording OpRecorder::Finish() { return impl_->Finish(); }

double RecordingCostNs(const RecorderOptions& options) {
  constexpr int kOps = 20'000;
  constexpr int kRounds = 5;
  // Like any operator, but without work.
  const auto run = [] {
    const int64_t begin = os::MonotonicNs();
    for (int i = 0; i < kOps; ++i) {
      RECORD_FUNCTION("nothing", {});
    }
    return static_cast<double>(os::MonotonicNs() - begin) / kOps;
  };
  double least = run();
  double recorded = 0;
  for (int round = 0; round < kRounds; ++round) {
    least = std::min(least, run());
    OpRecorder recorder(options);
    const double here = run();
    recorded = round == 0 ? here : std::min(recorded, here);
  }
  return std::max(0.0, recorded - least);
}

}  // namespace ridgeline::inference
