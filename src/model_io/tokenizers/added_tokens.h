// Tokens that are found in a text as a whole, before the rest is split and merged:
// "<image>", "<|end|>".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model_io/tokenizers/regex.h"

namespace ridgeline::tokenizers {

struct AddedToken {
  int64_t id = 0;
  std::string content;
  bool is_special = false;
  bool is_normalized = false;   // Searched only where no other was found.
  bool is_single_word = false;  // Not within a word.
  bool strips_left = false;     // Includes whitespace before it.
  bool strips_right = false;    // Includes whitespace after it.
};

// Part of a text: an added token, or the text between two.
struct Segment {
  size_t begin = 0;
  size_t end = 0;
  std::optional<int32_t> id;

  bool operator==(const Segment&) const = default;
};

// Thread-safe.
class AddedTokens {
 public:
  // Empty tokens are never found. A token of more than 4096 bytes is kUnsupported:
  // matching at each position may cost as much as the longest token.
  static Result<AddedTokens> Make(std::vector<AddedToken> tokens);

  // The parts of a text in valid UTF-8, in order, without empty ones. Of the tokens that
  // begin earliest, the longest wins.
  std::vector<Segment> Split(std::string_view text) const;

 private:
  // Tokens searched in the same pass.
  struct Group {
    std::vector<AddedToken> tokens;  // Sorted by content.
    std::array<bool, 256> begins_one{};

    const AddedToken* LongestAt(std::string_view text) const;
  };

  void SplitPart(const Group& group, std::string_view text, Segment part,
                 std::vector<Segment>& segments) const;
  bool IsWithinWord(std::string_view text, size_t begin, size_t end) const;

  Group verbatim_;
  Group normalized_;
  std::optional<Regex> word_character_;  // Set if any token must be a single word.
};

}  // namespace ridgeline::tokenizers
