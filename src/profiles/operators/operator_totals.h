#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "profiles/operators/event.h"

namespace ridgeline::profiles {

// Sums over events of one name, and one kind of inputs.
struct OperatorTotal {
  EventKind kind = EventKind::kOperator;
  int64_t calls = 0;
  int64_t self_ns = 0;
  int64_t total_ns = 0;  // A call within one of the same name is in that one's time.
  int64_t longest_ns = 0;
  int64_t bytes_self = 0;
  int64_t bytes_total = 0;
  uint64_t flops = 0;

  OperatorTotal& operator+=(const OperatorTotal& other);
  bool operator==(const OperatorTotal&) const = default;
};

class OperatorTotals {
 public:
  struct Key {
    uint32_t name = 0;
    uint32_t shapes = 0;
    bool operator==(const Key&) const = default;
  };

  void Add(const Event& event);
  void Add(Key key, const OperatorTotal& total) { totals_[key] += total; }
  void Add(const OperatorTotals& other);
  bool empty() const { return totals_.empty(); }

  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (const auto& [key, total] : totals_) visit(key, total);
  }

 private:
  struct Hash {
    size_t operator()(const Key& key) const {
      return (uint64_t{key.name} << 32 | key.shapes) * 0x9e3779b97f4a7c15;
    }
  };
  std::unordered_map<Key, OperatorTotal, Hash> totals_;
};

}  // namespace ridgeline::profiles
