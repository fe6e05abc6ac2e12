#pragma once

#include <ATen/ATen.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ridgeline::inference {

// Names the part of a network being computed, for the recorder of this thread:
//
//   const Scope layer("layer", 3);
//   const Scope attention("attn");   // "decoder.layer3.attn", in a scope "decoder"
//
// The names match those of the closed form (docs/flops.md). Without a recorder, it costs
// one comparison.
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

// Tracks the scopes of this thread while it exists. One at a time per thread.
class ScopeTrail {
 public:
  ScopeTrail();
  ~ScopeTrail();
  ScopeTrail(const ScopeTrail&) = delete;
  ScopeTrail& operator=(const ScopeTrail&) = delete;

  // Index of the open scope in paths(); 0: none.
  uint32_t current() const { return open_.back(); }

  // "" (no scope), then each path seen so far.
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  friend class Scope;

  // A scope and its parent. Names are constants and compared by address; if equal names
  // have different addresses, two entries have the same path.
  struct Step {
    uint32_t parent = 0;
    const char* name = nullptr;
    size_t index = 0;  // From 1; 0: none.
    bool operator==(const Step&) const = default;
  };
  struct HashStep {
    size_t operator()(const Step& step) const {
      return (std::hash<const char*>()(step.name) ^ (uint64_t{step.parent} << 32) ^
              step.index) *
             0x9e3779b97f4a7c15;
    }
  };

  void Push(const char* name, size_t index);

  std::vector<uint32_t> open_ = {0};
  std::vector<std::string> paths_ = {""};
  std::unordered_map<Step, uint32_t, HashStep> places_;
};

// op(x) in a scope of that name.
template <typename Op>
at::Tensor In(const char* name, const Op& op, const at::Tensor& x) {
  const Scope scope(name);
  return op(x);
}

}  // namespace ridgeline::inference
