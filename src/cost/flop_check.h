// Holds the closed form against what was counted while the network ran.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cost/cost.h"

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
// rows of other classes are left out: what a dispatcher tells of them depends on how
// operators are cut.
Reconciliation Reconcile(const CostNode& phase, std::span<const CountedRow> counted);

}  // namespace ridgeline::cost
