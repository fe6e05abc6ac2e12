// What reading a page costs, in closed form: from the dimensions and the shapes alone,
// nothing is run or loaded. The counts are those of networks/deepseek_ocr, product by
// product; docs/flops.md has the conventions and the formulas.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "cost/cost.h"
#include "models/deepseek_ocr/dimensions.h"
#include "models/deepseek_ocr/preprocess.h"

namespace ridgeline::models::deepseek_ocr {

// Queries that attend at a time. A causal block is multiplied with all keys up to its
// last query's, so that pairs above the diagonal, within the block, are executed and
// masked.
constexpr int64_t kLedgerQueriesPerBlock = 256;  // Of the decoder and of CLIP.
constexpr int64_t kLedgerSamQueriesPerBlock = 512;

// Views of one side, encoded together.
struct ViewBatch {
  int64_t side = 0;  // In pixels.
  int64_t count = 0;
};

struct ByteWidths {
  int64_t weights = 2;
  int64_t router_weights = 4;  // The network keeps routers in f32.
  int64_t activations = 2;
  int64_t kv = 2;
};

// How many tokens of the prompt each expert got: one list per layer with experts. (Of a
// decode step there is nothing to record: its token goes to k experts, whichever.)
struct RecordedRouting {
  std::vector<std::vector<int64_t>> tokens_by_expert;
};

// How the tokens of one decode step choose experts. Of one page there is no difference.
enum class ExpertSpread {
  kLeast,    // All the same ones.
  kUniform,  // Any one is as likely as any other: how many differ, on average.
  kMost,     // As different ones as there are.
};

// Pages of the same shapes that are read together: each does what it does alone, but
// weights are read once per call for all of them.
struct PageBatch {
  int64_t pages = 1;
  ExpertSpread experts = ExpertSpread::kLeast;
};

// How many experts of a layer one decode step reads, of so many pages.
struct ExpertsRead {
  int64_t least = 0;
  double uniform = 0;
  int64_t most = 0;
};
ExpertsRead ExpertsReadOf(const DecoderDimensions& dimensions, int64_t pages);

struct LedgerShapes {
  std::vector<ViewBatch> views;  // The crops, if any, then the global view.
  int64_t prompt_tokens = 0;     // With the image tokens.
  int64_t image_tokens = 0;
  // Forward calls behind the prompt's: one less than the tokens that are generated,
  // because the first comes out of the prompt's.
  int64_t decode_steps = 0;
  ByteWidths bytes;
  PageBatch batch;
  // Without it, every expert that the prompt's choices could reach is read. Of one page.
  std::optional<RecordedRouting> prompt_routing;
};

// Shapes of a page that was cut like this, with so many tokens of text in the prompt.
Result<LedgerShapes> ShapesOfPage(GridChoice grid, const PreprocessOptions& options,
                                  int64_t text_tokens);

// Of all pages of a batch: the largest sum of tensors that are held at one time, without
// the KV cache and without what libraries and allocators add.
struct ActivationPeaks {
  cost::Count vision_bytes;
  cost::Count prefill_bytes;
  cost::Count decode_bytes;
};

struct Ledger {
  cost::CostNode vision;   // sam, clip, projector, layout
  cost::CostNode prefill;  // decoder, over the prompt; without vision
  cost::CostNode decode;   // decoder, all steps together
  ActivationPeaks peaks;
  cost::Count kv_cache_bytes;  // After the last step, of all pages.
};

// An error if shapes contradict each other or the dimensions.
Result<Ledger> MakeLedger(const Dimensions& dimensions, const LedgerShapes& shapes);

// One decode step that sees `context` tokens of each page, its own included.
cost::CostNode DecodeStepCost(const Dimensions& dimensions, const ByteWidths& bytes,
                              int64_t context, const PageBatch& batch = {});

// Keys and values of all layers.
cost::Count KvCacheBytes(const DecoderDimensions& dimensions, const ByteWidths& bytes,
                         int64_t tokens);

// Of the whole model. Activated is per token of text: the decoder without the experts
// that were not chosen, and without the table of embeddings, of which a token only reads
// a row.
cost::Parameters ModelParameters(const Dimensions& dimensions);

}  // namespace ridgeline::models::deepseek_ocr
