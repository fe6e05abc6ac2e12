// Tokens and their ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::tokenizers {

// One past the largest supported id. The largest vocabularies have about 260,000 tokens;
// the table is as long as the largest id, so a small file must not be able to name any
// id.
inline constexpr int64_t kIdLimit = 1 << 20;

enum class TokenOrigin {
  kModel,    // In the model's own vocabulary: ordinary text.
  kAdded,    // Found in a text as a whole, before the model.
  kSpecial,  // An added token that is not text, such as end of page.
};

class Vocabulary {
 public:
  // kParse for an id outside 0..kIdLimit - 1, or a duplicate id or token. An added token
  // may be one of the model, with the same id.
  Status Add(std::string_view token, int64_t id, TokenOrigin origin);

  std::optional<int32_t> IdOf(std::string_view token) const;

  // Only the tokens of the model.
  std::optional<int32_t> IdInModel(std::string_view token) const;

  // As spelled in the file. The view is valid until the next Add().
  std::optional<std::string_view> TokenOf(int32_t id) const;

  // False for an id that does not exist.
  bool IsSpecial(int32_t id) const;

  // Number of tokens; ids may have gaps.
  size_t size() const { return size_; }

 private:
  // One id. The texts of all tokens are concatenated in text_.
  struct Entry {
    uint32_t offset = 0;
    uint32_t length = 0;
    bool exists = false;
    bool is_in_model = false;
    bool is_special = false;
  };

  std::string_view TextOf(const Entry& entry) const {
    return std::string_view(text_).substr(entry.offset, entry.length);
  }
  size_t SlotOf(std::string_view token) const;
  Status AddNew(std::string_view token, int64_t id, TokenOrigin origin);
  void GrowIfNeeded();

  std::string text_;
  std::vector<Entry> entries_;  // By id.
  std::vector<int32_t> slots_;  // Hash table of ids; searches end at a free slot.
  size_t size_ = 0;
};

}  // namespace ridgeline::tokenizers
