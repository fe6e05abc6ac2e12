#include "model_io/tokenizers/tokenizer.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "base/utf8.h"
#include "model_io/tokenizers/added_tokens.h"
#include "model_io/tokenizers/bpe.h"
#include "model_io/tokenizers/byte_alphabet.h"
#include "model_io/tokenizers/pretokenizer.h"
#include "model_io/tokenizers/tokenizer_json.h"
#include "model_io/tokenizers/vocabulary.h"
#include "os/files.h"

namespace ridgeline::tokenizers {
namespace {

struct Scratch {
  PretokenizerScratch pretokenizer;
  BpeScratch bpe;
};

// Grows to the maximum number of concurrent encodings.
class ScratchPool {
 public:
  std::unique_ptr<Scratch> Take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Scratch>();
    std::unique_ptr<Scratch> scratch = std::move(idle_.back());
    idle_.pop_back();
    return scratch;
  }

  void GiveBack(std::unique_ptr<Scratch> scratch) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(scratch));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> idle_;
};

// "<td>" or "</td>".
bool IsTableTag(std::string_view token) {
  if (!token.starts_with('<') || !token.ends_with('>')) return false;
  token.remove_prefix(token.starts_with("</") ? 2 : 1);
  token.remove_suffix(1);
  constexpr std::string_view kTags[] = {"table", "thead", "tbody",   "tfoot",    "tr",
                                        "th",    "td",    "caption", "colgroup", "col"};
  return std::find(std::begin(kTags), std::end(kTags), token) != std::end(kTags);
}

bool IsSkipped(std::string_view special_token, SpecialTokens special) {
  switch (special) {
    case SpecialTokens::kKeep:
      return false;
    case SpecialTokens::kSkip:
      return true;
    case SpecialTokens::kSkipAllButTableTags:
      return !IsTableTag(special_token);
  }
  return false;
}

}  // namespace

struct Tokenizer::Parts {
  Parts(BpeModel model, Pretokenizer cutter, AddedTokens added,
        std::vector<TemplatePart> around)
      : vocabulary(std::move(model.vocabulary)),
        bpe(vocabulary, std::move(model.merges), model.whole_pieces),
        pretokenizer(std::move(cutter)),
        added_tokens(std::move(added)),
        special_template(std::move(around)) {}

  Vocabulary vocabulary;
  Bpe bpe;  // Refers to the vocabulary.
  Pretokenizer pretokenizer;
  AddedTokens added_tokens;
  std::vector<TemplatePart> special_template;
  ScratchPool scratches;

  void AppendIds(std::string_view text, Scratch& scratch,
                 std::vector<int32_t>& ids) const;
  std::vector<int32_t> EncodeValid(std::string_view text, Scratch& scratch) const;
  std::vector<int32_t> WithSpecialTokens(std::vector<int32_t> ids) const;
};

// Appends the ids of a text without added tokens.
void Tokenizer::Parts::AppendIds(std::string_view text, Scratch& scratch,
                                 std::vector<int32_t>& ids) const {
  const Pretokenizer::Pieces pieces = pretokenizer.Split(text, scratch.pretokenizer);
  for (const Piece& piece : pieces.bounds) {
    bpe.Encode(pieces.text.substr(piece.begin, piece.end - piece.begin), scratch.bpe,
               ids);
  }
}

std::vector<int32_t> Tokenizer::Parts::EncodeValid(std::string_view text,
                                                   Scratch& scratch) const {
  std::vector<int32_t> ids;
  for (const Segment& segment : added_tokens.Split(text)) {
    if (segment.id) {
      ids.push_back(*segment.id);
      continue;
    }
    AppendIds(text.substr(segment.begin, segment.end - segment.begin), scratch, ids);
  }
  return ids;
}

std::vector<int32_t> Tokenizer::Parts::WithSpecialTokens(std::vector<int32_t> ids) const {
  if (special_template.empty()) return ids;
  std::vector<int32_t> all;
  for (const TemplatePart& part : special_template) {
    const std::vector<int32_t>& more =
        part.kind == TemplatePart::Kind::kText ? ids : part.ids;
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

Tokenizer::Tokenizer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Result<Tokenizer> Tokenizer::Load(const std::filesystem::path& path) {
  RIDGELINE_TRY(const int64_t size_bytes, os::FileSize(path));
  if (size_bytes > kTokenizerJsonBytesMax) {
    return Error(ErrorCode::kUnsupported, "is too large for a tokenizer")
        .While(path.string());
  }
  RIDGELINE_TRY(const std::string bytes, os::ReadFile(path));
  return Parse(bytes, path.string());
}

Result<Tokenizer> Tokenizer::Parse(std::string_view bytes, std::string_view origin) {
  const auto make = [bytes]() -> Result<Tokenizer> {
    RIDGELINE_TRY(TokenizerFile file, ParseTokenizerJson(bytes));
    RIDGELINE_TRY(Pretokenizer pretokenizer, Pretokenizer::Make(file.pretokenizer));
    RIDGELINE_TRY(AddedTokens added, AddedTokens::Make(std::move(file.added_tokens)));
    return Tokenizer(std::make_unique<Parts>(std::move(file.model),
                                             std::move(pretokenizer), std::move(added),
                                             std::move(file.special_template)));
  };
  Result<Tokenizer> tokenizer = make();
  if (!tokenizer.ok()) return std::move(tokenizer).error().While(origin);
  return tokenizer;
}

std::vector<int32_t> Tokenizer::Encode(std::string_view text,
                                       EncodeOptions options) const {
  std::string repaired;
  if (!IsValidUtf8(text)) {
    repaired = ToValidUtf8(text);
    text = repaired;
  }
  std::unique_ptr<Scratch> scratch = parts_->scratches.Take();
  std::vector<int32_t> ids = parts_->EncodeValid(text, *scratch);
  parts_->scratches.GiveBack(std::move(scratch));
  return options.add_special_tokens ? parts_->WithSpecialTokens(std::move(ids)) : ids;
}

std::string Tokenizer::Decode(std::span<const int32_t> ids, SpecialTokens special) const {
  std::string bytes;
  for (const int32_t id : ids) {
    const std::string_view token = parts_->vocabulary.TokenOf(id).value_or("");
    if (parts_->vocabulary.IsSpecial(id) && IsSkipped(token, special)) continue;
    AppendBytesOfSpelling(token, bytes);
  }
  if (IsValidUtf8(bytes)) return bytes;
  return ToValidUtf8(bytes);
}

std::optional<int32_t> Tokenizer::IdOf(std::string_view token) const {
  return parts_->vocabulary.IdOf(token);
}

std::string_view Tokenizer::TokenOf(int32_t id) const {
  return parts_->vocabulary.TokenOf(id).value_or("");
}

size_t Tokenizer::size() const { return parts_->vocabulary.size(); }

}  // namespace ridgeline::tokenizers
