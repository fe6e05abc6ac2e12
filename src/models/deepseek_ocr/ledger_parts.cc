#include "models/deepseek_ocr/ledger_parts.h"

#include <utility>

namespace ridgeline::models::deepseek_ocr {

using cost::Amount;
using cost::CostClass;
using cost::CostNode;
using cost::Count;

void Parts::AddWeights(CostNode& node, Count parameters) const {
  node.parameters = {.total = parameters, .active = parameters};
  node.cost.bytes.weights_read = parameters * calls_ * bytes_.weights;
}

CostNode Parts::Plain(std::string name, CostClass cost_class, Amount flops,
                      Elements elements) const {
  CostNode node = {.name = std::move(name)};
  node.cost.flops(cost_class) = flops;
  node.cost.bytes.activations_read = elements.read * bytes_.activations;
  node.cost.bytes.activations_written = elements.written * bytes_.activations;
  return node;
}

CostNode Parts::Linear(std::string name, const LinearShape& shape, Amount rows) const {
  const Count matrix = shape.inputs * shape.outputs;
  CostNode node = Plain(std::move(name), shape.cost_class, rows * matrix * 2,
                        {rows.executed * shape.inputs, rows.executed * shape.outputs});
  if (shape.has_bias) node.cost.flops(CostClass::kElementwise) = rows * shape.outputs;
  AddWeights(node, shape.has_bias ? matrix + shape.outputs : matrix);
  return node;
}

CostNode Parts::Convolution(std::string name, const ConvolutionShape& shape,
                            Count input_places, Count output_places) const {
  const Count kernel = shape.inputs * shape.outputs * shape.taps;
  CostNode node = Plain(std::move(name), CostClass::kConvolution,
                        Amount::Same(output_places * kernel * 2),
                        {input_places * shape.inputs, output_places * shape.outputs});
  if (shape.has_bias) {
    node.cost.flops(CostClass::kElementwise) =
        Amount::Same(output_places * shape.outputs);
  }
  AddWeights(node, shape.has_bias ? kernel + shape.outputs : kernel);
  return node;
}

CostNode Parts::LayerNorm(std::string name, Count width, Count rows) const {
  const Count elements = rows * width;
  CostNode node = Plain(std::move(name), CostClass::kNorm,
                        Amount::Same(elements * kLayerNormFlops), {elements, elements});
  AddWeights(node, width * 2);
  return node;
}

CostNode Parts::RmsNorm(std::string name, Count width, Count rows) const {
  const Count elements = rows * width;
  CostNode node =
      Plain(std::move(name), CostClass::kNorm,
            Amount::Same(elements * kRmsNormFlops + rows * 2), {elements, elements});
  AddWeights(node, width);
  return node;
}

CostNode Parts::Residual(Count elements) const {
  return Plain("residual", CostClass::kElementwise, Amount::Same(elements * 2),
               {elements * 4, elements * 2});
}

CostNode Parts::GatedMlp(const std::string& name, const LinearShape& gate, Count rows,
                         const Copies& copies) const {
  const LinearShape down = {.inputs = gate.outputs, .outputs = gate.inputs};
  const Amount all = Amount::Same(rows);
  const Count middle = rows * gate.outputs;
  CostNode activation = Plain("activation", CostClass::kActivation,
                              Amount::Same(middle * kSiluFlops), {middle * 2, middle});
  activation.cost.flops(CostClass::kElementwise) = Amount::Same(middle);
  std::vector<CostNode> parts = {Linear("gate", gate, all), Linear("up", gate, all),
                                 std::move(activation), Linear("down", down, all)};
  const Count matrix = gate.inputs * gate.outputs;
  for (CostNode& part : parts) {
    if (part.parameters.total == Count(0)) continue;
    part.parameters = {.total = matrix * copies.stored, .active = matrix * copies.active};
    part.cost.bytes.weights_read = matrix * copies.loads * bytes_.weights;
  }
  return cost::MakeModule(name, std::move(parts));
}

CostNode Parts::Scores(const AttentionShape& shape) const {
  const Count width = shape.heads * shape.head_width;
  CostNode node = Plain("scores", CostClass::kAttentionScores, shape.pairs * width * 2,
                        {shape.queries.executed * width + shape.keys_and_values,
                         shape.pairs.executed * shape.heads});
  node.cost.flops(CostClass::kElementwise) = shape.scale_flops;
  return node;
}

CostNode Parts::Softmax(const AttentionShape& shape) const {
  const Amount scores = shape.pairs * shape.heads;
  return Plain("softmax", CostClass::kSoftmax, scores * kSoftmaxFlops,
               {scores.executed, scores.executed});
}

CostNode Parts::Values(const AttentionShape& shape) const {
  const Count width = shape.heads * shape.head_width;
  return Plain("values", CostClass::kAttentionValues, shape.pairs * width * 2,
               {shape.pairs.executed * shape.heads + shape.keys_and_values,
                shape.queries.executed * width});
}

}  // namespace ridgeline::models::deepseek_ocr
