#include "config/tree/suggest.h"

#include <algorithm>

#include "config/tree/assign.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

// Edits (insertion, deletion, substitution, transposition) from one word to the other.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> rows(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) rows[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      rows[i][j] = std::min({replaced, rows[i - 1][j] + 1, rows[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

std::vector<std::string> KeysOf(const Node& dict) {
  std::vector<std::string> keys;
  for (const auto& [key, child] : dict.children) keys.push_back(Str(Value(key)));
  return keys;
}

constexpr size_t kLongestWord = 64;  // Longer words are not typos.
constexpr size_t kShortestStem = 3;

// The only word that begins with `stem`: "timeout" stands for "timeout_min".
std::string OnlyCompletion(std::string_view stem, const std::vector<std::string>& known) {
  if (stem.size() < kShortestStem) return "";
  std::string only;
  for (const std::string& candidate : known) {
    if (!candidate.starts_with(stem)) continue;
    if (!only.empty()) return "";
    only = candidate;
  }
  return only;
}

}  // namespace

std::string Nearest(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > kLongestWord) return "";
  std::string best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongestWord) continue;
    const size_t distance = EditDistance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best.empty() ? OnlyCompletion(word, known) : best;
}

std::string SuggestKey(const Node& root, std::string_view key) {
  const Node* node = &root;
  std::string path;
  for (const std::string& part : SplitKey(key)) {
    if (!node->is_dict() || node->special) return "";
    const Node* next = FindNode(*node, part);
    if (next != nullptr) {
      path += part + ".";
      node = next;
      continue;
    }
    const std::string nearest = Nearest(part, KeysOf(*node));
    if (!nearest.empty()) return "Did you mean '" + path + nearest + "'?";
    return "";
  }
  return "";
}

}  // namespace ridgeline::config
