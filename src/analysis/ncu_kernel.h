// Quantities of one launch measured by Nsight Compute, for all versions and pages.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/ncu_rows.h"

namespace ridgeline::analysis {

// ncu counts tensor-core FLOPs separately, and its roofline section lacks them.
enum class NcuPrecision : uint8_t { kTensor, kFp16, kFp32, kFp64 };
inline constexpr std::array kNcuPrecisions = {NcuPrecision::kTensor, NcuPrecision::kFp16,
                                              NcuPrecision::kFp32, NcuPrecision::kFp64};
std::string_view NameOf(NcuPrecision precision);  // "tensor", "fp32"

template <typename T>
struct ByPrecision {
  std::array<T, kNcuPrecisions.size()> values = {};

  T& operator[](NcuPrecision p) { return values[static_cast<size_t>(p)]; }
  const T& operator[](NcuPrecision p) const { return values[static_cast<size_t>(p)]; }
};

enum class DramBytesSource : uint8_t {
  kNone,
  kCounters,            // dram__bytes_read.sum + dram__bytes_write.sum
  kThroughputTimesTime  // Memory throughput x duration.
};

// Percentages are relative to the sustained peak of the GPU.
struct NcuKernel {
  std::optional<double> duration_ns;
  std::optional<double> sm_percent;      // Highest of the SM's units.
  std::optional<double> memory_percent;  // Highest of L1, L2 and DRAM.
  std::optional<double> dram_percent;
  std::optional<double> l1_percent;
  std::optional<double> l2_percent;
  std::optional<double> tensor_percent;  // Tensor core utilization.
  std::optional<double> occupancy_percent;
  std::optional<double> occupancy_theoretical_percent;
  std::optional<double> l1_hit_percent;  // May exceed 100: several passes.
  std::optional<double> l2_hit_percent;
  std::optional<double> registers_per_thread;
  std::optional<double> waves_per_sm;

  std::optional<double> dram_bytes_per_s;
  std::optional<double> dram_read_bytes;
  std::optional<double> dram_write_bytes;
  std::optional<double> dram_bytes;
  DramBytesSource dram_bytes_source = DramBytesSource::kNone;
  std::optional<double> l2_bytes;  // Sectors of 32 bytes.
  std::optional<double> l1_bytes;

  // Counted.
  ByPrecision<std::optional<double>> flops;
  // From FLOPs per cycle and the clock, as in the roofline section.
  ByPrecision<std::optional<double>> roofline_flops_per_s;

  // Ceilings from the file, at the clocks during the measurement.
  ByPrecision<std::optional<double>> peak_flops_per_s;
  std::optional<double> dram_peak_bytes_per_s;
  std::optional<double> l2_peak_bytes_per_s;
  std::optional<double> l1_peak_bytes_per_s;

  std::string device_name;  // "NVIDIA A10G"; empty: not on this page.
  std::optional<double> sm_count;
  std::optional<double> pci_device_id;  // As in NVML: 0x20F110DE.
};

NcuKernel NcuKernelOf(const results::NcuRows& rows, const results::NcuLaunch& launch);

// FLOPs of a launch: counted, otherwise from the roofline section.
std::optional<double> FlopsOf(const NcuKernel& kernel, NcuPrecision precision);
// Over all known precisions; nullopt if there are none, or if tensor cores were active
// and their FLOPs were not counted.
std::optional<double> FlopsTotalOf(const NcuKernel& kernel);

}  // namespace ridgeline::analysis
