// FLOPs that were counted while the network ran, from dispatcher.json:
//   {"schema_version": 1, "decode_steps": 3,
//    "phases": {"vision": [{"scope": "sam.block0.attn.qkv", "class": "gemm",
//                           "flops": 123}], "prefill": [...], "decode": [...]}}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cost/flop_check.h"
#include "models/deepseek_ocr/ledger.h"

namespace ridgeline::estimates {

inline constexpr const char* kDispatcherFile = "dispatcher.json";

struct DispatcherCount {
  std::vector<cost::CountedRow> vision;
  std::vector<cost::CountedRow> prefill;
  std::vector<cost::CountedRow> decode;
  std::optional<int64_t> decode_steps;  // Nothing: as many as the page has.
};

// `origin` begins the message of an error.
Result<DispatcherCount> ParseDispatcherCount(std::string_view json,
                                             std::string_view origin);

struct ReconciledPhase {
  std::string name;
  cost::Reconciliation result;
};

struct DispatcherReport {
  std::vector<ReconciledPhase> phases;

  size_t CountOf(cost::ReconciledRow::Kind kind) const;
};

DispatcherReport ReconcileAll(const models::deepseek_ocr::Ledger& ledger,
                              const DispatcherCount& count);

// What was not counted is taken from the closed form with kFill; what was counted has
// to be the same. The error names the first rows that are not.
enum class Fallback { kNone, kFill };
Status CheckAgreement(const DispatcherReport& report, Fallback fallback);

}  // namespace ridgeline::estimates
