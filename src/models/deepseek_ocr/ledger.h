// What reading a page costs, in closed form: from the dimensions and the shapes alone,
// nothing is run or loaded. The counts are those of networks/deepseek_ocr, product by
// product; docs/flops.md has the conventions and the formulas.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "cost/cost.h"
#include "cost/ledger.h"
#include "models/deepseek_ocr/dimensions.h"
#include "models/deepseek_ocr/preprocess.h"

namespace ridgeline::models::deepseek_ocr {

// Queries that attend at a time. A causal block is multiplied with all keys up to its
// last query's, so that pairs above the diagonal, within the block, are executed and
// masked.
constexpr int64_t kLedgerQueriesPerBlock = 256;  // Of the decoder and of CLIP.
constexpr int64_t kLedgerSamQueriesPerBlock = 512;

using cost::ByteWidths;
using cost::ExpertSpread;
using cost::ExpertsRead;
using cost::Ledger;
using cost::RecordedRouting;
using cost::SampleBatch;
using cost::SampleShape;
using cost::ViewBatch;

// How many experts of a layer one decode step reads, of so many pages.
ExpertsRead ExpertsReadOf(const DecoderDimensions& dimensions, int64_t pages);

// Shapes of a page that was cut like this, with so many tokens of text in the prompt.
Result<SampleShape> ShapesOfPage(GridChoice grid, const PreprocessOptions& options,
                                 int64_t text_tokens);

// Phases: vision (sam, clip, projector, layout), prefill (the decoder over the prompt,
// without vision) and decode (the decoder, all steps together).
// An error if shapes contradict each other or the dimensions.
Result<Ledger> MakeLedger(const Dimensions& dimensions, const SampleShape& shapes);

// One decode step that sees `context` tokens of each page, its own included.
cost::CostNode DecodeStepCost(const Dimensions& dimensions, const ByteWidths& bytes,
                              int64_t context, const SampleBatch& batch = {});

// Keys and values of all layers.
cost::Count KvCacheBytes(const DecoderDimensions& dimensions, const ByteWidths& bytes,
                         int64_t tokens);

// Of the whole model. Activated is per token of text: the decoder without the experts
// that were not chosen, and without the table of embeddings, of which a token only reads
// a row.
cost::Parameters ModelParameters(const Dimensions& dimensions);

}  // namespace ridgeline::models::deepseek_ocr
