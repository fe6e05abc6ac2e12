// model_summary.json: the model of a Python program as observed by the Python agent, and
// the FLOPs of one of its calls, counted from the shapes of its operators.
//   {"schema_version": 1, "model": "LlamaForCausalLM", "torch": "2.13.0",
//    "parameters": {"total": 1000, "tied": 100}, "weights_bytes": 4000, ...,
//    "kv_cache_bytes_per_token": 512,
//    "call": {"name": "LlamaForCausalLM.generate", "flops": 5000,
//             "phases": [{"name": "prefill", "flops": 4000}], ...}}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::profiles {

inline constexpr const char* kModelSummaryFile = "model_summary.json";

// Tensors of one data type on one device.
struct WeightsRow {
  std::string dtype;
  std::string device;
  int64_t tensors = 0;
  int64_t numel = 0;
  int64_t bytes = 0;

  bool operator==(const WeightsRow&) const = default;
};

// A part of the model or of the call, with its FLOPs.
struct CountedPart {
  std::string name;
  std::optional<int64_t> parameters;  // nullopt: not a module.
  std::optional<int64_t> flops;       // nullopt: not counted.

  bool operator==(const CountedPart&) const = default;
};

// An operator that multiplies matrices but has no FLOP rule.
struct UncountedPart {
  std::string name;
  int64_t calls = 0;
  double time_share = 0;

  bool operator==(const UncountedPart&) const = default;
};

struct ModelSummary {
  std::string model;  // Class of the root module.
  std::string torch;  // Version.
  int64_t modules = 0;
  int64_t parameters = 0;       // Tied ones count once.
  int64_t parameters_tied = 0;  // Sharing the storage of another one.
  int64_t weights_bytes = 0;    // Of the parameters.
  int64_t buffers_bytes = 0;
  std::vector<WeightsRow> weights;
  std::string config_json;  // Hugging Face models only; otherwise empty.
  // Keys and values of one token in all layers. nullopt: not known from the config.
  std::optional<int64_t> kv_cache_bytes_per_token;
  std::string kv_cache_basis;  // How it was computed, or why not.

  std::string call;  // Call whose FLOPs were counted, or empty.
  std::optional<int64_t> prompt_tokens;
  std::optional<int64_t> generated_tokens;
  std::optional<int64_t> flops;     // Executed FLOPs of matrix products.
  std::vector<CountedPart> phases;  // prefill, decode.
  std::vector<CountedPart> layers;  // Children of the root, in the model's order.
  std::vector<UncountedPart> uncounted;

  bool operator==(const ModelSummary&) const = default;
};

std::string ToJson(const ModelSummary& summary);

// Errors begin with `origin`. Reads only the fields shown in the run report: parameters,
// bytes, FLOPs.
Result<ModelSummary> ParseModelSummary(std::string_view json, std::string_view origin);

}  // namespace ridgeline::profiles
