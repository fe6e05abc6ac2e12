#include "base/string_pool.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

#include "base/random.h"

namespace ridgeline {
namespace {

constexpr size_t kFirstSlots = 1024;
constexpr size_t kBlockBytes = size_t{64} << 10;

uint64_t Load8(const char* bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// Eight bytes at a time; the last eight overlap the previous ones.
uint64_t HashOf(std::string_view text) {
  uint64_t hash = text.size() * kSplitMixStep;
  const char* bytes = text.data();
  size_t left = text.size();
  if (left < sizeof(uint64_t)) {
    uint64_t word = 0;
    if (left > 0) std::memcpy(&word, bytes, left);
    return MixBits(hash ^ word);
  }
  for (; left > sizeof(uint64_t); left -= sizeof(uint64_t), bytes += sizeof(uint64_t)) {
    hash = (hash ^ Load8(bytes)) * 0xBF58476D1CE4E5B9;
    hash ^= hash >> 32;
  }
  return MixBits(hash ^ Load8(text.data() + text.size() - sizeof(uint64_t)));
}

}  // namespace

StringPool::StringPool() : slots_(kFirstSlots) {}

StringId StringPool::Intern(std::string_view text) {
  const uint64_t hash = HashOf(text);
  const size_t mask = slots_.size() - 1;
  // The slot comes from the low bits, the check from the high bits.
  const auto check = static_cast<uint32_t>(hash >> 32);
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.id_plus_one == 0) {
      const StringId id = Add(text);
      hashes_.push_back(hash);
      slot = {check, id + 1};
      if (texts_.size() * 2 > slots_.size()) Grow();
      return id;
    }
    if (slot.hash == check && texts_[slot.id_plus_one - 1] == text) {
      return slot.id_plus_one - 1;
    }
  }
}

StringId StringPool::Add(std::string_view text) {
  assert(texts_.size() < std::numeric_limits<StringId>::max() - 1);
  if (block_size_ - block_used_ < text.size()) {
    block_size_ = std::max(kBlockBytes, text.size());
    block_used_ = 0;
    blocks_.push_back(std::make_unique<char[]>(block_size_));
  }
  if (!text.empty()) {
    char* const place = blocks_.back().get() + block_used_;
    std::memcpy(place, text.data(), text.size());
    block_used_ += text.size();
    text = {place, text.size()};
  } else {
    text = {};
  }
  texts_.push_back(text);
  return static_cast<StringId>(texts_.size() - 1);
}

void StringPool::Grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  const size_t mask = larger.size() - 1;
  for (size_t id = 0; id < hashes_.size(); ++id) {
    size_t i = hashes_[id] & mask;
    while (larger[i].id_plus_one != 0) i = (i + 1) & mask;
    larger[i] = {static_cast<uint32_t>(hashes_[id] >> 32), static_cast<StringId>(id + 1)};
  }
  slots_ = std::move(larger);
}

}  // namespace ridgeline
