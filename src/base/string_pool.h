// StringPool: every name once. Millions of events share a few thousand names, so a row
// holds a number of four bytes instead.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace ridgeline {

using StringId = uint32_t;

// Numbers are 0, 1, ... in the order in which names were first seen. A text stays where
// it is, also when the table is moved.
class StringPool {
 public:
  StringPool();

  StringId Intern(std::string_view text);

  std::string_view text(StringId id) const { return texts_[id]; }
  size_t size() const { return texts_.size(); }

 private:
  struct Slot {
    uint32_t hash = 0;
    StringId id_plus_one = 0;  // 0: free.
  };

  StringId Add(std::string_view text);
  void Grow();

  std::vector<Slot> slots_;  // A power of two, at most half full.
  std::vector<uint64_t> hashes_;
  std::vector<std::string_view> texts_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t block_used_ = 0;
  size_t block_size_ = 0;
};

}  // namespace ridgeline
