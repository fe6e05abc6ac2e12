// The parts of the ledger: one function per part of the network and phase.
#pragma once

#include <vector>

#include "cost/cost.h"
#include "models/deepseek_ocr/ledger.h"

namespace ridgeline::models::deepseek_ocr {

// Side lengths of the feature maps of a view.
struct ViewMaps {
  cost::Count grid;     // Patches.
  cost::Count half;     // After the first stride-2 convolution.
  cost::Count quarter;  // After the second; seen by CLIP and the decoder.
};
ViewMaps MapsOf(const SamDimensions& dimensions, int64_t side);

// Positions in SAM's windows, including the padding of the last ones.
cost::Count PaddedPlaces(const SamDimensions& dimensions, cost::Count grid);

// One call of each encoder. An empty batch costs nothing, but has all parameters.
cost::CostNode SamCost(const SamDimensions& dimensions, const ByteWidths& bytes,
                       const ViewBatch& batch);
cost::CostNode ClipCost(const Dimensions& dimensions, const ByteWidths& bytes,
                        const ViewBatch& batch);

// Work for the tokens of a prompt, or of any number of decode steps. All decoder costs
// are sums of multiples of these numbers.
struct DecoderWork {
  cost::Count calls;
  cost::Count rows;  // Tokens over all calls.
  cost::Count image_rows;
  cost::Count logits_rows;
  cost::Amount pairs;  // Query-key pairs of one head of one layer.
  // Tokens in the KV cache of one layer, over all calls: cached ones, and those read
  // (each block of queries reads the ones it attends to).
  cost::Count keys_cached;
  cost::Count keys_read;
  // For each layer with experts.
  struct Experts {
    cost::Count rows;   // Tokens x experts per token.
    cost::Count loads;  // Experts read from memory, over all calls.
  };
  std::vector<Experts> experts;
};

// Uses the routing recorded in `shapes`, if any, which must fit the dimensions.
DecoderWork PromptWork(const DecoderDimensions& dimensions, const SampleShape& shapes);
// Steps after a context of this many tokens.
DecoderWork DecodeWork(const DecoderDimensions& dimensions, cost::Count context,
                       cost::Count steps, const SampleBatch& batch = {});

// Experts of one layer read in this many steps.
cost::Count ExpertLoads(const DecoderDimensions& dimensions, const SampleBatch& batch,
                        cost::Count steps);

// Turns the work into that of a batch of pages: the same number of calls, everything else
// times pages. The work of experts is not changed.
void ReadTogether(DecoderWork& work, cost::Count pages);

cost::CostNode DecoderCost(const DecoderDimensions& dimensions, const ByteWidths& bytes,
                           const DecoderWork& work);

std::vector<cost::ActivationPeak> PeaksOf(const Dimensions& dimensions,
                                          const SampleShape& shapes);

}  // namespace ridgeline::models::deepseek_ocr
