// The parts of the table of ceilings, one file each; see gpu_specs.h for their meaning.
#pragma once

#include <cstdint>
#include <span>

#include "hardware/gpu_specs.h"

namespace ridgeline::hardware {

std::span<const GpuSpec> VoltaCeilings();
std::span<const GpuSpec> TuringCeilings();
std::span<const GpuSpec> AmpereCeilings();
std::span<const GpuSpec> AmpereRtxCeilings();
std::span<const GpuSpec> AdaCeilings();
std::span<const GpuSpec> HopperCeilings();
std::span<const GpuSpec> BlackwellCeilings();

// Conversions from vendor units. A vendor's GB of memory is 2^30 bytes, its GB/s is 10^9.
consteval int64_t GiB(int64_t value) { return value << 30; }
consteval int64_t MHz(int64_t value) { return value * 1'000'000; }
consteval double GBps(double value) { return value * 1e9; }

}  // namespace ridgeline::hardware
