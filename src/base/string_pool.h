// Interns names. Millions of events share a few thousand names, so a row stores a
// four-byte id instead.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace ridgeline {

using StringId = uint32_t;

// Ids are 0, 1, ... in the order of first appearance. Texts keep their address even if
// the pool is moved.
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
