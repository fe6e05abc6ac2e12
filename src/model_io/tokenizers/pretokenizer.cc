#include "model_io/tokenizers/pretokenizer.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace ridgeline::tokenizers {
namespace {

// Contractions, then words, numbers and everything else, each with the space before it;
// of several spaces the last one belongs to the next word.
constexpr std::string_view kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

void AppendUnlessEmpty(Piece piece, std::vector<Piece>& pieces) {
  if (piece.begin != piece.end) pieces.push_back(piece);
}

// Joins each span to the current piece if `joins(span, previous span)`.
void AppendJoined(const auto& spans, std::vector<Piece>& pieces, auto&& joins) {
  if (spans.empty()) return;
  Piece piece = spans.front().piece;
  for (size_t i = 1; i < spans.size(); ++i) {
    if (joins(spans[i - 1], spans[i])) {
      piece.end = spans[i].piece.end;
      continue;
    }
    AppendUnlessEmpty(piece, pieces);
    piece = spans[i].piece;
  }
  AppendUnlessEmpty(piece, pieces);
}

void AppendPieces(const auto& spans, SplitBehavior behavior, std::vector<Piece>& pieces) {
  switch (behavior) {
    case SplitBehavior::kIsolated:
      for (const auto& span : spans) AppendUnlessEmpty(span.piece, pieces);
      return;
    case SplitBehavior::kRemoved:
      for (const auto& span : spans) {
        if (!span.is_match) AppendUnlessEmpty(span.piece, pieces);
      }
      return;
    // Of adjacent matches only the one next to other text joins it.
    case SplitBehavior::kMergedWithPrevious:
      return AppendJoined(spans, pieces, [](const auto& before, const auto& span) {
        return span.is_match && !before.is_match;
      });
    case SplitBehavior::kMergedWithNext:
      return AppendJoined(spans, pieces, [](const auto& before, const auto& span) {
        return before.is_match && !span.is_match;
      });
    case SplitBehavior::kContiguous:
      return AppendJoined(spans, pieces, [](const auto& before, const auto& span) {
        return before.is_match == span.is_match;
      });
  }
}

}  // namespace

Result<Pretokenizer::Splitter> Pretokenizer::MakeSplitter(const SplitSpec& spec) {
  RIDGELINE_TRY(Regex regex, Regex::Compile(spec.pattern, spec.kind));
  return Splitter{std::move(regex), spec.behavior, spec.is_inverted};
}

Result<Pretokenizer> Pretokenizer::Make(const PretokenizerSpec& spec) {
  Pretokenizer made;
  made.adds_prefix_space_ = spec.adds_prefix_space;
  for (const SplitSpec& split : spec.splits) {
    RIDGELINE_TRY(Splitter splitter, MakeSplitter(split));
    made.splitters_.push_back(std::move(splitter));
  }
  if (spec.splits_like_gpt2) {
    RIDGELINE_TRY(Splitter splitter,
                  MakeSplitter({.pattern = std::string(kGpt2Pattern)}));
    made.gpt2_splitter_ = std::move(splitter);
  }
  return made;
}

// Fills scratch.spans_ with the matches in the piece and the text between them. The
// pattern sees the piece as a separate text, without context.
void Pretokenizer::FindSpans(const Splitter& splitter, std::string_view text, Piece piece,
                             PretokenizerScratch& scratch) {
  const std::string_view subject = text.substr(piece.begin, piece.end - piece.begin);
  auto& spans = scratch.spans_;
  spans.clear();
  const auto append = [&](size_t begin, size_t end, bool is_match) {
    spans.push_back({.piece = {piece.begin + begin, piece.begin + end},
                     .is_match = is_match != splitter.is_inverted});
  };
  size_t done = 0;  // End of the last match.
  bool is_first = true;
  for (size_t from = 0; from <= subject.size();) {
    const RegexSearch found = splitter.regex.Find(subject, from, scratch.regex_);
    if (found.outcome != RegexSearch::Outcome::kMatch) break;
    // An empty match right after another one is ignored; the next search begins one
    // character later.
    if (found.begin == found.end && found.end == done && !is_first) {
      from += std::max<size_t>(NextUtf8(subject.substr(from)).length, 1);
      continue;
    }
    if (done != found.begin) append(done, found.begin, false);
    append(found.begin, found.end, true);
    done = found.end;
    from = found.end;
    is_first = false;
  }
  if (done != subject.size()) append(done, subject.size(), false);
}

void Pretokenizer::Apply(const Splitter& splitter, std::string_view text,
                         PretokenizerScratch& scratch) {
  scratch.pieces_next_.clear();
  for (const Piece& piece : scratch.pieces_) {
    FindSpans(splitter, text, piece, scratch);
    AppendPieces(scratch.spans_, splitter.behavior, scratch.pieces_next_);
  }
  std::swap(scratch.pieces_, scratch.pieces_next_);
}

// Rewrites the pieces with their spaces, and returns the text that contains them.
std::string_view Pretokenizer::AddPrefixSpaces(std::string_view text,
                                               PretokenizerScratch& scratch) {
  scratch.text_.clear();
  for (Piece& piece : scratch.pieces_) {
    const std::string_view old = text.substr(piece.begin, piece.end - piece.begin);
    piece.begin = scratch.text_.size();
    if (!old.starts_with(' ')) scratch.text_ += ' ';
    scratch.text_ += old;
    piece.end = scratch.text_.size();
  }
  return scratch.text_;
}

Pretokenizer::Pieces Pretokenizer::Split(std::string_view text,
                                         PretokenizerScratch& scratch) const {
  scratch.pieces_.clear();
  if (!text.empty()) scratch.pieces_.push_back({0, text.size()});
  for (const Splitter& splitter : splitters_) {
    Apply(splitter, text, scratch);
  }
  if (adds_prefix_space_) text = AddPrefixSpaces(text, scratch);
  if (gpt2_splitter_) Apply(*gpt2_splitter_, text, scratch);
  return {text, scratch.pieces_};
}

}  // namespace ridgeline::tokenizers
