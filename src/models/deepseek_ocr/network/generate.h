#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "models/deepseek_ocr/network/network.h"

namespace ridgeline::networks::deepseek_ocr {

struct GenerateOptions {
  int64_t max_new_tokens = 8192;
  int64_t no_repeat_ngram_size = 0;   // 0: off.
  std::optional<double> temperature;  // nullopt: greedy.
  uint64_t seed = 0;                  // For sampling.
  // Called with the logits of each step before a token is chosen; for tests.
  std::function<void(const at::Tensor& logits)> on_logits;
};

// Wall times, synchronized with the device at both ends.
struct PhaseTimes {
  double prefill_s = 0;  // Includes the parts below.
  double vision_s = 0;
  VisionTimes vision;  // Its parts.
  double decode_s = 0;
};

struct Generated {
  std::vector<int64_t> ids;  // Including the end-of-text token, if generated.
  bool reached_end = false;
  int64_t prompt_tokens = 0;
  int64_t decode_steps = 0;  // Forward passes for one token; prefill gives the first.
  PhaseTimes times;
  std::string nan_phase;  // First one whose last logits are NaN; empty: none.
};

struct GenerateInput {
  std::vector<int64_t> prompt;  // Including placeholders.
  int64_t image_id = 0;
  PageTensors page;
};

Result<Generated> Generate(const Network& network, const GenerateInput& input,
                           const GenerateOptions& options);

}  // namespace ridgeline::networks::deepseek_ocr
