#pragma once

#include <ATen/ATen.h>

#include <cstddef>
#include <string>

namespace ridgeline::networks {

// Names the part of a network that is being computed, for whoever counts operators on
// this thread (op_counter.h):
//
//   const Scope layer("layer", 3);
//   const Scope attention("attn");   // "decoder.layer3.attn", in a scope "decoder"
//
// The names are those of the closed form (docs/flops.md). Where nobody counts, it costs a
// comparison.
class Scope {
 public:
  explicit Scope(const char* name);
  Scope(const char* name, size_t index);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  bool is_pushed_ = false;
};

// op(x) in a scope of that name.
template <typename Op>
at::Tensor In(const char* name, const Op& op, const at::Tensor& x) {
  const Scope scope(name);
  return op(x);
}

}  // namespace ridgeline::networks
