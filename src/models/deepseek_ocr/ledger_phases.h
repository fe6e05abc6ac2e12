// The parts of the ledger: one function per part of the network and phase.
#pragma once

#include <vector>

#include "cost/cost.h"
#include "models/deepseek_ocr/ledger.h"

namespace ridgeline::models::deepseek_ocr {

// Sides of the maps that a view passes through.
struct ViewMaps {
  analysis::Count grid;     // Patches.
  analysis::Count half;     // After the first stride-2 convolution.
  analysis::Count quarter;  // After the second; what CLIP and the decoder see.
};
ViewMaps MapsOf(const SamDimensions& dimensions, int64_t side);

// The windows that SAM cuts a map into, with the padding that fills the last ones.
analysis::Count PaddedPlaces(const SamDimensions& dimensions, analysis::Count grid);

// One call of each encoder. A batch of nothing costs nothing and has all parameters.
analysis::CostNode SamCost(const SamDimensions& dimensions, const ByteWidths& bytes,
                           const ViewBatch& batch);
analysis::CostNode ClipCost(const Dimensions& dimensions, const ByteWidths& bytes,
                            const ViewBatch& batch);

// What the tokens of a prompt, or of any number of decode steps, have to do. All costs of
// the decoder are sums of multiples of these numbers.
struct DecoderWork {
  analysis::Count calls;
  analysis::Count rows;  // Tokens in all calls.
  analysis::Count image_rows;
  analysis::Count logits_rows;
  analysis::Amount pairs;  // Of a query and a key, of one head of one layer.
  // Tokens of one layer's KV cache, in all calls: those that are in it, and those that
  // are read (each block of queries reads those that it sees).
  analysis::Count keys_cached;
  analysis::Count keys_read;
  // Of each layer with experts.
  struct Experts {
    analysis::Count rows;   // Tokens times the experts of each.
    analysis::Count loads;  // Experts that are read from memory, over all calls.
  };
  std::vector<Experts> experts;
};

// Routing as recorded in `shapes`, if it is, which must fit the dimensions.
DecoderWork PromptWork(const DecoderDimensions& dimensions, const LedgerShapes& shapes);
// Steps behind a context of so many tokens.
DecoderWork DecodeWork(const DecoderDimensions& dimensions, analysis::Count context,
                       analysis::Count steps, const PageBatch& batch = {});

// Experts of one layer that so many steps read.
analysis::Count ExpertLoads(const DecoderDimensions& dimensions, const PageBatch& batch,
                            analysis::Count steps);

// The work of so many pages at once: as many calls as of one, and all else times pages.
// What experts have to do is left as it is.
void ReadTogether(DecoderWork& work, analysis::Count pages);

analysis::CostNode DecoderCost(const DecoderDimensions& dimensions,
                               const ByteWidths& bytes, const DecoderWork& work);

ActivationPeaks PeaksOf(const Dimensions& dimensions, const LedgerShapes& shapes);

}  // namespace ridgeline::models::deepseek_ocr
