#include "model_io/tokenizers/added_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace ridgeline::tokenizers {
namespace {

constexpr size_t kContentSizeMax = 4096;

// Rust's \w, the reference here, also includes the two joiners.
constexpr std::string_view kWordCharacter = R"([\w\x{200c}\x{200d}])";

size_t WhiteSpaceAtEnd(std::string_view text) {
  size_t size = 0;
  while (size < text.size()) {
    const Utf8Step step = LastUtf8(text.substr(0, text.size() - size));
    if (!IsWhiteSpace(step.code_point)) break;
    size += step.length;
  }
  return size;
}

size_t WhiteSpaceAtBegin(std::string_view text) {
  size_t size = 0;
  while (size < text.size()) {
    const Utf8Step step = NextUtf8(text.substr(size));
    if (!IsWhiteSpace(step.code_point)) break;
    size += step.length;
  }
  return size;
}

}  // namespace

Result<AddedTokens> AddedTokens::Make(std::vector<AddedToken> tokens) {
  AddedTokens made;
  for (AddedToken& token : tokens) {
    if (token.content.empty()) continue;
    if (token.content.size() > kContentSizeMax) {
      return Error(ErrorCode::kUnsupported,
                   fmt::format("added token {} is longer than {} bytes", token.id,
                               kContentSizeMax));
    }
    if (token.is_single_word && !made.word_character_) {
      RIDGELINE_TRY(made.word_character_,
                    Regex::Compile(kWordCharacter, PatternKind::kRegex));
    }
    Group& group = token.is_normalized ? made.normalized_ : made.verbatim_;
    group.begins_one[static_cast<uint8_t>(token.content[0])] = true;
    group.tokens.push_back(std::move(token));
  }
  for (Group* group : {&made.verbatim_, &made.normalized_}) {
    std::stable_sort(group->tokens.begin(), group->tokens.end(),
                     [](const auto& a, const auto& b) { return a.content < b.content; });
  }
  return made;
}

// Narrows the sorted tokens, byte by byte, to those that still match the text.
const AddedToken* AddedTokens::Group::LongestAt(std::string_view text) const {
  const AddedToken* longest = nullptr;
  auto begin = tokens.begin();
  auto end = tokens.end();
  for (size_t i = 0; i < text.size() && begin != end; ++i) {
    const auto at_i = [i](const AddedToken& token) {
      return static_cast<uint8_t>(token.content[i]);
    };
    const auto byte = static_cast<uint8_t>(text[i]);
    begin = std::partition_point(
        begin, end, [&](const AddedToken& token) { return at_i(token) < byte; });
    end = std::partition_point(
        begin, end, [&](const AddedToken& token) { return at_i(token) == byte; });
    // A token that ends here sorts before longer ones, and has no byte i + 1.
    while (begin != end && begin->content.size() == i + 1) longest = &*begin++;
  }
  return longest;
}

bool AddedTokens::IsWithinWord(std::string_view text, size_t begin, size_t end) const {
  RegexScratch scratch;  // Few tokens are single words.
  const auto is_word = [&](std::string_view character) {
    return word_character_->Find(character, 0, scratch).outcome ==
           RegexSearch::Outcome::kMatch;
  };
  const std::string_view before = text.substr(0, begin);
  const std::string_view after = text.substr(end);
  return is_word(before.substr(before.size() - LastUtf8(before).length)) ||
         is_word(after.substr(0, NextUtf8(after).length));
}

// Like Hugging Face, both in the order of the steps and in that a token may take
// whitespace at the beginning of a later one.
void AddedTokens::SplitPart(const Group& group, std::string_view whole, Segment part,
                            std::vector<Segment>& segments) const {
  const std::string_view text = whole.substr(part.begin, part.end - part.begin);
  size_t done = 0;
  const auto append = [&](size_t begin, size_t end, std::optional<int32_t> id) {
    segments.push_back({part.begin + begin, part.begin + end, id});
  };
  for (size_t at = 0; at < text.size();) {
    const AddedToken* token = group.begins_one[static_cast<uint8_t>(text[at])]
                                  ? group.LongestAt(text.substr(at))
                                  : nullptr;
    if (token == nullptr) {
      ++at;
      continue;
    }
    size_t begin = at;
    size_t end = at + token->content.size();
    at = end;
    if (token->is_single_word && IsWithinWord(text, begin, end)) continue;
    if (token->strips_left && done < begin) {
      begin -= WhiteSpaceAtEnd(text.substr(done, begin - done));
    }
    if (token->strips_right) end += WhiteSpaceAtBegin(text.substr(end));
    if (done < begin) append(done, begin, std::nullopt);
    append(begin, end, static_cast<int32_t>(token->id));
    done = end;
  }
  if (done < text.size()) append(done, text.size(), std::nullopt);
}

std::vector<Segment> AddedTokens::Split(std::string_view text) const {
  std::vector<Segment> segments;
  SplitPart(verbatim_, text, {0, text.size(), std::nullopt}, segments);
  if (normalized_.tokens.empty()) return segments;
  std::vector<Segment> refined;
  for (const Segment& segment : segments) {
    if (segment.id) {
      refined.push_back(segment);
    } else {
      SplitPart(normalized_, text, segment, refined);
    }
  }
  return refined;
}

}  // namespace ridgeline::tokenizers
