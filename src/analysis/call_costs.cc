#include "analysis/call_costs.h"

#include <algorithm>
#include <variant>

#include "hardware/match_gpu.h"
#include "profiles/torch_trace/operator_inputs.h"

namespace ridgeline::analysis {
namespace {

using cost::CostClass;
using cost::NumberType;
using hardware::Arithmetic;
using hardware::GpuSpec;
using results::TraceGpu;

const GpuSpec* GpuOf(const results::TraceHeader& header) {
  if (header.gpus.empty()) return nullptr;
  const TraceGpu& gpu = header.gpus.front();
  const bool are_equal = std::all_of(header.gpus.begin(), header.gpus.end(),
                                     [&](const TraceGpu& g) { return g == gpu; });
  if (!are_equal) return nullptr;
  hardware::DeviceFacts facts;
  facts.name = gpu.name;
  facts.memory_bytes = gpu.memory_bytes;
  if (gpu.sm_count && *gpu.sm_count <= INT32_MAX) {
    facts.sm_count = static_cast<int>(*gpu.sm_count);
  }
  if (gpu.capability_major.value_or(100) < 100 &&
      gpu.capability_minor.value_or(100) < 100) {
    facts.capability = {static_cast<int>(*gpu.capability_major),
                        static_cast<int>(*gpu.capability_minor)};
  }
  const hardware::DeviceMatch match = hardware::MatchDevice(facts);
  const auto* const known = std::get_if<hardware::KnownDevice>(&match);
  return known != nullptr ? known->ceiling : nullptr;
}

// PyTorch's defaults allow TF32 in FP32 convolutions but not in other FP32 GEMMs.
std::optional<Arithmetic> ArithmeticOf(NumberType type, CostClass cost_class) {
  switch (type) {
    case NumberType::kFp64:
      return Arithmetic::kFp64Tensor;
    case NumberType::kFp32:
      return cost_class == CostClass::kConvolution ? Arithmetic::kTf32
                                                   : Arithmetic::kFp32;
    case NumberType::kBf16:
      return Arithmetic::kBf16;
    case NumberType::kFp16:
      return Arithmetic::kFp16;
    case NumberType::kFp8:
      return Arithmetic::kFp8;
    case NumberType::kFp4:
      return Arithmetic::kFp4;
    case NumberType::kInt8:
      return Arithmetic::kInt8;
    case NumberType::kUnknown:
    case NumberType::kOther:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

CallCosts::CallCosts(const results::TraceRows& rows)
    : rows_(rows), gpu_(GpuOf(rows.header)), kinds_(rows.names.size()) {}

CallCosts::Kind CallCosts::KindOf(StringId name) {
  Kind& kind = kinds_[name];
  if (kind != Kind::kUndecided) return kind;
  const std::string_view text = rows_.names.text(name);
  kind = cost::HasRule(text)
             ? Kind::kRule
             : (cost::LooksLikeMatrixWork(text) ? Kind::kMatrixWork : Kind::kOther);
  return kind;
}

bool CallCosts::IsMatrixWork(StringId name) { return KindOf(name) != Kind::kOther; }

const CallCost* CallCosts::Find(size_t op) {
  if (rows_.operator_inputs.empty()) return nullptr;
  const StringId name = rows_.operators[op].name;
  if (KindOf(name) != Kind::kRule) return nullptr;
  const uint32_t inputs = rows_.operator_inputs[op];
  const auto [found, is_new] = costs_.try_emplace(uint64_t{name} << 32 | inputs, Known());
  Known& known = found->second;
  if (is_new) known = CostOf(name, inputs);
  if (known.is_too_large) ++calls_too_large_;
  return known.cost ? &*known.cost : nullptr;
}

CallCosts::Known CallCosts::CostOf(StringId name, uint32_t inputs) const {
  const auto cost = cost::CostOf(
      rows_.names.text(name), profiles::ParseOperatorInputs(rows_.inputs.text(inputs)));
  if (!cost) return {};
  const cost::Amount flops = cost->flops_matrix();
  if (flops.executed > kMaxFlops) return {.cost = {}, .is_too_large = true};
  return {.cost = CallCost{.flops = flops.executed,
                           .flops_useful = flops.useful,
                           .bytes = cost->bytes,
                           .ideal_s = IdealSeconds(*cost)}};
}

std::optional<double> CallCosts::IdealSeconds(const cost::OperatorCost& cost) const {
  if (gpu_ == nullptr || cost.parts.empty()) return std::nullopt;
  const auto arithmetic = ArithmeticOf(cost.type, cost.parts.front().cost_class);
  if (!arithmetic) return std::nullopt;
  const auto peak = hardware::PeakOf(*gpu_, *arithmetic);
  const auto* const known = std::get_if<hardware::Peak>(&peak);
  if (known == nullptr || !(known->flops_per_s > 0)) return std::nullopt;
  return cost.flops_matrix().executed.as_double() / known->flops_per_s;
}

}  // namespace ridgeline::analysis
