// The small pieces that the ledger of a network is made of: what one of them costs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cost/cost.h"
#include "models/deepseek_ocr/ledger.h"

namespace ridgeline::models::deepseek_ocr {

// FLOPs per element of what is not a product of matrices; exp, erf and the like are one.
constexpr int kLayerNormFlops = 7;  // Two sums, two for the deviation, three to scale.
constexpr int kRmsNormFlops = 4;    // Square, sum, scale, weight; and two per row.
constexpr int kSoftmaxFlops = 5;    // Maximum, difference, exp, sum, quotient.
constexpr int kSigmoidFlops = 4;    // Sign, exp, sum, quotient.
constexpr int kGeluFlops = 5;       // Quotient, erf, sum, product, half.
constexpr int kQuickGeluFlops = kSigmoidFlops + 2;
constexpr int kSiluFlops = kSigmoidFlops + 1;

struct LinearShape {
  analysis::Count inputs;
  analysis::Count outputs;
  bool has_bias = false;
  analysis::CostClass cost_class = analysis::CostClass::kGemm;
};

struct ConvolutionShape {
  analysis::Count inputs;  // Channels.
  analysis::Count outputs;
  analysis::Count taps;  // Of a kernel.
  bool has_bias = false;
};

// Many matrices of one shape of which some are used: experts.
struct Copies {
  analysis::Count stored = 1;
  analysis::Count activated = 1;
  analysis::Count loads;  // How often one of them is read, in all calls.
};

struct AttentionShape {
  analysis::Count heads;
  analysis::Count head_width;
  analysis::Amount queries;
  analysis::Amount pairs;           // Of a query and a key, of one head.
  analysis::Amount scale_flops;     // Elements that are multiplied with 1 / sqrt(width).
  analysis::Count keys_and_values;  // Elements of either that are no part of a KV cache.
};

class Parts {
 public:
  // Weights are read once per forward call.
  Parts(const ByteWidths& bytes, analysis::Count calls) : bytes_(bytes), calls_(calls) {}

  const ByteWidths& bytes() const { return bytes_; }
  analysis::Count calls() const { return calls_; }

  // A part without weights; elements are read and written once.
  struct Elements {
    analysis::Count read;
    analysis::Count written;
  };
  analysis::CostNode Plain(std::string name, analysis::CostClass cost_class,
                           analysis::Amount flops, Elements elements) const;

  // Bias: one addition per output, kElementwise.
  analysis::CostNode Linear(std::string name, const LinearShape& shape,
                            analysis::Amount rows) const;
  analysis::CostNode Convolution(std::string name, const ConvolutionShape& shape,
                                 analysis::Count input_places,
                                 analysis::Count output_places) const;
  analysis::CostNode LayerNorm(std::string name, analysis::Count width,
                               analysis::Count rows) const;
  analysis::CostNode RmsNorm(std::string name, analysis::Count width,
                             analysis::Count rows) const;

  // Two residual additions of a layer.
  analysis::CostNode Residual(analysis::Count elements) const;

  // down(silu(gate x) * up x): gate, up, activation, down.
  analysis::CostNode GatedMlp(const std::string& name, const LinearShape& gate,
                              analysis::Count rows, const Copies& copies) const;

  analysis::CostNode Scores(const AttentionShape& shape) const;
  analysis::CostNode Softmax(const AttentionShape& shape) const;
  analysis::CostNode Values(const AttentionShape& shape) const;

 private:
  void AddWeights(analysis::CostNode& node, analysis::Count parameters) const;

  ByteWidths bytes_;
  analysis::Count calls_;
};

}  // namespace ridgeline::models::deepseek_ocr
