#include "config/overrides/glob_match.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/value/unicode.h"

namespace ridgeline::config {
namespace {

using Characters = std::u32string;

Characters DecodeCharacters(std::string_view text) {
  Characters characters;
  for (size_t at = 0; at < text.size();) {
    const Utf8Character character = DecodeUtf8(text, at);
    characters.push_back(character.code);
    at += character.length;
  }
  return characters;
}

struct CharacterSet {
  bool negated = false;
  std::vector<std::pair<char32_t, char32_t>> ranges;

  bool Contains(char32_t c) const {
    const bool listed = std::any_of(ranges.begin(), ranges.end(), [c](const auto& range) {
      return range.first <= c && c <= range.second;
    });
    return listed != negated;
  }
};

// One unit of a pattern: any run, any character, or one of a set.
struct Piece {
  enum class Kind { kAnyRun, kAny, kSet } kind = Kind::kAny;
  CharacterSet set;
};

Piece LiteralPiece(char32_t c) { return {Piece::Kind::kSet, {false, {{c, c}}}}; }

// "a-z0" between the brackets, without '!'. A range that runs backwards is
// empty; its ends do not count either.
std::vector<std::pair<char32_t, char32_t>> ParseRanges(const Characters& stuff) {
  std::vector<std::pair<char32_t, char32_t>> ranges;
  for (size_t i = 0; i < stuff.size();) {
    if (i + 2 < stuff.size() && stuff[i + 1] == U'-') {
      if (stuff[i] <= stuff[i + 2]) ranges.emplace_back(stuff[i], stuff[i + 2]);
      i += 3;
    } else {
      ranges.emplace_back(stuff[i], stuff[i]);
      ++i;
    }
  }
  return ranges;
}

// The set that starts after the '[' before `at`; moves `at` behind its ']'.
// Empty if there is no ']'. A ']' right at the start belongs to the set.
std::optional<CharacterSet> ParseSet(const Characters& pattern, size_t& at) {
  size_t close = at;
  if (close < pattern.size() && pattern[close] == U'!') ++close;
  if (close < pattern.size() && pattern[close] == U']') ++close;
  close = pattern.find(U']', close);
  if (close == Characters::npos) return std::nullopt;
  CharacterSet set;
  set.negated = pattern[at] == U'!';
  const size_t start = set.negated ? at + 1 : at;
  set.ranges = ParseRanges(pattern.substr(start, close - start));
  at = close + 1;
  return set;
}

std::vector<Piece> ParsePattern(const Characters& pattern) {
  std::vector<Piece> pieces;
  for (size_t at = 0; at < pattern.size();) {
    const char32_t c = pattern[at++];
    if (c == U'*') {
      pieces.push_back({Piece::Kind::kAnyRun, {}});
    } else if (c == U'?') {
      pieces.push_back({Piece::Kind::kAny, {}});
    } else if (c == U'[') {
      std::optional<CharacterSet> set = ParseSet(pattern, at);
      pieces.push_back(set ? Piece{Piece::Kind::kSet, *std::move(set)} : LiteralPiece(c));
    } else {
      pieces.push_back(LiteralPiece(c));
    }
  }
  return pieces;
}

// Only the last '*' that was met has to be tried again: O(text * pattern).
bool Matches(const Characters& text, const std::vector<Piece>& pieces) {
  size_t at = 0;
  size_t piece = 0;
  std::optional<std::pair<size_t, size_t>> retry;  // Text and piece after the '*'.
  while (at < text.size()) {
    if (piece < pieces.size() && pieces[piece].kind == Piece::Kind::kAnyRun) {
      retry = {at, ++piece};
    } else if (piece < pieces.size() && (pieces[piece].kind == Piece::Kind::kAny ||
                                         pieces[piece].set.Contains(text[at]))) {
      ++at;
      ++piece;
    } else if (retry) {
      at = ++retry->first;
      piece = retry->second;
    } else {
      return false;
    }
  }
  return std::all_of(pieces.begin() + static_cast<std::ptrdiff_t>(piece), pieces.end(),
                     [](const Piece& rest) { return rest.kind == Piece::Kind::kAnyRun; });
}

}  // namespace

bool GlobMatches(std::string_view text, std::string_view pattern) {
  return Matches(DecodeCharacters(text), ParsePattern(DecodeCharacters(pattern)));
}

}  // namespace ridgeline::config
