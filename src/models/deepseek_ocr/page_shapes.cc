#include "models/deepseek_ocr/page_shapes.h"

#include <fmt/format.h>

#include "models/deepseek_ocr/prompt.h"

namespace ridgeline::models::deepseek_ocr {

Result<SampleShape> ShapesOfRequest(const Dimensions& dimensions,
                                    const tokenizers::Tokenizer& tokenizer,
                                    const SampleRequest& request) {
  const cost::ImageSize& page = request.image;
  if (page.width < 1 || page.height < 1) {
    return Error(ErrorCode::kConfig,
                 fmt::format("a page of {} x {} pixels", page.width, page.height));
  }
  if (request.new_tokens < 1) {
    return Error(ErrorCode::kConfig,
                 fmt::format("infer.max_new_tokens: {} tokens", request.new_tokens));
  }
  const PreprocessOptions& options = request.preprocess;
  const bool may_crop = options.enable && options.crop_mode;
  const GridChoice grid = may_crop ? ChooseGrid(page.width, page.height) : GridChoice();
  const std::vector<int64_t> text =
      BuildPrompt(request.prompt,
                  {.bos_id = dimensions.decoder.bos_id, .image_id = 0, .placeholders = 0},
                  [&tokenizer](std::string_view part) { return tokenizer.Encode(part); });
  RIDGELINE_TRY(SampleShape shape,
                ShapesOfPage(grid, options, static_cast<int64_t>(text.size())));
  shape.bytes = request.bytes;
  shape.decode_steps = request.new_tokens - 1;
  shape.batch = request.batch;
  return shape;
}

StepContexts ContextsOf(const Dimensions& dimensions, const SampleShape& shapes,
                        const ContextRule& rule) {
  switch (rule.mode) {
    case ContextRule::Mode::kAuto:
      return {.first = shapes.prompt_tokens + 1,
              .last = shapes.prompt_tokens + shapes.decode_steps};
    case ContextRule::Mode::kMax:
      return {.first = dimensions.decoder.max_positions,
              .last = dimensions.decoder.max_positions};
    case ContextRule::Mode::kFixed:
      return {.first = rule.fixed, .last = rule.fixed};
  }
  return {};
}

Result<Ledger> MakeLedger(const Dimensions& dimensions, const SampleShape& shapes,
                          const ContextRule& rule) {
  RIDGELINE_TRY(Ledger ledger, MakeLedger(dimensions, shapes));
  if (rule.mode == ContextRule::Mode::kAuto) return ledger;
  const int64_t context = ContextsOf(dimensions, shapes, rule).last;
  if (context < 1) {
    return Error(ErrorCode::kConfig,
                 fmt::format("infer.context_len_fixed: a context of {} tokens", context));
  }
  cost::CostNode& decode = *ledger.Find("decode");
  decode = DecodeStepCost(dimensions, shapes.bytes, context, shapes.batch);
  decode.name = "decode";
  cost::Repeat(decode, shapes.decode_steps);
  ledger.kv_cache_bytes =
      KvCacheBytes(dimensions.decoder, shapes.bytes, context) * shapes.batch.samples;
  return ledger;
}

}  // namespace ridgeline::models::deepseek_ocr
