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

  // In the order of scopes and classes.
  std::vector<CountedOps> rows() const;

  // How often an operator was called that multiplies matrices and has no formula here.
  const std::map<std::string, int64_t>& unknown() const { return unknown_; }

 private:
  friend struct OpCounterCallbacks;

  void Begin(const at::RecordFunction& op);
  void End();
  void Add(const std::string& part, std::string_view cost_class, uint64_t flops);

  ScopeTrail scopes_;
  std::map<std::pair<std::string, std::string>, uint64_t> flops_;
  std::map<std::string, int64_t> unknown_;
  int depth_ = 0;  // Of the operators that are open, from a counted one on.
  at::CallbackHandle callback_;
};

}  // namespace ridgeline::inference
