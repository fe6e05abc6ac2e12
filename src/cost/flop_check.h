// Compares the closed form with what was counted while the network ran.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cost/cost.h"
#include "cost/ledger.h"

namespace ridgeline::cost {

// FLOPs that a dispatcher saw in a module. A scope may come several times: calls are
// added up.
struct CountedRow {
  std::string scope;  // "sam.block0.attn.qkv"
  CostClass cost_class = CostClass::kGemm;
  Count flops;
};

struct ReconciledRow {
  enum class Kind {
    kEqual,
    kDiffers,
    kNotCounted,   // Only the closed form has it.
    kNotInLedger,  // Only the dispatcher has it.
  };

  std::string scope;
  CostClass cost_class = CostClass::kGemm;
  std::optional<Count> ledger;
  std::optional<Count> counted;
  Kind kind = Kind::kEqual;
};

struct Reconciliation {
  std::vector<ReconciledRow> rows;  // In the order of the ledger, then what it lacks.
  Count ledger_total;
  Count counted_total;
  // With what was not counted, taken from the closed form.
  Count filled_total;

  size_t CountOf(ReconciledRow::Kind kind) const;
};

// Compares executed FLOPs of matrix products, module by module without children. Counted
// rows of other classes are skipped: their FLOPs depend on how operators are split.
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

// Every phase of the ledger; what was counted in other phases is left out.
FlopCheck CheckFlops(const Ledger& ledger, std::span<const CountedPhase> counted);

// What was not counted is taken from the closed form with kFill; what was counted has
// to be the same. The error names the first rows that are not.
enum class Fallback { kNone, kFill };
Status CheckAgreement(const FlopCheck& check, Fallback fallback);

}  // namespace ridgeline::cost
