// From a page and what is asked of it to the shapes that the ledger counts with. Nothing
// is run and no pixel is looked at.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "model_io/tokenizers/tokenizer.h"
#include "models/deepseek_ocr/dimensions.h"
#include "models/deepseek_ocr/ledger.h"
#include "models/deepseek_ocr/preprocess.h"

namespace ridgeline::models::deepseek_ocr {

struct PageSize {
  int width = 0;  // In pixels, upright.
  int height = 0;
};

// A letter at 200 dots per inch: what stands for a page where none is given.
constexpr PageSize kMadeUpPage = {.width = 1700, .height = 2200};

struct PageRequest {
  PageSize page = kMadeUpPage;
  PreprocessOptions preprocess;
  std::string prompt;      // With its "<image>".
  int64_t new_tokens = 1;  // That are generated; at least 1.
  ByteWidths bytes;
  PageBatch batch;
};

struct PageShapes {
  GridChoice grid;
  int64_t text_tokens = 0;  // Of the prompt, with the one that begins it.
  LedgerShapes shapes;
};

// Views and image tokens as MakeViews and LayoutTokens have them, tokens of the prompt as
// BuildPrompt does. An error if the request contradicts itself or the vendor's limits.
Result<PageShapes> ShapesOfRequest(const Dimensions& dimensions,
                                   const tokenizers::Tokenizer& tokenizer,
                                   const PageRequest& request);

// With which context decode steps are counted (infer.context_len_mode).
struct ContextRule {
  enum class Mode {
    kAuto,   // What each step has.
    kMax,    // The longest that the model allows, in every step.
    kFixed,  // `fixed`, in every step.
  };

  Mode mode = Mode::kAuto;
  int64_t fixed = 0;  // In tokens, at least 1.
};

// Tokens that a step sees, its own included.
struct StepContexts {
  int64_t first = 0;
  int64_t last = 0;
};
StepContexts ContextsOf(const Dimensions& dimensions, const LedgerShapes& shapes,
                        const ContextRule& rule);

// MakeLedger, with decode steps and the KV cache counted by the rule. Activation peaks
// stay those of the real shapes.
Result<Ledger> MakeLedger(const Dimensions& dimensions, const LedgerShapes& shapes,
                          const ContextRule& rule);

}  // namespace ridgeline::models::deepseek_ocr
