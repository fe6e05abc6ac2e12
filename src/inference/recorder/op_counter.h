#pragma once

#include <ATen/record_function.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "inference/scope.h"
#include "profiles/op_counts.h"

namespace ridgeline::inference {

using profiles::CountedOps;

// Counts the FLOPs of the operators that this thread dispatches, from their input shapes,
// while it exists. One at a time per thread.
//
// An operator that contains others (linear, conv2d) counts once. Only matrix
// multiplications and convolutions are counted.
class OpCounter {
 public:
  OpCounter();
  ~OpCounter();
  OpCounter(const OpCounter&) = delete;
  OpCounter& operator=(const OpCounter&) = delete;

  // Sorted by scope and class.
  std::vector<CountedOps> rows() const;

  // Number of calls by name of operators that multiply matrices, judging by their name,
  // and were not counted, nor were any operators nested in them.
  const std::map<std::string, int64_t>& unknown() const { return unknown_; }

 private:
  friend struct OpCounterCallbacks;

  void Begin(const at::RecordFunction& op);
  void End();
  void Add(const std::string& part, std::string_view cost_class, uint64_t flops);

  ScopeTrail scopes_;
  std::map<std::pair<std::string, std::string>, uint64_t> flops_;
  std::map<std::string, int64_t> unknown_;
  int depth_ = 0;  // Of open operators, starting with a counted one.
  // An open operator outside all counted ones.
  struct Open {
    const char* unknown = nullptr;  // Its name, if it multiplies matrices.
    int64_t counted_before = 0;
  };
  std::vector<Open> open_;
  int64_t counted_ = 0;  // Operators counted or found to be unknown so far.
  at::CallbackHandle callback_;
};

}  // namespace ridgeline::inference
