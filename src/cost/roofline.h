// Roofline time of a cost on a device, and slowdown of a measurement relative to it.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "cost/cost.h"

namespace ridgeline::cost {

// Peak rates of a device; both above 0. An unknown ceiling is empty, as is everything
// that depends on it.
struct PeakRates {
  std::optional<double> flops_per_s;  // Dense, for the arithmetic in use.
  std::optional<double> bytes_per_s;
};

enum class BoundClass { kUnknown, kCompute, kMemory };

std::string_view NameOf(BoundClass bound);  // "compute", "memory", "unknown"

// A true lower bound: compute time only counts useful matrix multiplication FLOPs, memory
// time only compulsory bytes.
struct RooflineTime {
  std::optional<double> compute_s;
  std::optional<double> memory_s;
  std::optional<double> lower_s;  // The larger one; requires both.
  BoundClass bound = BoundClass::kUnknown;
  // Useful matrix multiplication FLOPs per compulsory byte. Empty if no bytes are moved.
  std::optional<double> intensity_flops_per_byte;
};

// Also empty if a count overflows 64 bits.
RooflineTime RooflineTimeOf(const Cost& cost, const PeakRates& ceilings);

// The bound of at least one part executed in sequence: times are added, and the class is
// that of the larger sum. `lower_s` is the sum of the parts' roofline times, which is at
// least the larger sum. It has no intensity.
RooflineTime InSequence(std::span<const RooflineTime> parts);

// The intensity at which both ceilings meet: below it memory-bound, above it
// compute-bound.
std::optional<double> RidgePoint(const PeakRates& ceilings);

// Fraction of the device's peak rates that was achieved, 0 to 1.
struct Utilization {
  std::optional<double> mfu;                // From executed matrix multiplication FLOPs.
  std::optional<double> mfu_useful;         // From useful ones.
  std::optional<double> mbu;                // From compulsory bytes.
  std::optional<double> roofline_slowdown;  // Measured time / lower bound; 1 is optimal.
};

// Empty if the time is not above 0.
Utilization UtilizationOf(const Cost& cost, const PeakRates& ceilings, double measured_s);

}  // namespace ridgeline::cost
