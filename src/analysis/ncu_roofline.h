// Where kernels lie under the roofs of a GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/ncu_kernel.h"

namespace ridgeline::analysis {

enum class MemoryLevel : uint8_t { kDram, kL2, kL1 };
inline constexpr std::array kMemoryLevels = {MemoryLevel::kDram, MemoryLevel::kL2,
                                             MemoryLevel::kL1};
std::string_view NameOf(MemoryLevel level);  // "dram"

// What a GPU does at most.
struct NcuRoofs {
  ByPrecision<std::optional<double>> flops_per_s;
  std::array<std::optional<double>, kMemoryLevels.size()> bytes_per_s;  // By level.

  std::optional<double>& Of(MemoryLevel level) {
    return bytes_per_s[static_cast<size_t>(level)];
  }
  const std::optional<double>& Of(MemoryLevel level) const {
    return bytes_per_s[static_cast<size_t>(level)];
  }
};

// The highest that any of the launches tells: clocks differ from launch to launch.
NcuRoofs RoofsOf(const std::vector<NcuKernel>& kernels);

// Where a roof of arithmetic meets that of a level.
std::optional<double> RidgeOf(const NcuRoofs& roofs, NcuPrecision precision,
                              MemoryLevel level);

// A launch that does FLOPs of a precision and moves bytes of a level; both above 0.
struct NcuPoint {
  NcuPrecision precision = NcuPrecision::kFp32;
  MemoryLevel level = MemoryLevel::kDram;
  double flops_per_byte = 0;
  double flops_per_s = 0;
  // Of the roof of this precision; needs the roof.
  std::optional<double> share_of_peak;
  // Of what the roofs allow at this intensity; needs both.
  std::optional<double> share_of_roof;
};

// One for each precision and level that was measured.
std::vector<NcuPoint> PointsOf(const NcuKernel& kernel, const NcuRoofs& roofs);

}  // namespace ridgeline::analysis
