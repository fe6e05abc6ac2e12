#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ridgeline::models::deepseek_ocr {

// Which tokens would repeat a run of `size` tokens that the sequence already has. Knows
// the runs by their first size - 1 tokens, so that asking does not walk the sequence.
class NgramBan {
 public:
  // 0: nothing is ever banned.
  explicit NgramBan(int64_t size) : size_(size) {}

  // The sequence grows: the prompt with its placeholders first, then each token.
  void Append(int64_t token);

  // What may not come next.
  const std::vector<int64_t>& Banned() const;

 private:
  uint64_t HashOfLast(size_t count) const;

  const int64_t size_;
  std::vector<int64_t> tokens_;
  // Hash of the first size - 1 tokens of a run -> where such runs begin.
  std::unordered_map<uint64_t, std::vector<size_t>> runs_;
  mutable std::vector<int64_t> banned_;
};

}  // namespace ridgeline::models::deepseek_ocr
