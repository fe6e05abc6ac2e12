#include "cost/roofline.h"

#include <algorithm>
#include <cassert>

namespace ridgeline::cost {
namespace {

using Number = std::optional<double>;

Number AsNumber(Count count) {
  return count.is_exact() ? Number(count.as_double()) : std::nullopt;
}

Number Quotient(const Number& a, const Number& b) {
  if (!a || !b || !(*b > 0)) return std::nullopt;
  return *a / *b;
}

Number Sum(const Number& a, const Number& b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

BoundClass LargerOf(const RooflineTime& bounds) {
  if (!bounds.compute_s || !bounds.memory_s) return BoundClass::kUnknown;
  return *bounds.compute_s > *bounds.memory_s ? BoundClass::kCompute
                                              : BoundClass::kMemory;
}

}  // namespace

std::string_view NameOf(BoundClass bound) {
  switch (bound) {
    case BoundClass::kUnknown:
      return "unknown";
    case BoundClass::kCompute:
      return "compute";
    case BoundClass::kMemory:
      return "memory";
  }
  return "";
}

RooflineTime RooflineTimeOf(const Cost& cost, const PeakRates& ceilings) {
  const Number flops = AsNumber(cost.flops_matrix().useful);
  const Number bytes = AsNumber(cost.bytes.compulsory());
  RooflineTime bounds;
  bounds.compute_s = Quotient(flops, ceilings.flops_per_s);
  bounds.memory_s = Quotient(bytes, ceilings.bytes_per_s);
  bounds.intensity_flops_per_byte = Quotient(flops, bytes);
  if (bounds.compute_s && bounds.memory_s) {
    bounds.lower_s = std::max(*bounds.compute_s, *bounds.memory_s);
  }
  bounds.bound = LargerOf(bounds);
  return bounds;
}

RooflineTime InSequence(std::span<const RooflineTime> parts) {
  assert(!parts.empty());
  RooflineTime bounds = {
      .compute_s = 0, .memory_s = 0, .lower_s = 0, .intensity_flops_per_byte = {}};
  for (const RooflineTime& part : parts) {
    bounds.compute_s = Sum(bounds.compute_s, part.compute_s);
    bounds.memory_s = Sum(bounds.memory_s, part.memory_s);
    bounds.lower_s = Sum(bounds.lower_s, part.lower_s);
  }
  bounds.bound = LargerOf(bounds);
  return bounds;
}

Number RidgePoint(const PeakRates& ceilings) {
  return Quotient(ceilings.flops_per_s, ceilings.bytes_per_s);
}

Utilization UtilizationOf(const Cost& cost, const PeakRates& ceilings,
                          double measured_s) {
  if (!(measured_s > 0)) return {};
  const auto share = [&](Count count, const Number& per_s) {
    return Quotient(Quotient(AsNumber(count), measured_s), per_s);
  };
  return {
      .mfu = share(cost.flops_matrix().executed, ceilings.flops_per_s),
      .mfu_useful = share(cost.flops_matrix().useful, ceilings.flops_per_s),
      .mbu = share(cost.bytes.compulsory(), ceilings.bytes_per_s),
      .roofline_slowdown = Quotient(measured_s, RooflineTimeOf(cost, ceilings).lower_s)};
}

}  // namespace ridgeline::cost
