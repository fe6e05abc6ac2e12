// The parts of the ledger: one function per part of the network and phase.
#pragma once

#include <vector>

#include "cost/cost.h"
#include "models/deepseek_ocr/ledger.h"

namespace ridgeline::models::deepseek_ocr {

// Sides of the maps that a view passes through.
struct ViewMaps {
  cost::Count grid;     // Patches.
  cost::Count half;     // After the first stride-2 convolution.
  cost::Count quarter;  // After the second; what CLIP and the decoder see.
};
ViewMaps MapsOf(const SamDimensions& dimensions, int64_t side);

// The windows that SAM cuts a map into, with the padding that fills the last ones.
cost::Count PaddedPlaces(const SamDimensions& dimensions, cost::Count grid);

// One call of each encoder. A batch of nothing costs nothing and has all parameters.
cost::CostNode SamCost(const SamDimensions& dimensions, const ByteWidths& bytes,
                       const ViewBatch& batch);
cost::CostNode ClipCost(const Dimensions& dimensions, const ByteWidths& bytes,
                        const ViewBatch& batch);

// What the tokens of a prompt, or of any number of decode steps, have to do. All costs of
// the decoder are sums of multiples of these numbers.
struct DecoderWork {
  cost::Count calls;
  cost::Count rows;  // Tokens over all calls.
  cost::Count image_rows;
  cost::Count logits_rows;
  cost::Amount pairs;  // Of a query and a key, of one head of one layer.
  // Tokens of one layer's KV cache, over all calls: cached ones, and those that are read
  // (each block of queries reads those that it attends to).
  cost::Count keys_cached;
  cost::Count keys_read;
  // Of each layer with experts.
  struct Experts {
    cost::Count rows;   // Tokens times the experts of each.
    cost::Count loads;  // Experts that are read from memory, over all calls.
  };
  std::vector<Experts> experts;
};

// Routing as recorded in `shapes`, if it is, which must fit the dimensions.
DecoderWork PromptWork(const DecoderDimensions& dimensions, const SampleShape& shapes);
// Steps behind a context of so many tokens.
DecoderWork DecodeWork(const DecoderDimensions& dimensions, cost::Count context,
                       cost::Count steps, const SampleBatch& batch = {});

// Experts of one layer that so many steps read.
cost::Count ExpertLoads(const DecoderDimensions& dimensions, const SampleBatch& batch,
                        cost::Count steps);

// The work of so many pages at once: as many calls as of one, and all else times pages.
// The work of experts is not changed.
void ReadTogether(DecoderWork& work, cost::Count pages);

cost::CostNode DecoderCost(const DecoderDimensions& dimensions, const ByteWidths& bytes,
                           const DecoderWork& work);

std::vector<cost::ActivationPeak> PeaksOf(const Dimensions& dimensions,
                                          const SampleShape& shapes);

}  // namespace ridgeline::models::deepseek_ocr
