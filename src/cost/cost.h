// Cost of a part of a network: parameters, FLOPs by class, bytes. Conventions:
// docs/flops.md.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cost/count.h"

namespace ridgeline::cost {

// A multiply-add counts as two FLOPs in every class.
enum class CostClass {
  kGemm,
  kConvolution,
  kAttentionScores,    // Queries by keys.
  kAttentionValues,    // Attention weights by values.
  kRelativePositions,  // Queries by rows of a relative position table.
  kRouting,            // Hidden states by the router matrix.
  kLmHead,             // Hidden states by the vocabulary matrix.
  kNorm,               // From here on: not matrix multiplications.
  kActivation,
  kSoftmax,
  kEmbedding,    // Lookups: bytes, but no FLOPs.
  kElementwise,  // Residuals, biases, scaling, rotary positions.
};
inline constexpr size_t kCostClasses = 12;

// All of them, in the order above.
const std::array<CostClass, kCostClasses>& AllCostClasses();

// "attention_scores": stable names for reports.
std::string_view NameOf(CostClass cost_class);

// The class with that name; empty if there is none.
std::optional<CostClass> CostClassOf(std::string_view name);

// Whether the class consists of matrix multiplications, the only FLOPs counted in MFU.
constexpr bool IsMatrix(CostClass cost_class) { return cost_class <= CostClass::kLmHead; }

// Each part reads its weights and inputs once and writes its outputs once. Activations
// include data that fused kernels keep on chip.
struct Traffic {
  Count weights_read;
  Count activations_read;
  Count activations_written;
  Count kv_read;
  Count kv_written;

  Count total() const;
  // Compulsory traffic: crosses the memory bus however well kernels are fused.
  Count compulsory() const { return weights_read + kv_read + kv_written; }
  Traffic& operator+=(const Traffic& other);
  Traffic& operator*=(Count factor);
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

struct Cost {
  std::array<Amount, kCostClasses> flops_by_class;
  Traffic bytes;

  Amount& flops(CostClass cost_class) {
    return flops_by_class[static_cast<size_t>(cost_class)];
  }
  const Amount& flops(CostClass cost_class) const {
    return flops_by_class[static_cast<size_t>(cost_class)];
  }
  Amount flops_matrix() const;
  Amount flops_total() const;

  // Executed matrix multiplication FLOPs per byte; empty if no bytes are moved.
  std::optional<double> arithmetic_intensity() const;       // Of bytes.total().
  std::optional<double> arithmetic_intensity_best() const;  // Of bytes.compulsory().

  Cost& operator+=(const Cost& other);
  friend bool operator==(const Cost&, const Cost&) = default;
};

struct Parameters {
  Count total;
  Count active;  // Used per token (in an encoder: per image).

  Parameters& operator+=(const Parameters& other);
  friend bool operator==(const Parameters&, const Parameters&) = default;
};

// A module of the network. Names are full scopes, "decoder.layer3.mlp.experts"; a child's
// name is its parent's plus a dot and its own, except below the root, which is a phase
// ("vision"). The cost of a module with children is their sum.
struct CostNode {
  std::string name;
  Parameters parameters;
  Cost cost;
  std::vector<CostNode> children;
};

// A module consisting of these parts. `name` is prepended to the names of all of them.
CostNode MakeModule(std::string_view name, std::vector<CostNode> parts);

// The same for a phase, which does not change the names of its modules.
CostNode MakePhase(std::string_view name, std::vector<CostNode> modules);

// Adds the cost of another call of the same module; parameters are unchanged. Both trees
// must have the same names.
void AddCall(CostNode& node, const CostNode& call);

// Scales the cost of one call to `calls` calls.
void Repeat(CostNode& node, Count calls);

// The module with that name in the tree, or null.
const CostNode* FindModule(const CostNode& root, std::string_view name);

// The modules without children, in execution order.
std::vector<const CostNode*> Leaves(const CostNode& root);

}  // namespace ridgeline::cost
