#include "cost/operator_call.h"

#include <algorithm>

namespace ridgeline::cost {

bool IsValid(const Sizes& sizes) {
  return std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size >= 0; });
}

Count Elements(std::span<const int64_t> sizes) {
  Count count = 1;
  for (const int64_t size : sizes) count = count * size;
  return count;
}

const Sizes* OperatorCall::TensorAt(int place) const {
  const OperatorInput* const input = InputAt(place);
  const bool is_tensor = input != nullptr && input->tensors.size() == 1;
  return is_tensor && IsValid(input->tensors[0]) ? &input->tensors[0] : nullptr;
}

const OperatorInput* OperatorCall::InputAt(int place) const {
  const bool is_in = place >= 0 && static_cast<size_t>(place) < inputs_.size();
  return is_in ? &inputs_[static_cast<size_t>(place)] : nullptr;
}

const std::vector<int64_t>* OperatorCall::Values(size_t i) const {
  const OperatorInput* const input = InputAt(rule_.at[i]);
  return input != nullptr && input->value ? &*input->value : nullptr;
}

std::optional<int64_t> OperatorCall::ValueAt(int place) const {
  const OperatorInput* const input = InputAt(place);
  if (input == nullptr || !input->value || input->value->size() != 1) return {};
  return input->value->front();
}

std::optional<int64_t> OperatorCall::Along(size_t i, size_t dimension) const {
  const std::vector<int64_t>* const values = Values(i);
  if (values == nullptr || values->empty()) return std::nullopt;
  if (values->size() == 1) return values->front();
  if (dimension >= values->size()) return std::nullopt;
  return (*values)[dimension];
}

bool OperatorCall::Has(size_t i) const {
  const OperatorInput* const input = InputAt(rule_.at[i]);
  return input != nullptr && !input->tensors.empty();
}

std::optional<Count> OperatorCall::Bytes(Count output_elements, int like) const {
  Count bytes;
  for (const OperatorInput& input : inputs_) {
    for (const Sizes& sizes : input.tensors) {
      if (input.element_bytes <= 0 || !IsValid(sizes)) return std::nullopt;
      bytes += Elements(sizes) * input.element_bytes;
    }
  }
  const std::optional<int64_t> output = OutputBytes(like);
  if (!output) return std::nullopt;
  return bytes + output_elements * *output;
}

std::optional<int64_t> OperatorCall::OutputBytes(int like) const {
  if (rule_.output > 0) return rule_.output;
  if (rule_.output == kInPlace) return 0;
  if (rule_.output == kUnknownType) return std::nullopt;
  const OperatorInput* const input = InputAt(like);
  if (input == nullptr || input->element_bytes <= 0) return std::nullopt;
  if (rule_.output == kAsInput) return input->element_bytes;
  const std::optional<int64_t> type = ValueAt(kTypeInput - rule_.output);
  if (!type) return input->element_bytes;
  // PyTorch's dtype numbers: half, bfloat16; float.
  if (*type == 5 || *type == 15) return 2;
  return *type == 6 ? std::optional<int64_t>(4) : std::nullopt;
}

FlopPart Gemm(Count multiply_adds) {
  return {"", CostClass::kGemm, Amount::Same(Count(2) * multiply_adds)};
}

OperatorCost WithAdded(const OperatorCall& call, FlopPart part, Count outputs, int like,
                       size_t added) {
  OperatorCost cost;
  cost.parts.push_back(part);
  if (call.Has(added)) {
    cost.parts.push_back({"bias", CostClass::kElementwise, Amount::Same(outputs)});
  }
  cost.bytes = call.Bytes(outputs, like);
  return cost;
}

std::optional<std::pair<bool, bool>> MaskOf(const OperatorCall& call, size_t i) {
  const std::vector<int64_t>* const mask = call.Values(i);
  if (mask == nullptr || mask->size() < 2) return std::nullopt;
  return std::pair((*mask)[0] != 0, (*mask)[1] != 0);
}

OperatorCost GradCost(const OperatorCall& call, CostClass cost_class, Count multiply_adds,
                      std::pair<bool, bool> mask, std::pair<Count, Count> outputs) {
  OperatorCost cost;
  const Amount flops = Amount::Same(Count(2) * multiply_adds);
  if (mask.first) cost.parts.push_back({"grad_input", cost_class, flops});
  if (mask.second) cost.parts.push_back({"grad_weight", cost_class, flops});
  const Count written =
      (mask.first ? outputs.first : Count(0)) + (mask.second ? outputs.second : Count(0));
  cost.bytes = call.Bytes(written, call.code(0));
  return cost;
}

}  // namespace ridgeline::cost
