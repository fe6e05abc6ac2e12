// Derives the shapes for the ledger from a page and a request. Nothing is run and no
// pixel is read.
#pragma once

#include "base/result.h"
#include "model_io/tokenizers/tokenizer.h"
#include "models/deepseek_ocr/dimensions.h"
#include "models/deepseek_ocr/ledger.h"
#include "models/deepseek_ocr/preprocess.h"
#include "models/model.h"

namespace ridgeline::models::deepseek_ocr {

using cost::ContextRule;
using cost::StepContexts;

// Views and image tokens as in MakeViews and LayoutTokens, prompt tokens as in
// BuildPrompt. Fails if the request contradicts itself or the vendor's limits.
Result<SampleShape> ShapesOfRequest(const Dimensions& dimensions,
                                    const tokenizers::Tokenizer& tokenizer,
                                    const SampleRequest& request);

StepContexts ContextsOf(const Dimensions& dimensions, const SampleShape& shapes,
                        const ContextRule& rule);

// MakeLedger, with decode steps and KV cache counted by the rule. Activation peaks are
// still those of the real shapes.
Result<Ledger> MakeLedger(const Dimensions& dimensions, const SampleShape& shapes,
                          const ContextRule& rule);

}  // namespace ridgeline::models::deepseek_ocr
