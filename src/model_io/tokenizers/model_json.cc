#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "model_io/tokenizers/byte_alphabet.h"
#include "model_io/tokenizers/tokenizer_json.h"

namespace ridgeline::tokenizers {
namespace {

using simdjson::dom::element;

Status CheckType(const JsonObject& model) {
  // Files of 2019, including GPT-2's, do not specify the type.
  RIDGELINE_TRY(const auto type, OptionalText(model, "type"));
  if (type.value_or("BPE") == "BPE") return Ok();
  return Unsupported(
      fmt::format("models of type '{}' are not supported, only BPE", *type));
}

Status CheckOptions(const JsonObject& model) {
  if (HasField(model, "dropout")) {
    return Unsupported(fmt::format("'{}' is not supported", model.PlaceOf("dropout")));
  }
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    RIDGELINE_TRY(const auto text, OptionalText(model, key));
    if (text.value_or("").empty()) continue;
    return Unsupported(fmt::format("'{}' is not supported", model.PlaceOf(key)));
  }
  return Ok();
}

Result<Vocabulary> ReadVocabulary(const JsonObject& model) {
  RIDGELINE_TRY(const JsonObject vocab, RequiredObject(model, "vocab"));
  Vocabulary vocabulary;
  for (const auto& [token, value] : vocab.object) {
    int64_t id = 0;
    if (value.get(id) != simdjson::SUCCESS) {
      return JsonProblem(vocab.PlaceOf(token), "is not an integer");
    }
    Status added = vocabulary.Add(token, id, TokenOrigin::kModel);
    if (!added.ok()) return std::move(added).error().While(vocab.place);
  }
  return vocabulary;
}

// Unknown tokens and byte fallback are used for bytes without a token. If the vocabulary
// has all 256, as in files that set "unk_token" out of habit, they never occur.
Status CheckBytes(const JsonObject& model, const Vocabulary& vocabulary) {
  RIDGELINE_TRY(const auto falls_back, OptionalBool(model, "byte_fallback"));
  if (!HasField(model, "unk_token") && !falls_back.value_or(false)) return Ok();
  for (int byte = 0; byte < 256; ++byte) {
    if (vocabulary.IdOf(SpellingOfByte(static_cast<uint8_t>(byte)))) continue;
    return Unsupported(fmt::format(
        "'{}' is not supported for a vocabulary without byte 0x{:02X}",
        model.PlaceOf(falls_back.value_or(false) ? "byte_fallback" : "unk_token"), byte));
  }
  return Ok();
}

using Pair = std::pair<std::string_view, std::string_view>;

// "Ġ t" in older files, ["Ġ", "t"] in newer ones.
std::optional<Pair> ReadPair(element value) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) {
    const size_t space = text.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    const Pair pair(text.substr(0, space), text.substr(space + 1));
    if (pair.second.find(' ') != std::string_view::npos) return std::nullopt;
    return pair;
  }
  simdjson::dom::array array;
  Pair pair;
  if (value.get(array) != simdjson::SUCCESS || array.size() != 2 ||
      array.at(0).get(pair.first) != simdjson::SUCCESS ||
      array.at(1).get(pair.second) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  return pair;
}

bool IsVersionLine(element value) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS && text.starts_with("#version");
}

Result<MergeTable> ReadMerges(const JsonObject& model, const Vocabulary& vocabulary) {
  RIDGELINE_TRY(const JsonArray list, RequiredArray(model, "merges"));
  MergeTable merges;
  std::string merged;
  uint32_t rank = 0;
  for (const element value : list.array) {
    if (IsVersionLine(value)) continue;
    const std::optional<Pair> pair = ReadPair(value);
    if (!pair) return JsonProblem(list.PlaceOf(rank), "is not a pair of tokens");
    merged.assign(pair->first).append(pair->second);
    const auto left = vocabulary.IdOf(pair->first);
    const auto right = vocabulary.IdOf(pair->second);
    const auto both = vocabulary.IdOf(merged);
    if (!left || !right || !both) {
      const std::string_view missing = !left    ? pair->first
                                       : !right ? pair->second
                                                : std::string_view(merged);
      return JsonProblem(
          list.PlaceOf(rank),
          fmt::format("needs token '{}', which is not in the vocabulary", missing));
    }
    merges.Set(*left, *right, {.rank = rank, .id = *both});
    ++rank;
  }
  return merges;
}

}  // namespace

Result<BpeModel> ReadBpeModel(const JsonObject& model) {
  RIDGELINE_RETURN_IF_ERROR(CheckType(model));
  RIDGELINE_RETURN_IF_ERROR(CheckOptions(model));
  RIDGELINE_TRY(Vocabulary vocabulary, ReadVocabulary(model));
  RIDGELINE_RETURN_IF_ERROR(CheckBytes(model, vocabulary));
  RIDGELINE_TRY(MergeTable merges, ReadMerges(model, vocabulary));
  RIDGELINE_TRY(const auto ignores_merges, OptionalBool(model, "ignore_merges"));
  return BpeModel{.vocabulary = std::move(vocabulary),
                  .merges = std::move(merges),
                  .whole_pieces = ignores_merges.value_or(false)
                                      ? WholePieces::kTakeIfTokens
                                      : WholePieces::kMerge};
}

}  // namespace ridgeline::tokenizers
