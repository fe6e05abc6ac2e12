// dispatcher.json: FLOPs passed to libtorch's dispatcher while processing one sample, by
// phase, and the shapes they depend on.
//   {"schema_version": 1, "prompt_tokens": 45, "image_tokens": 38, "decode_steps": 3,
//    "views": [{"side": 256, "count": 1}],
//    "phases": {"vision": [{"scope": "sam.block0.attn.qkv", "class": "gemm",
//                           "flops": 123}], "prefill": [...], "decode": [...]},
//    "operators_without_formula": {"aten::baddbmm": 2}}
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cost/flop_check.h"

namespace ridgeline::profiles {

inline constexpr const char* kOpCountsFile = "dispatcher.json";

// FLOPs of the GEMMs executed by one part of a network.
struct CountedOps {
  std::string scope;       // "decoder.layer3.attn.q"
  std::string cost_class;  // As in cost/cost.h: "gemm", "attention_scores".
  uint64_t flops = 0;

  bool operator==(const CountedOps&) const = default;
};

struct OpCounts {
  struct Phase {
    std::string name;  // "vision", "prefill" (decoder only), "decode"
    std::vector<CountedOps> rows;
    std::map<std::string, int64_t> unknown;  // Operators without a formula, with counts.

    bool operator==(const Phase&) const = default;
  };
  struct Views {
    int64_t side = 0;
    int64_t count = 0;

    bool operator==(const Views&) const = default;
  };
  std::vector<Phase> phases;
  std::vector<Views> views;
  int64_t prompt_tokens = 0;
  int64_t image_tokens = 0;
  std::optional<int64_t> decode_steps;  // nullopt: all of the sample.

  bool operator==(const OpCounts&) const = default;
};

std::string ToJson(const OpCounts& counts);

// Errors begin with `origin`. All classes must be known. Operators without a formula are
// not stored by phase, and not read.
Result<OpCounts> ParseOpCounts(std::string_view json, std::string_view origin);

// For CheckFlops().
std::vector<cost::CountedPhase> PhasesOf(const OpCounts& counts);

}  // namespace ridgeline::profiles
