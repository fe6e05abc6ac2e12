#include "cost/cost.h"

#include <cassert>
#include <utility>

namespace ridgeline::cost {
namespace {

void PutInFront(std::string_view prefix, CostNode& node) {
  node.name.insert(0, 1, '.').insert(0, prefix);
  for (CostNode& child : node.children) PutInFront(prefix, child);
}

void CollectLeaves(const CostNode& node, std::vector<const CostNode*>& leaves) {
  if (node.children.empty()) leaves.push_back(&node);
  for (const CostNode& child : node.children) CollectLeaves(child, leaves);
}

std::optional<double> Ratio(Count flops, Count bytes) {
  if (bytes == Count(0) || !bytes.is_exact() || !flops.is_exact()) return std::nullopt;
  return flops.as_double() / bytes.as_double();
}

}  // namespace

const std::array<CostClass, kCostClasses>& AllCostClasses() {
  static const std::array<CostClass, kCostClasses> all = [] {
    std::array<CostClass, kCostClasses> classes = {};
    for (size_t i = 0; i < kCostClasses; ++i) classes[i] = static_cast<CostClass>(i);
    return classes;
  }();
  return all;
}

std::string_view NameOf(CostClass cost_class) {
  switch (cost_class) {
    case CostClass::kGemm:
      return "gemm";
    case CostClass::kConvolution:
      return "convolution";
    case CostClass::kAttentionScores:
      return "attention_scores";
    case CostClass::kAttentionValues:
      return "attention_values";
    case CostClass::kRelativePositions:
      return "relative_positions";
    case CostClass::kRouting:
      return "routing";
    case CostClass::kLmHead:
      return "lm_head";
    case CostClass::kNorm:
      return "norm";
    case CostClass::kActivation:
      return "activation";
    case CostClass::kSoftmax:
      return "softmax";
    case CostClass::kEmbedding:
      return "embedding";
    case CostClass::kElementwise:
      return "elementwise";
  }
  return "";
}

std::optional<CostClass> CostClassOf(std::string_view name) {
  for (const CostClass cost_class : AllCostClasses()) {
    if (NameOf(cost_class) == name) return cost_class;
  }
  return std::nullopt;
}

Count Traffic::total() const {
  return weights_read + activations_read + activations_written + kv_read + kv_written;
}

Traffic& Traffic::operator+=(const Traffic& other) {
  weights_read += other.weights_read;
  activations_read += other.activations_read;
  activations_written += other.activations_written;
  kv_read += other.kv_read;
  kv_written += other.kv_written;
  return *this;
}

Traffic& Traffic::operator*=(Count factor) {
  for (Count* part :
       {&weights_read, &activations_read, &activations_written, &kv_read, &kv_written}) {
    *part = *part * factor;
  }
  return *this;
}

Amount Cost::flops_matrix() const {
  Amount sum;
  for (const CostClass cost_class : AllCostClasses()) {
    if (IsMatrix(cost_class)) sum += flops(cost_class);
  }
  return sum;
}

Amount Cost::flops_total() const {
  Amount sum;
  for (const Amount& amount : flops_by_class) sum += amount;
  return sum;
}

std::optional<double> Cost::arithmetic_intensity() const {
  return Ratio(flops_matrix().executed, bytes.total());
}

std::optional<double> Cost::arithmetic_intensity_best() const {
  return Ratio(flops_matrix().executed, bytes.compulsory());
}

Cost& Cost::operator+=(const Cost& other) {
  for (size_t i = 0; i < kCostClasses; ++i) flops_by_class[i] += other.flops_by_class[i];
  bytes += other.bytes;
  return *this;
}

Parameters& Parameters::operator+=(const Parameters& other) {
  total += other.total;
  active += other.active;
  return *this;
}

CostNode MakePhase(std::string_view name, std::vector<CostNode> modules) {
  CostNode phase = {.name = std::string(name), .children = std::move(modules)};
  for (const CostNode& module : phase.children) {
    phase.parameters += module.parameters;
    phase.cost += module.cost;
  }
  return phase;
}

CostNode MakeModule(std::string_view name, std::vector<CostNode> parts) {
  for (CostNode& part : parts) PutInFront(name, part);
  return MakePhase(name, std::move(parts));
}

void AddCall(CostNode& node, const CostNode& call) {
  assert(node.name == call.name && node.children.size() == call.children.size());
  node.cost += call.cost;
  for (size_t i = 0; i < node.children.size(); ++i) {
    AddCall(node.children[i], call.children[i]);
  }
}

void Repeat(CostNode& node, Count calls) {
  for (Amount& amount : node.cost.flops_by_class) amount = amount * calls;
  node.cost.bytes *= calls;
  for (CostNode& child : node.children) Repeat(child, calls);
}

const CostNode* FindModule(const CostNode& root, std::string_view name) {
  if (root.name == name) return &root;
  for (const CostNode& child : root.children) {
    if (const CostNode* found = FindModule(child, name)) return found;
  }
  return nullptr;
}

std::vector<const CostNode*> Leaves(const CostNode& root) {
  std::vector<const CostNode*> leaves;
  CollectLeaves(root, leaves);
  return leaves;
}

}  // namespace ridgeline::cost
