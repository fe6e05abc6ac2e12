#include "inference/recorder/op_flops.h"

#include <utility>

#include "inference/layers.h"

namespace ridgeline::inference {
namespace {

void AddTensor(const at::Tensor& tensor, cost::OperatorInput& input) {
  // Nested and sparse tensors have no sizes.
  if (!tensor.defined() || tensor.layout() != c10::kStrided) return;
  input.tensors.emplace_back(tensor.sizes().begin(), tensor.sizes().end());
  input.element_bytes = static_cast<int64_t>(tensor.element_size());
}

cost::OperatorInput InputOf(const c10::IValue& value) {
  cost::OperatorInput input;
  if (value.isTensor()) {
    AddTensor(value.toTensor(), input);
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) AddTensor(tensor, input);
  } else if (value.isBool()) {
    input.value = {value.toBool() ? 1 : 0};
  } else if (value.isInt()) {
    input.value = {value.toInt()};
  } else if (value.isIntList()) {
    input.value = value.toIntVector();
  } else if (value.isBoolList()) {
    input.value.emplace();
    for (const bool one : value.toBoolList()) input.value->push_back(one ? 1 : 0);
  }
  return input;
}

}  // namespace

std::optional<std::vector<cost::FlopPart>> MatrixFlops(const at::RecordFunction& op) {
  if (!cost::HasRule(op.name())) return std::nullopt;
  std::vector<cost::OperatorInput> inputs;
  for (const c10::IValue& value : op.inputs()) inputs.push_back(InputOf(value));
  auto found = cost::CostOf(op.name(), inputs, {.causal_block = kQueriesPerBlock});
  if (!found) return std::nullopt;
  std::erase_if(found->parts, [](const cost::FlopPart& part) {
    return !cost::IsMatrix(part.cost_class);
  });
  return std::move(found->parts);
}

}  // namespace ridgeline::inference
