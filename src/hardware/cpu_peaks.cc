#include "hardware/cpu_peaks.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <bit>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "hardware/cpu_peak_kernels.h"
#include "hardware/system_files.h"

namespace ridgeline::hardware {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kRoundsMin = 3;
constexpr size_t kRoundsMax = 1000;

// Caches retain part of a buffer between rounds, so it must be several times their size.
constexpr int64_t kCacheMultiple = 8;
constexpr int64_t kCacheMultipleMin = 4;
constexpr int64_t kBufferBytesMin = 64LL << 20;
constexpr int64_t kBufferBytesMax = 4LL << 30;

// Fraction of `time_total` per measurement; the rest is for touching the buffer.
constexpr int kParts = 6;

// The duration of each round of `work(thread)` on all threads, i.e. the slowest thread's
// time. The first round is a warm-up and not included.
Result<std::vector<double>> TimeRounds(int threads, std::chrono::nanoseconds time_total,
                                       const std::function<void(int)>& work) {
  std::barrier gate(threads);
  std::atomic<bool> over = false;
  const auto follow = [&](int thread) {
    for (;;) {
      gate.arrive_and_wait();
      if (over) return;
      work(thread);
      gate.arrive_and_wait();
    }
  };
  std::vector<std::jthread> team;
  try {
    for (int thread = 1; thread < threads; ++thread) team.emplace_back(follow, thread);
  } catch (const std::system_error& error) {
    over = true;
    (void)gate.arrive(threads - static_cast<std::ptrdiff_t>(team.size()));
    return Error(ErrorCode::kIo,
                 "cannot start " + std::to_string(threads) + " threads: " + error.what());
  }
  const auto lead = [&] {
    gate.arrive_and_wait();
    const Clock::time_point start = Clock::now();
    work(0);
    gate.arrive_and_wait();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  lead();
  std::vector<double> seconds;
  const Clock::time_point end = Clock::now() + time_total;
  while (seconds.size() < kRoundsMin ||
         (seconds.size() < kRoundsMax && Clock::now() < end)) {
    seconds.push_back(lead());
  }
  over = true;
  gate.arrive_and_wait();
  return seconds;
}

Rate RateOf(const std::vector<double>& seconds, double amount) {
  const auto [fastest, slowest] = std::minmax_element(seconds.begin(), seconds.end());
  constexpr double kTick = 1e-9;  // Avoids infinite rates.
  return {.best_per_s = amount / std::max(*fastest, kTick),
          .worst_per_s = amount / std::max(*slowest, kTick),
          .rounds = static_cast<int>(seconds.size())};
}

// Keeps the compiler from removing work whose results are unused.
class Sink {
 public:
  void Take(float value) { value_.fetch_xor(std::bit_cast<uint32_t>(value)); }
  void Take(uint32_t value) { value_.fetch_xor(value); }

 private:
  std::atomic<uint32_t> value_ = 0;
};

Result<Rate> MeasureFma(const FmaKernel& kernel, const MeasureOptions& options) {
  constexpr double kRoundSeconds = 0.005;
  constexpr float kStart = 0.5F;
  Sink sink;
  int64_t iterations = 1000;
  double seconds = 0;
  // Enough iterations to make thread start-up negligible.
  while (seconds < kRoundSeconds / 4 && iterations < (1LL << 40)) {
    iterations *= 2;
    const Clock::time_point start = Clock::now();
    sink.Take(kernel.run(iterations, kStart));
    seconds = std::chrono::duration<double>(Clock::now() - start).count();
  }
  iterations *= 4;
  RIDGELINE_TRY(const std::vector<double> rounds,
                TimeRounds(options.threads, options.time_total / kParts,
                           [&](int) { sink.Take(kernel.run(iterations, kStart)); }));
  return RateOf(rounds, static_cast<double>(kernel.flop_per_iteration) *
                            static_cast<double>(iterations) * options.threads);
}

// A buffer with one part per thread; each thread works on its own part, which it was the
// first to touch and which is therefore NUMA-local.
class Buffer {
 public:
  static Result<Buffer> Create(const MeasureOptions& options) {
    // Whole cache lines, even when split into two or three arrays.
    constexpr size_t kUnit = size_t{2} * 3 * 64 / sizeof(float);
    const auto threads = static_cast<size_t>(options.threads);
    const size_t wanted =
        static_cast<size_t>(options.buffer_bytes) / sizeof(float) / threads;
    const size_t part = std::max<size_t>(wanted / kUnit, 1) * kUnit;
    try {
      return Buffer(std::make_unique_for_overwrite<float[]>(part * threads), part);
    } catch (const std::bad_alloc&) {
      return Error(ErrorCode::kIo, "cannot allocate a buffer of " +
                                       std::to_string(options.buffer_bytes) + " bytes");
    }
  }

  std::span<float> Part(int thread) {
    return {floats_.get() + part_ * static_cast<size_t>(thread), part_};
  }
  // The `index`th of `count` arrays in a thread's part.
  std::span<float> Array(int thread, size_t index, size_t count) {
    return Part(thread).subspan(part_ / count * index, part_ / count);
  }
  size_t part_bytes() const { return part_ * sizeof(float); }

 private:
  Buffer(std::unique_ptr<float[]> floats, size_t part)
      : floats_(std::move(floats)), part_(part) {}

  std::unique_ptr<float[]> floats_;
  size_t part_;
};

Status MeasureMemory(const MeasureOptions& options, MeasuredPeaks& ceilings) {
  RIDGELINE_TRY(Buffer buffer, Buffer::Create(options));
  const double bytes = static_cast<double>(buffer.part_bytes()) * options.threads;
  const std::chrono::nanoseconds time_part = options.time_total / kParts;
  Sink sink;
  // Pages are only allocated when written; the untimed round does that.
  std::vector<char> touched(static_cast<size_t>(options.threads), 0);
  RIDGELINE_TRY(const auto reads, TimeRounds(options.threads, time_part, [&](int thread) {
                  char& done = touched[static_cast<size_t>(thread)];
                  if (std::exchange(done, 1) == 0) Fill(buffer.Part(thread));
                  sink.Take(ReadAll(buffer.Part(thread)));
                }));
  RIDGELINE_TRY(const auto copies,
                TimeRounds(options.threads, time_part, [&](int thread) {
                  Copy(buffer.Array(thread, 0, 2), buffer.Array(thread, 1, 2));
                }));
  RIDGELINE_TRY(const auto triads,
                TimeRounds(options.threads, time_part, [&](int thread) {
                  Triad(buffer.Array(thread, 0, 3), buffer.Array(thread, 1, 3),
                        buffer.Array(thread, 2, 3));
                }));
  ceilings.read_bytes = RateOf(reads, bytes);
  ceilings.copy_bytes = RateOf(copies, bytes);
  ceilings.triad_bytes = RateOf(triads, bytes);
  return Ok();
}

// "32768K", "1M"
std::optional<int64_t> ParseCacheSize(std::string_view text) {
  int64_t unit = 1;
  if (text.ends_with('K')) unit = 1LL << 10;
  if (text.ends_with('M')) unit = 1LL << 20;
  if (unit > 1) text.remove_suffix(1);
  const std::optional<int64_t> size = ParseInteger(text);
  if (!size || *size < 0 || *size > (1LL << 40)) return std::nullopt;
  return *size * unit;
}

}  // namespace

int64_t LastCacheBytes(const SystemFiles& files) {
  const std::string cpus = "/sys/devices/system/cpu";
  int64_t last_level = 0;
  int64_t total_bytes = 0;
  std::set<std::string> seen;  // "0-7", the threads sharing a last_level cache.
  for (const std::string& cpu : files.List(cpus)) {
    const std::string caches = cpus + "/" + cpu + "/cache";
    for (const std::string& index : files.List(caches)) {
      const std::string cache = caches + "/" + index;
      const auto level = ParseInteger(files.ReadLine(cache + "/level").value_or(""));
      const auto bytes = ParseCacheSize(files.ReadLine(cache + "/size").value_or(""));
      const auto shared = files.ReadLine(cache + "/shared_cpu_list");
      if (!level || !bytes || !shared || *level < last_level) continue;
      if (*level > last_level) {
        last_level = *level;
        total_bytes = 0;
        seen.clear();
      }
      if (seen.insert(*shared).second) total_bytes += *bytes;
    }
  }
  return total_bytes;
}

MeasureOptions PlanMeasurement(const Machine& machine, const SystemFiles& files) {
  MeasureOptions options;
  options.threads = std::max(
      machine.cpu.threads_available.value_or(machine.cpu.threads.value_or(1)), 1);
  options.cache_bytes = LastCacheBytes(files);
  const int64_t wanted_bytes =
      std::clamp(options.cache_bytes * kCacheMultiple, kBufferBytesMin, kBufferBytesMax);
  options.buffer_bytes = std::min(
      wanted_bytes, machine.memory.available_bytes.value_or(wanted_bytes * 4) / 4);
  return options;
}

Result<MeasuredPeaks> MeasurePeaks(const MeasureOptions& options) {
  if (options.threads < 1 || options.buffer_bytes < 1) {
    return Error(ErrorCode::kConfig, "measuring needs at least one thread and a buffer");
  }
  const FmaKernel& kernel = FmaKernels().front();
  MeasuredPeaks ceilings;
  ceilings.instructions = kernel.instructions;
  ceilings.threads = options.threads;
  ceilings.buffer_bytes = options.buffer_bytes;
  ceilings.exceeds_cache =
      options.cache_bytes > 0 &&
      options.buffer_bytes / kCacheMultipleMin >= options.cache_bytes;
  RIDGELINE_TRY(ceilings.fma_flops, MeasureFma(kernel, options));
  RIDGELINE_RETURN_IF_ERROR(MeasureMemory(options, ceilings));
  return ceilings;
}

}  // namespace ridgeline::hardware
