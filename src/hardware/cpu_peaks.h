// Measured peaks of this machine's CPU: float fused multiply-adds, and memory bandwidth,
// with all available threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "hardware/machine.h"
#include "hardware/system_files.h"

namespace ridgeline::hardware {

struct MeasureOptions {
  int threads = 1;
  int64_t buffer_bytes = 0;  // All arrays combined.
  int64_t cache_bytes = 0;   // Last-level caches of all threads combined.
  std::chrono::nanoseconds time_total{
      500'000'000};  // Approximate; at least three rounds are run.
};

// Over several rounds.
struct Rate {
  double best_per_s = 0;
  double worst_per_s = 0;
  int rounds = 0;

  // Relative difference between the rounds, 0..1: a high value means the machine was not
  // idle.
  double Spread() const { return 1 - worst_per_s / best_per_s; }
};

struct MeasuredPeaks {
  std::string instructions;  // "avx512f", "avx2", "portable"
  int threads = 0;
  int64_t buffer_bytes = 0;
  bool exceeds_cache = false;  // If not, memory rates partly reflect caches.
  Rate fma_flops;              // A multiply-add is two FLOPs.
  Rate read_bytes;
  Rate copy_bytes;   // Reads and writes, without write-allocate traffic.
  Rate triad_bytes;  // a = b + x * c, counted the same way.
};

// Total size of the last-level caches, each counted once. 0: unknown.
int64_t LastCacheBytes(const SystemFiles& files);

// All available threads, and buffers several times the size of the caches, but at most a
// quarter of the free memory.
MeasureOptions PlanMeasurement(const Machine& machine, const SystemFiles& files);

// Takes `time_total` and keeps the machine busy meanwhile. Errors: kConfig, no threads or
// no buffer; kIo, out of memory or threads.
Result<MeasuredPeaks> MeasurePeaks(const MeasureOptions& options);

}  // namespace ridgeline::hardware
