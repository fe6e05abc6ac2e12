// Matches GPU ops with the runtime calls that launched them.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "profiles/nsys_sqlite/numbering.h"
#include "results/nsys_rows.h"
#include "results/packed_rows.h"

namespace ridgeline::profiles::nsys_sqlite {

// A correlation id, within its process.
struct LaunchKey {
  uint32_t process = 0;
  int64_t correlation = 0;

  bool operator==(const LaunchKey&) const = default;
  bool operator<(const LaunchKey& other) const {
    return std::tie(process, correlation) < std::tie(other.process, other.correlation);
  }
};

// Set of keys. They are dense, so it stores 512 at a time.
class LaunchKeySet {
 public:
  // False: already present.
  bool Add(const LaunchKey& key);
  bool Contains(const LaunchKey& key);

 private:
  static constexpr size_t kBlock = 512;
  using Block = std::bitset<kBlock>;
  Block& BlockOf(const LaunchKey& key);

  std::unordered_map<uint64_t, Block> blocks_;
  // Keys are nearly in order.
  uint64_t last_number_ = 0;
  Block* last_ = nullptr;
};

// First all ops, then all calls. Both are sorted by packed keys and then merged: works
// for any file order and any number of rows.
class LaunchJoin {
 public:
  // `rows` must not move, and must have the tracks before their ops are added.
  explicit LaunchJoin(const results::NsysRows& rows);

  void AddOp(const results::NsysGpuOp& op);
  // Of two calls with the same key, the later one counts.
  void AddCall(const LaunchKey& key, uint32_t thread, const RowTimes& times);

  bool HasCall(const LaunchKey& key) { return called_.Contains(key); }

  int64_t duplicate_calls() const { return duplicate_calls_; }
  results::NsysGpuOps Finish() &&;

 private:
  struct Call {
    LaunchKey key;
    uint32_t thread = 0;
    RowTimes times;

    using Fields = std::array<int64_t, 4>;
    Fields Pack() const;
    static Call Unpack(const Fields& fields);
  };
  struct CallIsBefore {
    bool operator()(const Call& a, const Call& b) const { return a.key < b.key; }
  };
  struct OpIsBefore {
    const std::vector<results::NsysTrack>* tracks = nullptr;

    LaunchKey KeyOf(const results::NsysGpuOp& op) const {
      return {(*tracks)[op.track].process, op.correlation};
    }
    bool operator()(const results::NsysGpuOp& a, const results::NsysGpuOp& b) const {
      return KeyOf(a) < KeyOf(b);
    }
  };

  OpIsBefore order_;
  results::RowSorter<results::NsysGpuOp, OpIsBefore> ops_;
  results::RowSorter<Call, CallIsBefore> calls_;
  LaunchKeySet launched_;
  LaunchKeySet called_;
  int64_t duplicate_calls_ = 0;
};

}  // namespace ridgeline::profiles::nsys_sqlite
