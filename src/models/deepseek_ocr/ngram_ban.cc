#include "models/deepseek_ocr/ngram_ban.h"

#include <algorithm>

namespace ridgeline::models::deepseek_ocr {

// FNV-1a over the last `count` tokens. Runs with equal hashes are compared.
uint64_t NgramBan::HashOfLast(size_t count) const {
  uint64_t hash = 14695981039346656037ULL;
  for (size_t i = tokens_.size() - count; i < tokens_.size(); ++i) {
    hash = (hash ^ static_cast<uint64_t>(tokens_[i])) * 1099511628211ULL;
  }
  return hash;
}

void NgramBan::Append(int64_t token) {
  if (size_ <= 0) return;
  // The token completes a run whose first size - 1 tokens were the last ones so far.
  const size_t beginning = static_cast<size_t>(size_ - 1);
  if (tokens_.size() >= beginning) {
    runs_[HashOfLast(beginning)].push_back(tokens_.size() - beginning);
  }
  tokens_.push_back(token);
}

const std::vector<int64_t>& NgramBan::Banned() const {
  banned_.clear();
  const size_t beginning = static_cast<size_t>(std::max<int64_t>(size_ - 1, 0));
  if (size_ <= 0 || tokens_.size() < beginning) return banned_;
  const auto found = runs_.find(HashOfLast(beginning));
  if (found == runs_.end()) return banned_;
  const auto last = tokens_.end() - static_cast<std::ptrdiff_t>(beginning);
  for (const size_t start : found->second) {
    const auto run = tokens_.begin() + static_cast<std::ptrdiff_t>(start);
    if (std::equal(last, tokens_.end(), run))
      banned_.push_back(tokens_[start + beginning]);
  }
  return banned_;
}

}  // namespace ridgeline::models::deepseek_ocr
