// The parts of the table of ceilings, one file each; see ceilings.h for what they mean.
#pragma once

#include <cstdint>
#include <span>

#include "hardware/gpu_specs.h"

namespace ridgeline::hardware {

std::span<const Ceiling> VoltaCeilings();
std::span<const Ceiling> TuringCeilings();
std::span<const Ceiling> AmpereCeilings();
std::span<const Ceiling> AmpereRtxCeilings();
std::span<const Ceiling> AdaCeilings();
std::span<const Ceiling> HopperCeilings();
std::span<const Ceiling> BlackwellCeilings();

// The units in which vendors write, in ours. A vendor's GB of memory is 2^30 bytes, its
// GB/s are 10^9.
consteval int64_t GiB(int64_t value) { return value << 30; }
consteval int64_t MHz(int64_t value) { return value * 1'000'000; }
consteval double GBps(double value) { return value * 1e9; }

}  // namespace ridgeline::hardware
