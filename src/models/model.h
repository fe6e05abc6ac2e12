// What a model is without being run: its parameters, tensors and regions, and what one
// sample costs it. docs/add-a-model.md explains how to add one.
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

// Where a model comes from. The first that is given is used.
struct ModelSource {
  std::optional<std::string> config_json;  // No file is read; `origin` names it.
  std::string origin;
  std::filesystem::path path;         // Of the checkpoint, which may not be there yet...
  std::optional<std::string> preset;  // ...if this says what it will be.
};

// The request for one sample.
struct SampleRequest {
  cost::ImageSize image = cost::kSyntheticPage;
  cost::PreprocessOptions preprocess;
  std::string prompt;
  int64_t new_tokens = 1;  // That are generated; at least 1.
  cost::ByteWidths bytes;
  cost::SampleBatch batch;
};

// Which part of the ledger runs in an NVTX range of the model. A path that has several
// rows costs what they cost together.
struct RegionSpec {
  std::string_view path;    // "prefill/sam"
  std::string_view phase;   // "vision"
  std::string_view module;  // "sam"; empty: the whole phase.
  bool per_step = false;    // Entered once per decode step, else once per sample.
};

// Which times of metrics.json belong to a phase of the ledger.
struct PhaseClock {
  std::string_view phase;
  std::string_view
      includes;  // The measured time includes that of this phase; empty: none.
};

class Model {
 public:
  virtual ~Model() = default;

  virtual std::string_view name() const = 0;         // model.name
  virtual std::string_view sample_unit() const = 0;  // "page": the word of reports.
  virtual std::string_view origin() const = 0;  // "models/x/config.json", "preset tiny"
  virtual std::string ConfigJson() const = 0;   // ModelSource::config_json reads it back.

  virtual cost::Parameters parameters() const = 0;
  virtual std::vector<checkpoints::ExpectedTensor> tensors() const = 0;
  // Of the weights on disk, or as they are published.
  virtual checkpoints::DType stored_dtype() const = 0;

  virtual std::span<const RegionSpec> regions() const = 0;
  virtual std::span<const PhaseClock> clocks() const = 0;  // Of each phase, in order.

  // An error if the request contradicts itself or the model's limits, or the source has
  // no tokenizer.
  virtual Result<cost::SampleShape> ShapeOf(const SampleRequest& request) const = 0;

  // Of a measured sample, from its numbers of tokens; nothing if no sample has as many.
  virtual std::optional<cost::SampleShape> ShapeOfTokens(
      int64_t prompt_tokens, int64_t text_tokens,
      const cost::PreprocessOptions& preprocess) const = 0;

  // An error if shapes contradict each other or the model's dimensions. Activation peaks
  // are those of the real shapes whatever the rule.
  virtual Result<cost::Ledger> LedgerOf(const cost::SampleShape& shape,
                                        const cost::ContextRule& rule = {}) const = 0;
  virtual cost::StepContexts ContextsOf(const cost::SampleShape& shape,
                                        const cost::ContextRule& rule) const = 0;

  // One decode step that sees `context` tokens of each sample, its own included.
  virtual cost::Cost StepCost(const cost::ByteWidths& bytes, int64_t context,
                              const cost::SampleBatch& batch) const = 0;

  // Nothing: the model has no experts.
  virtual std::optional<cost::ExpertsRead> ExpertsPerStep(int64_t samples) const = 0;
};

struct CreateOptions {
  std::string preset = "tiny";
  uint64_t seed = 0;
  checkpoints::DType dtype = checkpoints::DType::kBf16;  // Or kF32.
};

// A row of the registry.
struct ModelEntry {
  std::string_view name;
  // Null: no ledger, so no static analysis and no roofline of this model.
  Result<std::unique_ptr<Model>> (*open)(const ModelSource& source) = nullptr;
  // Writes a checkpoint of random weights. Null: the model needs no checkpoint.
  Status (*create)(const std::filesystem::path& directory,
                   const CreateOptions& options) = nullptr;
};

}  // namespace ridgeline::models
