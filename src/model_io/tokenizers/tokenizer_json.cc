#include "model_io/tokenizers/tokenizer_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "model_io/tokenizers/json_fields.h"

namespace ridgeline::tokenizers {
namespace {

using simdjson::dom::element;

// Each step of a pre-tokenizer scans the whole text; files have about four.
constexpr size_t kSplitCountMax = 64;
// Limit for parts of the template, and ids of one special token; files have one or two.
constexpr size_t kTemplatePartCountMax = 64;

Error UnsupportedType(const JsonObject& part, std::string_view type) {
  return Unsupported(fmt::format("'{}' of type '{}' is not supported", part.place, type));
}

// ---- Unsupported fields

Status CheckUnused(const JsonObject& file) {
  for (const char* key : {"truncation", "padding"}) {
    if (HasField(file, key))
      return Unsupported(fmt::format("'{}' is not supported", key));
  }
  return Ok();
}

// Only null or an empty sequence is supported.
Status CheckNormalizer(const JsonObject& file) {
  RIDGELINE_TRY(const auto normalizer, OptionalObject(file, "normalizer"));
  if (!normalizer) return Ok();
  RIDGELINE_TRY(const auto type, RequiredText(*normalizer, "type"));
  if (type != "Sequence") return UnsupportedType(*normalizer, type);
  RIDGELINE_TRY(const JsonArray steps, RequiredArray(*normalizer, "normalizers"));
  for (const element step : steps.array) {
    RIDGELINE_TRY(const JsonObject object, AsObject(step, steps.PlaceOf(0)));
    RIDGELINE_TRY(const auto step_type, RequiredText(object, "type"));
    return UnsupportedType(object, step_type);
  }
  return Ok();
}

// Only the byte alphabet is supported for turning tokens into text.
Status CheckDecoder(const JsonObject& file) {
  RIDGELINE_TRY(const auto decoder, OptionalObject(file, "decoder"));
  if (!decoder) return Unsupported("a file without 'decoder' is not supported");
  RIDGELINE_TRY(const auto type, RequiredText(*decoder, "type"));
  return type == "ByteLevel" ? Status(Ok()) : UnsupportedType(*decoder, type);
}

// ---- Pre-tokenizers

Result<SplitBehavior> ReadBehavior(const JsonObject& split) {
  constexpr std::array<std::pair<std::string_view, SplitBehavior>, 5> kBehaviors = {{
      {"Isolated", SplitBehavior::kIsolated},
      {"Removed", SplitBehavior::kRemoved},
      {"MergedWithPrevious", SplitBehavior::kMergedWithPrevious},
      {"MergedWithNext", SplitBehavior::kMergedWithNext},
      {"Contiguous", SplitBehavior::kContiguous},
  }};
  RIDGELINE_TRY(const auto name, RequiredText(split, "behavior"));
  for (const auto& [known, behavior] : kBehaviors) {
    if (known == name) return behavior;
  }
  return JsonProblem(split.PlaceOf("behavior"), fmt::format("is '{}'", name));
}

Result<SplitSpec> ReadSplit(const JsonObject& split) {
  RIDGELINE_TRY(const JsonObject pattern, RequiredObject(split, "pattern"));
  SplitSpec spec;
  spec.kind = HasField(pattern, "String") ? PatternKind::kLiteral : PatternKind::kRegex;
  RIDGELINE_TRY(
      spec.pattern,
      RequiredText(pattern, spec.kind == PatternKind::kRegex ? "Regex" : "String"));
  RIDGELINE_TRY(spec.behavior, ReadBehavior(split));
  RIDGELINE_TRY(const auto is_inverted, OptionalBool(split, "invert"));
  spec.is_inverted = is_inverted.value_or(false);
  return spec;
}

Result<SplitSpec> ReadDigits(const JsonObject& digits) {
  RIDGELINE_TRY(const auto one_by_one, OptionalBool(digits, "individual_digits"));
  return SplitSpec{.pattern = one_by_one.value_or(false) ? R"(\p{N})" : R"(\p{N}+)"};
}

// Reads steps in order.
class PretokenizerReader {
 public:
  // Nesting of sequences is limited by the JSON parser: 1024.
  Status Read(const JsonObject& step) {  // NOLINT(misc-no-recursion)
    RIDGELINE_TRY(const auto type, RequiredText(step, "type"));
    if (type == "Sequence") return ReadSequence(step);
    if (has_byte_level_) {
      return Unsupported(
          fmt::format("'{}' after ByteLevel is not supported", step.place));
    }
    if (type == "ByteLevel") return ReadByteLevel(step);
    if (type != "Split" && type != "Digits") return UnsupportedType(step, type);
    if (spec_.splits.size() == kSplitCountMax) {
      return Unsupported(fmt::format("more than {} pre-tokenizers", kSplitCountMax));
    }
    RIDGELINE_TRY(SplitSpec split, type == "Split" ? ReadSplit(step) : ReadDigits(step));
    spec_.splits.push_back(std::move(split));
    return Ok();
  }

