// Cost of reading a page in closed form: from dimensions and shapes alone, without
// running or loading anything. Counts match models/deepseek_ocr/network, GEMM by GEMM;
// see docs/flops.md for conventions and formulas.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "cost/cost.h"
#include "cost/ledger.h"
#include "models/deepseek_ocr/dimensions.h"
#include "models/deepseek_ocr/preprocess.h"

namespace ridgeline::models::deepseek_ocr {

// Queries per attention block. A causal block is multiplied with all keys up to its last
// query, so pairs above the diagonal within the block are executed and masked.
constexpr int64_t kLedgerQueriesPerBlock = 256;  // Decoder and CLIP.
constexpr int64_t kLedgerSamQueriesPerBlock = 512;

using cost::ByteWidths;
using cost::ExpertSpread;
using cost::ExpertsRead;
using cost::Ledger;
using cost::RecordedRouting;
using cost::SampleBatch;
using cost::SampleShape;
using cost::ViewBatch;

// Number of experts of a layer read by one decode step for this many pages.
ExpertsRead ExpertsReadOf(const DecoderDimensions& dimensions, int64_t pages);

// Shapes of a page with this grid of crops and this many text tokens in the prompt.
Result<SampleShape> ShapesOfPage(GridChoice grid, const PreprocessOptions& options,
                                 int64_t text_tokens);

// Phases: vision (sam, clip, projector, layout), prefill (the decoder over the prompt,
// without vision) and decode (the decoder, all steps). Fails if shapes contradict each
// other or the dimensions.
Result<Ledger> MakeLedger(const Dimensions& dimensions, const SampleShape& shapes);

// One decode step with a context of `context` tokens per page, including its own.
cost::CostNode DecodeStepCost(const Dimensions& dimensions, const ByteWidths& bytes,
                              int64_t context, const SampleBatch& batch = {});

// Keys and values of all layers.
cost::Count KvCacheBytes(const DecoderDimensions& dimensions, const ByteWidths& bytes,
                         int64_t tokens);

// For the whole model. Active parameters are per text token: the decoder without the
// experts that were not chosen, and without the embedding table, of which a token only
// reads one row.
cost::Parameters ModelParameters(const Dimensions& dimensions);

}  // namespace ridgeline::models::deepseek_ocr
