// Tokens that are found in a text as a whole, before the rest of it is cut and merged:
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
  bool is_normalized = false;   // Looked for only where none of the others was found.
  bool is_single_word = false;  // Not within a word.
  bool strips_left = false;     // Takes the white space before it,
  bool strips_right = false;    // or after it, along.
};

// A part of a text: an added token, or what lies between two.
struct Segment {
  size_t begin = 0;
  size_t end = 0;
  std::optional<int32_t> id;

  bool operator==(const Segment&) const = default;
};

// May be used by several threads.
class AddedTokens {
 public:
  // A token without content is never found. One of more than 4096 bytes is kUnsupported:
  // each place of a text may cost as much as the longest token.
  static Result<AddedTokens> Make(std::vector<AddedToken> tokens);

  // The parts of a text in valid UTF-8, in order, none of them empty. Of the tokens that
  // begin earliest, the longest is found.
  std::vector<Segment> Split(std::string_view text) const;

 private:
  // Tokens that are looked for together.
  struct Group {
    std::vector<AddedToken> tokens;  // By content.
    std::array<bool, 256> begins_one{};

    const AddedToken* LongestAt(std::string_view text) const;
  };

  void SplitPart(const Group& group, std::string_view text, Segment part,
                 std::vector<Segment>& segments) const;
  bool IsWithinWord(std::string_view text, size_t begin, size_t end) const;

  Group verbatim_;
  Group normalized_;
  std::optional<Regex> word_character_;  // If any token must be a single word.
};

}  // namespace ridgeline::tokenizers
