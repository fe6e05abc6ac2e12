// What this machine's CPU does at most, by trying: fused multiply-adds of floats, and
// bytes to and from memory, with all the threads we may use.
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
  int64_t buffer_bytes = 0;  // All arrays together.
  int64_t cache_bytes = 0;   // The last caches of all threads together.
  std::chrono::nanoseconds time_total{
      500'000'000};  // About; three rounds are made anyway.
};

// Of what is tried several times.
struct Rate {
  double best_per_s = 0;
  double worst_per_s = 0;
  int rounds = 0;

  // How far the rounds lie apart, 0..1: a high one means that somebody else was at work.
  double Spread() const { return 1 - worst_per_s / best_per_s; }
};

struct MeasuredPeaks {
  std::string instructions;  // "avx512f", "avx2", "portable"
  int threads = 0;
  int64_t buffer_bytes = 0;
  bool exceeds_cache = false;  // If not, the rates of memory are partly those of caches.
  Rate fma_flops;              // A multiply-add is two.
  Rate read_bytes;
  Rate copy_bytes;   // Read and written, without what the cache reads before a write.
  Rate triad_bytes;  // a = b + x * c, counted in the same way.
};

// The last level of every cache, each counted once. 0: unknown.
int64_t LastCacheBytes(const SystemFiles& files);

// Every thread that we may use, and buffers several times the caches, but at most a
// quarter of the memory that is free.
MeasureOptions PlanMeasurement(const Machine& machine, const SystemFiles& files);

// Takes `time_total` and keeps the machine busy meanwhile.
// Errors: kConfig, no threads or no buffer; kIo, no memory or no threads to be had.
Result<MeasuredPeaks> MeasurePeaks(const MeasureOptions& options);

}  // namespace ridgeline::hardware
