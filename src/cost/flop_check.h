// Compares the closed form with the FLOPs counted at run time.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cost/cost.h"
#include "cost/ledger.h"

namespace ridgeline::cost {

// FLOPs counted by a dispatcher in one module. Rows with the same scope are summed.
struct CountedRow {
  std::string scope;  // "sam.block0.attn.qkv"
  CostClass cost_class = CostClass::kGemm;
  Count flops;
};

struct ReconciledRow {
  enum class Kind {
    kEqual,
    kDiffers,
    kNotCounted,   // Only in the closed form.
    kNotInLedger,  // Only in the dispatcher's count.
  };

  std::string scope;
  CostClass cost_class = CostClass::kGemm;
  std::optional<Count> ledger;
  std::optional<Count> counted;
  Kind kind = Kind::kEqual;
};

struct Reconciliation {
  std::vector<ReconciledRow> rows;  // In ledger order, then rows missing from the ledger.
  Count ledger_total;
  Count counted_total;
  // Includes uncounted modules, from the closed form.
  Count filled_total;

  size_t CountOf(ReconciledRow::Kind kind) const;
};

// Compares executed matrix multiplication FLOPs of leaf modules. Counted rows of other
// classes are skipped: their FLOPs depend on how operators are split.
Reconciliation Reconcile(const CostNode& phase, std::span<const CountedRow> counted);

struct CountedPhase {
  std::string name;
  std::vector<CountedRow> rows;
};

struct CheckedPhase {
  std::string name;
  Reconciliation result;
};

struct FlopCheck {
  std::vector<CheckedPhase> phases;

  size_t CountOf(ReconciledRow::Kind kind) const;
};

// Checks every phase of the ledger; counts of other phases are ignored.
FlopCheck CheckFlops(const Ledger& ledger, std::span<const CountedPhase> counted);

// With kFill, uncounted modules are taken from the closed form; counted ones must match.
// The error names the first mismatches.
enum class Fallback { kNone, kFill };
Status CheckAgreement(const FlopCheck& check, Fallback fallback);

}  // namespace ridgeline::cost
