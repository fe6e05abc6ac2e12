// What a part of a network costs: parameters, floating-point operations by class, bytes.
// docs/flops.md has the conventions.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cost/count.h"

namespace ridgeline::cost {

// A multiplication and the addition that follows it are two FLOPs, in every class.
enum class CostClass {
  kGemm,
  kConvolution,
  kAttentionScores,    // Queries by keys.
  kAttentionValues,    // Shares by values.
  kRelativePositions,  // Queries by rows of a table of relative positions.
  kRouting,            // Hidden states by a router's matrix.
  kLmHead,             // Hidden states by the matrix of the vocabulary.
  kNorm,               // From here on, no products of matrices.
  kActivation,
  kSoftmax,
  kEmbedding,    // Looked up: bytes, but no FLOPs.
  kElementwise,  // Residuals, biases, scaling, rotary positions.
};
inline constexpr size_t kCostClasses = 12;

// All of them, in the order above.
const std::array<CostClass, kCostClasses>& AllCostClasses();

// "attention_scores": stable, for reports.
std::string_view NameOf(CostClass cost_class);

// The class of that name; nothing if there is none.
std::optional<CostClass> CostClassOf(std::string_view name);

// Whether the class is made of products of matrices, which alone are counted in an MFU.
constexpr bool IsMatrix(CostClass cost_class) { return cost_class <= CostClass::kLmHead; }

// Each part reads its weights and inputs once and writes its outputs once. What fused
// kernels keep on the chip is in the activations here.
struct Traffic {
  Count weights_read;
  Count activations_read;
  Count activations_written;
  Count kv_read;
  Count kv_written;

  Count total() const;
  // What has to cross the memory bus however well kernels are fused.
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

  // Executed FLOPs of matrix products per byte; nothing where no byte is moved.
  std::optional<double> arithmetic_intensity() const;       // Of bytes.total().
  std::optional<double> arithmetic_intensity_best() const;  // Of bytes.compulsory().

  Cost& operator+=(const Cost& other);
  friend bool operator==(const Cost&, const Cost&) = default;
};

struct Parameters {
  Count total;
  Count active;  // That one token (in an encoder: one image) is multiplied by.

  Parameters& operator+=(const Parameters& other);
  friend bool operator==(const Parameters&, const Parameters&) = default;
};

// A module of the network. Names are whole scopes, "decoder.layer3.mlp.experts"; a
// child's begins with its parent's and a dot, except below the root, which is a phase
// ("vision"). A module with children costs what they cost together.
struct CostNode {
  std::string name;
  Parameters parameters;
  Cost cost;
  std::vector<CostNode> children;
};

// A module of these parts. `name` is put in front of the names of all of them.
CostNode MakeModule(std::string_view name, std::vector<CostNode> parts);

// The same for a phase, which does not change the names of its modules.
CostNode MakePhase(std::string_view name, std::vector<CostNode> modules);

// Adds the work of another call of the same module; parameters stay what they are. Both
// trees must have the same names.
void AddCall(CostNode& node, const CostNode& call);

// As many calls of the module as `calls`, each of which costs what one does now.
void Repeat(CostNode& node, Count calls);

// The module of that name in the tree, or null.
const CostNode* FindModule(const CostNode& root, std::string_view name);

// The modules without children, in the order of the computation.
std::vector<const CostNode*> Leaves(const CostNode& root);

}  // namespace ridgeline::cost
