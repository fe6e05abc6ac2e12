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

  // How often an operator was called that multiplies matrices, as far as its name says,
  // and that was not counted, nor any operator within it.
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
  // An operator outside of all counted ones.
  struct Open {
    const char* unknown = nullptr;  // Its name, if it multiplies matrices.
    int64_t counted_before = 0;
  };
  std::vector<Open> open_;
  int64_t counted_ = 0;  // Operators counted or known to be unknown, until now.
  at::CallbackHandle callback_;
};

}  // namespace ridgeline::inference
