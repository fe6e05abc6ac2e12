#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "models/deepseek_ocr/network/network.h"

namespace ridgeline::networks::deepseek_ocr {

struct GenerateOptions {
  int64_t max_new_tokens = 8192;
  int64_t no_repeat_ngram_size = 0;   // 0: off.
  std::optional<double> temperature;  // Nothing: the likeliest token, always.
  uint64_t seed = 0;                  // Of the drawing.
  // Sees the logits of each step before a token is chosen; for tests.
  std::function<void(const at::Tensor& logits)> on_logits;
};

// Wall times, taken with the device idle at both ends.
struct PhaseTimes {
  double prefill_s = 0;  // With the parts below.
  double vision_s = 0;
  VisionTimes vision;  // Its parts.
  double decode_s = 0;
};

struct Generated {
  std::vector<int64_t> ids;  // With the end-of-text token, if it came.
  bool reached_end = false;
  int64_t prompt_tokens = 0;
  int64_t decode_steps = 0;  // Passes for one token; the first token is prefill's.
  PhaseTimes times;
};

struct GenerateInput {
  std::vector<int64_t> prompt;  // With its placeholders.
  int64_t image_id = 0;
  PageTensors page;
};

Result<Generated> Generate(const Network& network, const GenerateInput& input,
                           const GenerateOptions& options);

}  // namespace ridgeline::networks::deepseek_ocr
