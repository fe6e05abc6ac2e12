// Building blocks of a network's ledger, with their costs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cost/cost.h"
#include "models/deepseek_ocr/ledger.h"

namespace ridgeline::models::deepseek_ocr {

// FLOPs per element outside GEMMs; exp, erf and the like count as one.
constexpr int kLayerNormFlops = 7;  // Two sums, two for the deviation, three to scale.
constexpr int kRmsNormFlops = 4;    // Square, sum, scale, weight; and two per row.
constexpr int kSoftmaxFlops = 5;    // Maximum, difference, exp, sum, quotient.
constexpr int kSigmoidFlops = 4;    // Sign, exp, sum, quotient.
constexpr int kGeluFlops = 5;       // Quotient, erf, sum, product, half.
constexpr int kQuickGeluFlops = kSigmoidFlops + 2;
constexpr int kSiluFlops = kSigmoidFlops + 1;

struct LinearShape {
  cost::Count inputs;
  cost::Count outputs;
  bool has_bias = false;
  cost::CostClass cost_class = cost::CostClass::kGemm;
};

struct ConvolutionShape {
  cost::Count inputs;  // Channels.
  cost::Count outputs;
  cost::Count taps;  // Kernel taps.
  bool has_bias = false;
};

// Many matrices of one shape, of which some are used: experts.
struct Copies {
  cost::Count stored = 1;
  cost::Count active = 1;
  cost::Count loads;  // Reads of any of them, over all calls.
};

struct AttentionShape {
  cost::Count heads;
  cost::Count head_width;
  cost::Amount queries;
  cost::Amount pairs;           // Query-key pairs of one head.
  cost::Amount scale_flops;     // Elements multiplied by 1 / sqrt(width).
  cost::Count keys_and_values;  // Elements of each that are not in a KV cache.
};

class Parts {
 public:
  // Weights are read once per forward call.
  Parts(const ByteWidths& bytes, cost::Count calls) : bytes_(bytes), calls_(calls) {}

  const ByteWidths& bytes() const { return bytes_; }
  cost::Count calls() const { return calls_; }

  // A part without weights; elements are read and written once.
  struct Elements {
    cost::Count read;
    cost::Count written;
  };
  cost::CostNode Plain(std::string name, cost::CostClass cost_class, cost::Amount flops,
                       Elements elements) const;

  // Bias: one addition per output, kElementwise.
  cost::CostNode Linear(std::string name, const LinearShape& shape,
                        cost::Amount rows) const;
  cost::CostNode Convolution(std::string name, const ConvolutionShape& shape,
                             cost::Count input_places, cost::Count output_places) const;
  cost::CostNode LayerNorm(std::string name, cost::Count width, cost::Count rows) const;
  cost::CostNode RmsNorm(std::string name, cost::Count width, cost::Count rows) const;

  // Both residual additions of a layer.
  cost::CostNode Residual(cost::Count elements) const;

  // down(silu(gate x) * up x): gate, up, activation, down.
  cost::CostNode GatedMlp(const std::string& name, const LinearShape& gate,
                          cost::Count rows, const Copies& copies) const;

  cost::CostNode Scores(const AttentionShape& shape) const;
  cost::CostNode Softmax(const AttentionShape& shape) const;
  cost::CostNode Values(const AttentionShape& shape) const;

 private:
  void AddWeights(cost::CostNode& node, cost::Count parameters) const;

  ByteWidths bytes_;
  cost::Count calls_;
};

}  // namespace ridgeline::models::deepseek_ocr
