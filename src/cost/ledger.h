// What one sample of a model (a page, a prompt), or a batch of them, costs: its shape,
// and the cost of each phase that it passes through. Models make ledgers; this is what
// all that compare, predict or print them share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cost/cost.h"

namespace ridgeline::cost {

// How an image becomes views of a vision encoder (model.preprocess.*). Sides in pixels.
struct PreprocessOptions {
  bool enable = true;     // false: the image is only squashed to `image_size`.
  int base_size = 1024;   // Of the view of the whole image, if there may be crops.
  int image_size = 640;   // The same, if not. With crops, it only changes token counts.
  bool crop_mode = true;  // Large images are also seen in pieces.
};

struct ImageSize {
  int width = 0;  // In pixels, upright.
  int height = 0;
};

// A letter at 200 dots per inch: what stands for a page where none is given.
constexpr ImageSize kSyntheticPage = {.width = 1700, .height = 2200};

// Into how many crops an image is cut: columns and rows.
struct GridChoice {
  int cols = 1;
  int rows = 1;

  int crops() const { return cols * rows == 1 ? 0 : cols * rows; }
  bool operator==(const GridChoice&) const = default;
};

// Views of one side, encoded together.
struct ViewBatch {
  int64_t side = 0;  // In pixels.
  int64_t count = 0;
};

struct ByteWidths {
  int64_t weights = 2;
  int64_t router_weights = 4;  // Networks keep routers in f32.
  int64_t activations = 2;
  int64_t kv = 2;
};

// How many tokens of the prompt each expert got: one list per layer with experts. (Of a
// decode step there is nothing to record: its token goes to k experts, whichever.)
struct RecordedRouting {
  std::vector<std::vector<int64_t>> tokens_by_expert;
};

// How the tokens of one decode step choose experts. Of one sample there is no difference.
enum class ExpertSpread {
  kLeast,    // All the same ones.
  kUniform,  // Any one is as likely as any other: how many differ, on average.
  kMost,     // As different ones as there are.
};

// Samples of the same shape that are processed together: each does what it does alone,
// but weights are read once per call for all of them.
struct SampleBatch {
  int64_t samples = 1;
  ExpertSpread experts = ExpertSpread::kLeast;
};

// How many experts of a layer one decode step reads, of the `experts` that it has.
struct ExpertsRead {
  int64_t least = 0;
  double uniform = 0;
  int64_t most = 0;
  int64_t experts = 0;
};

struct SampleShape {
  GridChoice grid;
  std::vector<ViewBatch> views;  // The crops, if any, then the global view.
  int64_t prompt_tokens = 0;     // With the image tokens.
  int64_t image_tokens = 0;
  // Forward calls behind the prompt's: one less than the tokens that are generated,
  // because the first comes out of the prompt's.
  int64_t decode_steps = 0;
  ByteWidths bytes;
  SampleBatch batch;
  // Without it, every expert that the prompt's choices could reach is read. Of one
  // sample.
  std::optional<RecordedRouting> prompt_routing;

  int64_t text_tokens() const { return prompt_tokens - image_tokens; }
};

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

// The largest sum of tensors that are held at one time in a phase, without the KV cache
// and without what libraries and allocators add.
struct ActivationPeak {
  std::string phase;
  Count bytes;
};

struct Ledger {
  std::vector<CostNode> phases;       // In the order of a sample, by name: "prefill".
  std::vector<ActivationPeak> peaks;  // Of all samples of a batch.
  Count kv_cache_bytes;               // After the last step, of all samples.

  // Null: no such phase.
  const CostNode* Find(std::string_view phase) const;
  CostNode* Find(std::string_view phase);
  // There must be one.
  const CostNode& phase(std::string_view name) const;
  Count peak_bytes(std::string_view name) const;

  Cost total() const;  // Of all phases, one after the other.
};

// The closed form of one sample, with all that a report says of it.
struct Estimate {
  std::string model;
  std::string model_origin;  // "models/x/config.json", "preset tiny".
  std::string config_json;   // The model's dimensions, as its config.json has them.
  ImageSize page;
  std::string page_origin;  // "synthetic", or the file of the page.
  PreprocessOptions preprocess;
  SampleShape shape;
  ContextRule context;
  StepContexts contexts;
  Parameters parameters;
  Ledger ledger;  // Decode steps with the fewest experts.
  // What decode costs if experts are chosen otherwise. Of one sample all are the same.
  Cost decode_uniform;
  Cost decode_most;
  // One decode step of one sample at both ends of the answer; nothing without steps.
  std::optional<Cost> first_step;
  std::optional<Cost> last_step;
  std::optional<ExpertsRead> experts;  // Of one decode step; nothing: no experts.
};

}  // namespace ridgeline::cost