  Result<PretokenizerSpec> Take() && {
    if (has_byte_level_) return std::move(spec_);
    return Unsupported("a 'pre_tokenizer' without ByteLevel is not supported");
  }

 private:
  Status ReadSequence(const JsonObject& sequence) {  // NOLINT(misc-no-recursion)
    RIDGELINE_TRY(const JsonArray steps, RequiredArray(sequence, "pretokenizers"));
    size_t index = 0;
    for (const element value : steps.array) {
      RIDGELINE_TRY(const JsonObject step, AsObject(value, steps.PlaceOf(index++)));
      RIDGELINE_RETURN_IF_ERROR(Read(step));
    }
    return Ok();
  }

  Status ReadByteLevel(const JsonObject& step) {
    RIDGELINE_TRY(const auto adds_space, OptionalBool(step, "add_prefix_space"));
    RIDGELINE_TRY(const auto uses_regex, OptionalBool(step, "use_regex"));
    spec_.adds_prefix_space = adds_space.value_or(true);
    spec_.splits_like_gpt2 = uses_regex.value_or(true);
    has_byte_level_ = true;
    return Ok();
  }

  PretokenizerSpec spec_;
  bool has_byte_level_ = false;
};

Result<PretokenizerSpec> ReadPretokenizer(const JsonObject& file) {
  PretokenizerReader reader;
  RIDGELINE_TRY(const auto step, OptionalObject(file, "pre_tokenizer"));
  if (step) RIDGELINE_RETURN_IF_ERROR(reader.Read(*step));
  return std::move(reader).Take();
}

// ---- Added tokens

Result<AddedToken> ReadAddedToken(const JsonObject& object) {
  AddedToken token;
  RIDGELINE_TRY(token.id, RequiredInteger(object, "id"));
  RIDGELINE_TRY(token.content, RequiredText(object, "content"));
  const auto read = [&object](const char* key, bool otherwise, bool& value) -> Status {
    RIDGELINE_TRY(const auto field, OptionalBool(object, key));
    value = field.value_or(otherwise);
    return Ok();
  };
  RIDGELINE_RETURN_IF_ERROR(read("special", false, token.is_special));
  RIDGELINE_RETURN_IF_ERROR(read("normalized", !token.is_special, token.is_normalized));
  RIDGELINE_RETURN_IF_ERROR(read("single_word", false, token.is_single_word));
  RIDGELINE_RETURN_IF_ERROR(read("lstrip", false, token.strips_left));
  RIDGELINE_RETURN_IF_ERROR(read("rstrip", false, token.strips_right));
  return token;
}

Result<std::vector<AddedToken>> ReadAddedTokens(const JsonObject& file,
                                                Vocabulary& vocabulary) {
  std::vector<AddedToken> tokens;
  RIDGELINE_TRY(const auto list, OptionalArray(file, "added_tokens"));
  if (!list) return tokens;
  for (const element value : list->array) {
    const std::string place = list->PlaceOf(tokens.size());
    RIDGELINE_TRY(const JsonObject object, AsObject(value, place));
    RIDGELINE_TRY(AddedToken token, ReadAddedToken(object));
    Status added =
        vocabulary.Add(token.content, token.id,
                       token.is_special ? TokenOrigin::kSpecial : TokenOrigin::kAdded);
    if (!added.ok()) return std::move(added).error().While(place);
    tokens.push_back(std::move(token));
  }
  return tokens;
}

// ---- Special tokens around a text

// "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}}
Result<std::vector<int32_t>> ReadSpecialIds(const JsonObject& processor,
                                            std::string_view name,
                                            const Vocabulary& vocabulary) {
  RIDGELINE_TRY(const JsonObject all, RequiredObject(processor, "special_tokens"));
  RIDGELINE_TRY(const JsonObject token, RequiredObject(all, name));
  RIDGELINE_TRY(const JsonArray list, RequiredArray(token, "ids"));
  std::vector<int32_t> ids;
  for (const element value : list.array) {
    RIDGELINE_TRY(const int64_t id, AsInteger(value, list.PlaceOf(ids.size())));
    if (id < 0 || id >= kIdLimit || !vocabulary.TokenOf(static_cast<int32_t>(id))) {
      return JsonProblem(list.PlaceOf(ids.size()), fmt::format("is not a token: {}", id));
    }
    ids.push_back(static_cast<int32_t>(id));
    if (ids.size() > kTemplatePartCountMax) return JsonProblem(list.place, "is too long");
  }
  return ids;
}

// {"SpecialToken": {"id": "<s>", "type_id": 0}} or {"Sequence": {"id": "A", ...}}
Result<TemplatePart> ReadTemplatePart(const JsonObject& part, const JsonObject& processor,
                                      const Vocabulary& vocabulary) {
  RIDGELINE_TRY(const auto special, OptionalObject(part, "SpecialToken"));
  if (special) {
    RIDGELINE_TRY(const auto name, RequiredText(*special, "id"));
    RIDGELINE_TRY(std::vector<int32_t> ids, ReadSpecialIds(processor, name, vocabulary));
    return TemplatePart{TemplatePart::Kind::kSpecialTokens, std::move(ids)};
  }
  RIDGELINE_TRY(const JsonObject sequence, RequiredObject(part, "Sequence"));
  RIDGELINE_TRY(const auto name, RequiredText(sequence, "id"));
  if (name != "A") return JsonProblem(sequence.PlaceOf("id"), "is not 'A'");
  return TemplatePart{};
}

Result<std::vector<TemplatePart>> ReadTemplate(const JsonObject& processor,
                                               const Vocabulary& vocabulary) {
  RIDGELINE_TRY(const JsonArray list, RequiredArray(processor, "single"));
  std::vector<TemplatePart> parts;
  size_t text_count = 0;
  for (const element value : list.array) {
    RIDGELINE_TRY(const JsonObject object, AsObject(value, list.PlaceOf(parts.size())));
    RIDGELINE_TRY(TemplatePart part, ReadTemplatePart(object, processor, vocabulary));
    if (part.kind == TemplatePart::Kind::kText) ++text_count;
    parts.push_back(std::move(part));
    if (parts.size() > kTemplatePartCountMax)
      return JsonProblem(list.place, "is too long");
  }
  if (text_count != 1) return JsonProblem(list.place, "must have exactly one Sequence");
  return parts;
}

Result<std::vector<TemplatePart>> ReadPostProcessor(const JsonObject& processor,
                                                    const Vocabulary& vocabulary) {
  RIDGELINE_TRY(const auto type, RequiredText(processor, "type"));
  if (type == "TemplateProcessing") return ReadTemplate(processor, vocabulary);
  // It only affects the offsets of tokens, which are not reported.
  if (type == "ByteLevel") return std::vector<TemplatePart>();
  return UnsupportedType(processor, type);
}

// Sequences are supported as long as only one member adds tokens.
Result<std::vector<TemplatePart>> ReadSpecialTemplate(const JsonObject& file,
                                                      const Vocabulary& vocabulary) {
  std::vector<TemplatePart> parts;
  RIDGELINE_TRY(const auto processor, OptionalObject(file, "post_processor"));
  if (!processor) return parts;
  RIDGELINE_TRY(const auto type, RequiredText(*processor, "type"));
  if (type != "Sequence") return ReadPostProcessor(*processor, vocabulary);
  RIDGELINE_TRY(const JsonArray steps, RequiredArray(*processor, "processors"));
  size_t index = 0;
  for (const element value : steps.array) {
    RIDGELINE_TRY(const JsonObject step, AsObject(value, steps.PlaceOf(index++)));
    RIDGELINE_TRY(auto more, ReadPostProcessor(step, vocabulary));
    if (more.empty()) continue;
    if (!parts.empty()) {
      return Unsupported("more than one TemplateProcessing is not supported");
    }
    parts = std::move(more);
  }
  return parts;
}

Result<TokenizerFile> ReadFile(const JsonObject& file) {
  RIDGELINE_RETURN_IF_ERROR(CheckUnused(file));
  RIDGELINE_RETURN_IF_ERROR(CheckNormalizer(file));
  RIDGELINE_RETURN_IF_ERROR(CheckDecoder(file));
  TokenizerFile read;
  RIDGELINE_TRY(read.pretokenizer, ReadPretokenizer(file));
  RIDGELINE_TRY(const JsonObject model, RequiredObject(file, "model"));
  RIDGELINE_TRY(read.model, ReadBpeModel(model));
  RIDGELINE_TRY(read.added_tokens, ReadAddedTokens(file, read.model.vocabulary));
  RIDGELINE_TRY(read.special_template, ReadSpecialTemplate(file, read.model.vocabulary));
  return read;
}

}  // namespace

Result<TokenizerFile> ParseTokenizerJson(std::string_view bytes) {
  if (std::cmp_greater(bytes.size(), kTokenizerJsonBytesMax)) {
    return Unsupported(
        fmt::format("file too large for a tokenizer: {} bytes", bytes.size()));
  }
  simdjson::dom::parser parser;
  element document;
  const auto error =
      parser.parse(simdjson::padded_string(bytes.data(), bytes.size())).get(document);
  if (error != simdjson::SUCCESS) {
    return Error(ErrorCode::kParse,
                 fmt::format("is not JSON: {}", simdjson::error_message(error)));
  }
  simdjson::dom::object object;
  if (document.get(object) != simdjson::SUCCESS) {
    return Error(ErrorCode::kParse, "is not a tokenizer file");
  }
  return ReadFile({object, ""});
}

}  // namespace ridgeline::tokenizers
