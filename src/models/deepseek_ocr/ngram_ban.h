#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ridgeline::models::deepseek_ocr {

// Bans tokens that would repeat a run of `size` tokens in the sequence. Indexes runs by
// their first size - 1 tokens, so a query does not scan the sequence.
class NgramBan {
 public:
  // 0: nothing is banned.
  explicit NgramBan(int64_t size) : size_(size) {}

  // Extends the sequence: first the prompt with its placeholders, then each token.
  void Append(int64_t token);

  // Tokens that must not come next.
  const std::vector<int64_t>& Banned() const;

 private:
  uint64_t HashOfLast(size_t count) const;

  const int64_t size_;
  std::vector<int64_t> tokens_;
  // Hash of the first size - 1 tokens of a run -> start positions of such runs.
  std::unordered_map<uint64_t, std::vector<size_t>> runs_;
  mutable std::vector<int64_t> banned_;
};

}  // namespace ridgeline::models::deepseek_ocr
