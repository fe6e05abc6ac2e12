// Roofline time of a cost on a device, and slowdown of a measurement relative to it.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "cost/cost.h"

namespace ridgeline::cost {

// What a device does at most; both are above 0. A ceiling that is not known is empty, and
// so is everything that would need it.
struct PeakRates {
  std::optional<double> flops_per_s;  // Dense, of the arithmetic that runs.
  std::optional<double> bytes_per_s;
};

enum class BoundClass { kUnknown, kCompute, kMemory };

std::string_view NameOf(BoundClass bound);  // "compute", "memory", "unknown"

// No program can do with less: only useful FLOPs of matrix products are in the time of
// arithmetic, and only compulsory bytes in the time of memory.
struct RooflineTime {
  std::optional<double> compute_s;
  std::optional<double> memory_s;
  std::optional<double> lower_s;  // The larger one; needs both.
  BoundClass bound = BoundClass::kUnknown;
  // Ideal FLOPs of matrix products per compulsory byte. Nothing where no byte is moved.
  std::optional<double> intensity_flops_per_byte;
};

// Also empty where a count does not fit 64 bits.
RooflineTime RooflineTimeOf(const Cost& cost, const PeakRates& ceilings);

// The bounds of parts that are done one after the other, at least one: times are added,
// and the class is that of the longest part. It has no intensity.
RooflineTime InSequence(std::span<const RooflineTime> parts);

// The intensity at which both ceilings meet: below it memory binds, above it arithmetic.
std::optional<double> RidgePoint(const PeakRates& ceilings);

// How well a device was used. Shares of 1.
struct Utilization {
  std::optional<double> mfu;                // Of executed FLOPs of matrix products.
  std::optional<double> mfu_useful;         // Of useful ones.
  std::optional<double> mbu;                // Of compulsory bytes.
  std::optional<double> roofline_slowdown;  // Measured time / lower bound; 1 is the best.
};

// Nothing is known of a time that is not above 0.
Utilization UtilizationOf(const Cost& cost, const PeakRates& ceilings, double measured_s);

}  // namespace ridgeline::cost
