// Cuts a text into the pieces within which tokens are merged.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model_io/tokenizers/regex.h"

namespace ridgeline::tokenizers {

// What becomes of the matches of a pattern.
enum class SplitBehavior {
  kIsolated,            // Each is a piece.
  kRemoved,             // They are left out.
  kMergedWithPrevious,  // Each ends the piece before it.
  kMergedWithNext,      // Each begins the piece after it.
  kContiguous,          // Neighbours are one piece.
};

struct SplitSpec {
  std::string pattern;
  PatternKind kind = PatternKind::kRegex;
  SplitBehavior behavior = SplitBehavior::kIsolated;
  bool is_inverted = false;  // What lies between the matches counts as the match.
};

struct PretokenizerSpec {
  // One after the other, each on the pieces that the one before it has left.
  std::vector<SplitSpec> splits;
  // Afterwards each piece that does not begin with a space gets one.
  bool adds_prefix_space = false;
  // At last each piece is cut as GPT-2 did.
  bool splits_like_gpt2 = false;
};

struct Piece {
  size_t begin = 0;
  size_t end = 0;

  bool operator==(const Piece&) const = default;
};

// What one thread needs while it cuts; keeps its memory from text to text.
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

// May be used by several threads, each with its own scratch.
class Pretokenizer {
 public:
  static Result<Pretokenizer> Make(const PretokenizerSpec& spec);

  // The pieces, none of them empty, as bounds in `text`, which is the text that came in
  // unless spaces were added to it.
  struct Pieces {
    std::string_view text;
    const std::vector<Piece>& bounds;
  };

  // The text must be valid UTF-8; the pieces live until the scratch is used again. Where
  // a pattern gives up (RegexSearch), it does not cut the rest of its piece.
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
