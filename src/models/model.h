// Static description of a model: its parameters, tensors and regions, and the cost of one
// sample. See docs/add-a-model.md for how to add one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cost/ledger.h"
#include "model_io/checkpoints/checkpoint.h"
#include "model_io/checkpoints/dtype.h"

namespace ridgeline::models {

// Source of a model. The first one given is used.
struct ModelSource {
  std::optional<std::string> config_json;  // Nothing is read; `origin` is its file name.
  std::string origin;
  std::filesystem::path path;         // Of the checkpoint, which may not exist yet...
  std::optional<std::string> preset;  // ...if this gives its dimensions.
};

// The request for one sample.
struct SampleRequest {
  cost::ImageSize image = cost::kSyntheticPage;
  cost::PreprocessOptions preprocess;
  std::string prompt;
  int64_t new_tokens = 1;  // Tokens to generate; at least 1.
  cost::ByteWidths bytes;
  cost::SampleBatch batch;
};

// Part of the ledger that runs in an NVTX range of the model. The cost of a path with
// several rows is their sum.
struct RegionSpec {
  std::string_view path;    // "prefill/sam"
  std::string_view phase;   // "vision"
  std::string_view module;  // "sam"; empty: the whole phase.
  bool per_step = false;    // Entered once per decode step, otherwise once per sample.
};

// Times of metrics.json that belong to a phase of the ledger.
struct PhaseClock {
  std::string_view phase;
  std::string_view includes;  // Phase whose time is included; empty: none.
};

class Model {
 public:
  virtual ~Model() = default;

  virtual std::string_view name() const = 0;         // model.name
  virtual std::string_view sample_unit() const = 0;  // "page": used in reports.
  virtual std::string_view origin() const = 0;  // "models/x/config.json", "preset tiny"
  virtual std::string ConfigJson() const = 0;   // For ModelSource::config_json.

  virtual cost::Parameters parameters() const = 0;
  virtual std::vector<checkpoints::ExpectedTensor> tensors() const = 0;
  // Of the weights on disk, or as published.
  virtual checkpoints::DType stored_dtype() const = 0;

  virtual std::span<const RegionSpec> regions() const = 0;
  virtual std::span<const PhaseClock> clocks() const = 0;  // For each phase, in order.

  // Fails if the request contradicts itself or the model's limits, or if the source has
  // no tokenizer.
  virtual Result<cost::SampleShape> ShapeOf(const SampleRequest& request) const = 0;

  // For a measured sample, from its token counts; nullopt if they match no sample.
  virtual std::optional<cost::SampleShape> ShapeOfTokens(
      int64_t prompt_tokens, int64_t text_tokens,
      const cost::PreprocessOptions& preprocess) const = 0;

  // Fails if shapes contradict each other or the model's dimensions. Activation peaks are
  // those of the real shapes, regardless of the rule.
  virtual Result<cost::Ledger> LedgerOf(const cost::SampleShape& shape,
                                        const cost::ContextRule& rule = {}) const = 0;
  virtual cost::StepContexts ContextsOf(const cost::SampleShape& shape,
                                        const cost::ContextRule& rule) const = 0;

  // One decode step with a context of `context` tokens per sample, including its own.
  virtual cost::Cost StepCost(const cost::ByteWidths& bytes, int64_t context,
                              const cost::SampleBatch& batch) const = 0;

  // nullopt: the model has no experts.
  virtual std::optional<cost::ExpertsRead> ExpertsPerStep(int64_t samples) const = 0;
};

struct CreateOptions {
  std::string preset = "tiny";
  uint64_t seed = 0;
  checkpoints::DType dtype = checkpoints::DType::kBf16;  // Or kF32.
};

// A key of the configuration that describes the weights: they allow one value.
struct FixedKey {
  std::string_view key;
  int64_t value;
};

// A key under which earlier configurations had an option of the model.
struct RenamedKey {
  std::string_view from;
  std::string_view to;
};

// An entry of the registry.
struct ModelEntry {
  std::string_view name;
  // Null: no ledger, so neither static analysis nor a roofline for this model.
  Result<std::unique_ptr<Model>> (*open)(const ModelSource& source) = nullptr;
  // Writes a checkpoint with random weights. Null: the model needs no checkpoint.
  Status (*create)(const std::filesystem::path& directory,
                   const CreateOptions& options) = nullptr;
  bool has_output_options = false;  // Below pipeline.<stage>.output.extra.<name>.
  std::span<const FixedKey> fixed_keys;
  std::span<const RenamedKey> renamed_keys;
};

}  // namespace ridgeline::models
