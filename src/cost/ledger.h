// Cost of one sample (a page, a prompt) or a batch of them: its shape, and the cost of
// each phase. Ledgers are created by models and shared by everything that compares,
// predicts or prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cost/cost.h"

namespace ridgeline::cost {

// How an image is converted to views for a vision encoder (model.preprocess.*). Sides in
// pixels.
struct PreprocessOptions {
  bool enable = true;    // false: the image is only resized to `image_size`, ignoring its
                         // aspect ratio.
  int base_size = 1024;  // For the view of the whole image, if crops are possible.
  int image_size = 640;  // The same, if not. With crops, it only affects token counts.
  bool crop_mode = true;  // Large images are also encoded as crops.
};

struct ImageSize {
  int width = 0;  // In pixels, upright.
  int height = 0;
};

// US Letter at 200 dpi: the default page.
constexpr ImageSize kSyntheticPage = {.width = 1700, .height = 2200};

// Grid of crops an image is cut into.
struct GridChoice {
  int cols = 1;
  int rows = 1;

  int crops() const { return cols * rows == 1 ? 0 : cols * rows; }
  bool operator==(const GridChoice&) const = default;
};

// Views of the same size, encoded as one batch.
struct ViewBatch {
  int64_t side = 0;  // In pixels.
  int64_t count = 0;
};

struct ByteWidths {
  int64_t weights = 2;
  int64_t router_weights = 4;  // Routers are kept in f32.
  int64_t activations = 2;
  int64_t kv = 2;
};

// Prompt tokens routed to each expert: one list per MoE layer. (A decode step has nothing
// to record: its token goes to k experts, whichever they are.)
struct RecordedRouting {
  std::vector<std::vector<int64_t>> tokens_by_expert;
};

// How the tokens of one decode step are distributed over experts. With one sample the
// choices are equivalent.
enum class ExpertSpread {
  kLeast,    // All choose the same experts.
  kUniform,  // Uniform random choice: expected number of unique experts.
  kMost,     // As many unique experts as possible.
};

// Samples of the same shape processed as a batch: each has the cost of a single sample,
// but weights are read once per call for the whole batch.
struct SampleBatch {
  int64_t samples = 1;
  ExpertSpread experts = ExpertSpread::kLeast;
};

// Number of experts of a layer read by one decode step, out of `experts`.
struct ExpertsRead {
  int64_t least = 0;
  double uniform = 0;
  int64_t most = 0;
  int64_t experts = 0;
};

struct SampleShape {
  GridChoice grid;
  std::vector<ViewBatch> views;  // The crops, if any, then the global view.
  int64_t prompt_tokens = 0;     // Includes image tokens.
  int64_t image_tokens = 0;
  // Forward calls after the prompt's: one less than the generated tokens, because the
  // first is produced by the prompt's.
  int64_t decode_steps = 0;
  ByteWidths bytes;
  SampleBatch batch;
  // Without it, all experts that the prompt could reach are assumed to be read. For one
  // sample.
  std::optional<RecordedRouting> prompt_routing;

  int64_t text_tokens() const { return prompt_tokens - image_tokens; }
};

// The context length assumed for decode steps (infer.context_len_mode).
struct ContextRule {
  enum class Mode {
    kAuto,   // The actual length at each step.
    kMax,    // The model's maximum, at every step.
    kFixed,  // `fixed`, at every step.
  };

  Mode mode = Mode::kAuto;
  int64_t fixed = 0;  // In tokens; at least 1.
};

// Context length of a step, including its own token.
struct StepContexts {
  int64_t first = 0;
  int64_t last = 0;
};

// Peak size of the tensors alive at the same time in a phase, without the KV cache and
// the overhead of libraries and allocators.
struct ActivationPeak {
  std::string phase;
  Count bytes;
};

struct Ledger {
  std::vector<CostNode> phases;       // In execution order, by name: "prefill".
  std::vector<ActivationPeak> peaks;  // For all samples of a batch.
  Count kv_cache_bytes;               // After the last step, for all samples.

  // Null: no such phase.
  const CostNode* Find(std::string_view phase) const;
  CostNode* Find(std::string_view phase);
  // The phase must exist.
  const CostNode& phase(std::string_view name) const;
  Count peak_bytes(std::string_view name) const;

  Cost total() const;  // Sum of all phases.
};

// The closed form of one sample, with everything a report shows about it.
struct Estimate {
  std::string model;
  std::string model_origin;  // "models/x/config.json", "preset tiny".
  std::string config_json;   // The model's dimensions, as in its config.json.
  ImageSize page;
  std::string page_origin;  // "synthetic", or the page's file.
  PreprocessOptions preprocess;
  SampleShape shape;
  ContextRule context;
  StepContexts contexts;
  Parameters parameters;
  Ledger ledger;  // Decode steps assume the fewest unique experts.
  // Decode cost for other expert distributions. All equal for one sample.
  Cost decode_uniform;
  Cost decode_most;
  // One decode step of one sample, at the start and the end of the output; empty without
  // steps.
  std::optional<Cost> first_step;
  std::optional<Cost> last_step;
  std::optional<ExpertsRead> experts;  // Per decode step; empty: no experts.
};

}  // namespace ridgeline::cost
