// Splits a text into the pieces within which tokens are merged.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model_io/tokenizers/regex.h"

namespace ridgeline::tokenizers {

// What to do with the matches of a pattern.
enum class SplitBehavior {
  kIsolated,            // Each is a piece.
  kRemoved,             // They are dropped.
  kMergedWithPrevious,  // Each ends the piece before it.
  kMergedWithNext,      // Each begins the piece after it.
  kContiguous,          // Adjacent ones are one piece.
};

struct SplitSpec {
  std::string pattern;
  PatternKind kind = PatternKind::kRegex;
  SplitBehavior behavior = SplitBehavior::kIsolated;
  bool is_inverted = false;  // Swaps matches and the text between them.
};

struct PretokenizerSpec {
  // Applied one after the other, each to the pieces of the previous one.
  std::vector<SplitSpec> splits;
  // Then prepends a space to each piece that does not begin with one.
  bool adds_prefix_space = false;
  // Finally splits each piece like GPT-2.
  bool splits_like_gpt2 = false;
};

struct Piece {
  size_t begin = 0;
  size_t end = 0;

  bool operator==(const Piece&) const = default;
};

// Working memory of one thread; keeps its buffers between texts.
class PretokenizerScratch {
 private:
  friend class Pretokenizer;

  struct Span {
    Piece piece;
    bool is_match = false;
  };

  RegexScratch regex_;
  std::vector<Piece> pieces_;
  std::vector<Piece> pieces_next_;
  std::vector<Span> spans_;
  std::string text_;
};

// Thread-safe, if each thread has its own scratch.
class Pretokenizer {
 public:
  static Result<Pretokenizer> Make(const PretokenizerSpec& spec);

  // The pieces, without empty ones, as bounds in `text`, which is the input unless spaces
  // were added to it.
  struct Pieces {
    std::string_view text;
    const std::vector<Piece>& bounds;
  };

  // The text must be valid UTF-8; the pieces are valid until the scratch is used again.
  // If a pattern gives up (RegexSearch), the rest of its piece is not split.
  Pieces Split(std::string_view text, PretokenizerScratch& scratch) const;

 private:
  struct Splitter {
    Regex regex;
    SplitBehavior behavior;
    bool is_inverted;
  };

  static Result<Splitter> MakeSplitter(const SplitSpec& spec);
  static void FindSpans(const Splitter& splitter, std::string_view text, Piece piece,
                        PretokenizerScratch& scratch);
  static void Apply(const Splitter& splitter, std::string_view text,
                    PretokenizerScratch& scratch);
  static std::string_view AddPrefixSpaces(std::string_view text,
                                          PretokenizerScratch& scratch);

  std::vector<Splitter> splitters_;
  bool adds_prefix_space_ = false;
  std::optional<Splitter> gpt2_splitter_;
};

}  // namespace ridgeline::tokenizers
