#include "config/overrides/override_parser.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "config/overrides/function_call.h"
#include "config/overrides/override_lexer.h"
#include "config/overrides/override_message.h"
#include "config/overrides/primitive.h"

namespace ridgeline::config {
namespace {

template <typename T>
using Parsed = ridgeline::Result<T, OverrideError>;

// How far ANTLR reads ahead before it reports a wrong token: usually one token; the whole
// line if it fails to choose between alternatives; not at all inside a loop. If it meets
// a lexer error on the way, it reports that instead.
enum class LookAhead { kNone, kNext, kLine };

bool IsDictKeyToken(TokenKind kind) {
  switch (kind) {
    case TokenKind::kName:
    case TokenKind::kNull:
    case TokenKind::kInt:
    case TokenKind::kFloat:
    case TokenKind::kBool:
    case TokenKind::kUnquotedChar:
    case TokenKind::kEscape:
    case TokenKind::kSpace:
      return true;
    default:
      return false;
  }
}

bool IsPrimitiveToken(TokenKind kind) {
  return IsDictKeyToken(kind) || kind == TokenKind::kColon ||
         kind == TokenKind::kInterpolation;
}

bool StartsElement(TokenKind kind) {
  return IsPrimitiveToken(kind) || kind == TokenKind::kQuoted ||
         kind == TokenKind::kBracketOpen || kind == TokenKind::kBraceOpen;
}

bool StartsKey(TokenKind kind) {
  return kind == TokenKind::kName || kind == TokenKind::kKeySpecial ||
         kind == TokenKind::kDotPath;
}

ValueType ValueTypeOf(const ParsedValue& value) {
  if (const ChoiceSweep* choice = value.As<ChoiceSweep>()) {
    return choice->simple_form ? ValueType::kSimpleChoiceSweep : ValueType::kChoiceSweep;
  }
  if (value.As<Glob>() != nullptr) return ValueType::kGlobChoiceSweep;
  if (value.As<IntervalSweep>() != nullptr) return ValueType::kIntervalSweep;
  if (value.As<RangeSweep>() != nullptr) return ValueType::kRangeSweep;
  return ValueType::kElement;
}

// One token of lookahead, except that a name needs two ("f(", "x="). Functions are
// evaluated during parsing, but a syntax error anywhere in the line takes precedence, so
// the first function error is kept until the end.
class OverrideParser {
 public:
  OverrideParser(std::string_view line, uint32_t shuffle_seed)
      : line_(line), shuffle_seed_(shuffle_seed), tokens_(LexOverride(line)) {}

  Parsed<Override> Parse();

 private:
  TokenKind kind() const { return tokens_[at_].kind; }
  TokenKind next_kind() const {
    return tokens_[std::min(at_ + 1, tokens_.size() - 1)].kind;
  }
  std::string_view text() const {
    return line_.substr(tokens_[at_].begin, tokens_[at_].end - tokens_[at_].begin);
  }
  bool Accept(TokenKind wanted) {
    if (kind() != wanted) return false;
    ++at_;
    return true;
  }

  OverrideError Unexpected(std::string_view expected,
                           LookAhead look_ahead = LookAhead::kNext) const;
  void KeepFirst(OverrideError error) {
    if (!kept_error_) kept_error_ = std::move(error);
  }

  Parsed<OverrideType> ParsePrefix();
  Parsed<std::string> ParsePackage(LookAhead look_ahead);
  Parsed<std::string> ParseKeyOrGroup(LookAhead look_ahead);
  Parsed<ParsedValue> ParseValue();
  Parsed<ParsedValue> ParseElement();
  Parsed<ParsedValue> ParseNested();
  Parsed<ParsedValue> ParseList();
  Parsed<ParsedValue> ParseDict();
  Parsed<std::monostate> ParseDictEntry(ParsedDict& dict);
  Parsed<ParsedValue> ParseFunction();
  Parsed<std::monostate> ParseArgument(FunctionCall& call);
  Scalar ParsePrimitive(bool (*belongs)(TokenKind));
  ParsedValue Evaluate(FunctionCall call, std::string_view call_text);

  std::string_view line_;
  uint32_t shuffle_seed_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  int depth_ = 0;
  bool in_first_element_ = false;
  std::optional<OverrideError> kept_error_;
};

OverrideError OverrideParser::Unexpected(std::string_view expected,
                                         LookAhead look_ahead) const {
  if (kind() == TokenKind::kInvalid) return LexerError(line_, tokens_[at_]);
  // ANTLR reads the entire first element before it decides that it is not a sweep.
  if (in_first_element_ && depth_ > 0) look_ahead = LookAhead::kLine;
  const bool meets_invalid =
      look_ahead == LookAhead::kLine
          ? tokens_.back().kind == TokenKind::kInvalid
          : look_ahead == LookAhead::kNext && next_kind() == TokenKind::kInvalid;
  if (meets_invalid) return LexerError(line_, tokens_.back());
  return SyntaxError(line_, tokens_[at_], expected);
}

Parsed<OverrideType> OverrideParser::ParsePrefix() {
  if (Accept(TokenKind::kTilde)) return OverrideType::kDelete;
  if (Accept(TokenKind::kPlus)) {
    return Accept(TokenKind::kPlus) ? OverrideType::kForceAdd : OverrideType::kAdd;
  }
  return OverrideType::kChange;
}

Parsed<std::string> OverrideParser::ParsePackage(LookAhead look_ahead) {
  if (StartsKey(kind())) {
    std::string package(text());
    ++at_;
    return package;
  }
  if (kind() == TokenKind::kEqual || kind() == TokenKind::kAt ||
      kind() == TokenKind::kEnd) {
    return std::string();
  }
  return Unexpected("a key", look_ahead);
}

Parsed<std::string> OverrideParser::ParseKeyOrGroup(LookAhead look_ahead) {
  const bool name = kind() == TokenKind::kName;
  RIDGELINE_TRY(std::string key, ParsePackage(look_ahead));
  while (name && Accept(TokenKind::kSlash)) {
    if (kind() != TokenKind::kName) return Unexpected("the name of a config group");
    key += '/';
    key += text();
    ++at_;
  }
  return key;
}

Parsed<Override> OverrideParser::Parse() {
  Override parsed;
  parsed.input_line = std::string(line_);
  RIDGELINE_TRY(parsed.type, ParsePrefix());
  const bool strict =
      parsed.type == OverrideType::kDelete || parsed.type == OverrideType::kForceAdd;
  RIDGELINE_TRY(parsed.key_or_group,
                ParseKeyOrGroup(strict ? LookAhead::kLine : LookAhead::kNext));
  if (Accept(TokenKind::kAt)) {
    RIDGELINE_TRY(parsed.package, ParsePackage(LookAhead::kLine));
  }
  if (parsed.type == OverrideType::kDelete && kind() == TokenKind::kEnd) return parsed;
  if (!Accept(TokenKind::kEqual)) return Unexpected("'='");
  parsed.value_type = ValueType::kElement;
  if (kind() == TokenKind::kEnd) {
    parsed.value = ParsedValue("");
    return parsed;
  }
  RIDGELINE_TRY(parsed.value, ParseValue());
  if (kind() != TokenKind::kEnd) return Unexpected("',' or the end of the override");
  if (kept_error_) return *std::move(kept_error_);
  parsed.value_type = ValueTypeOf(parsed.value);
  return parsed;
}

Parsed<ParsedValue> OverrideParser::ParseValue() {
  in_first_element_ = true;
  RIDGELINE_TRY(ParsedValue first, ParseElement());
  in_first_element_ = false;
  if (kind() != TokenKind::kComma) return first;
  ChoiceSweep sweep;
  sweep.simple_form = true;
  sweep.list.push_back(std::move(first));
  while (Accept(TokenKind::kComma)) {
    RIDGELINE_TRY(ParsedValue element, ParseElement());
    sweep.list.push_back(std::move(element));
  }
  return ParsedValue(std::move(sweep));
}

Parsed<ParsedValue> OverrideParser::ParseElement() {
  if (!StartsElement(kind())) return Unexpected("a value");
  if (kind() == TokenKind::kQuoted) {
    ParsedValue quoted(UnquoteToken(text()));
    ++at_;
    return quoted;
  }
  const bool nested =
      kind() == TokenKind::kBracketOpen || kind() == TokenKind::kBraceOpen ||
      (kind() == TokenKind::kName && next_kind() == TokenKind::kParenOpen);
  if (nested) return ParseNested();
  return ParsedValue(ParsePrimitive(IsPrimitiveToken));
}

Parsed<ParsedValue> OverrideParser::ParseNested() {
  if (depth_ >= kOverrideMaxDepth) return DepthError(line_, tokens_[at_]);
  ++depth_;
  Parsed<ParsedValue> parsed = kind() == TokenKind::kBracketOpen ? ParseList()
                               : kind() == TokenKind::kBraceOpen ? ParseDict()
                                                                 : ParseFunction();
  --depth_;
  return parsed;
}

Parsed<ParsedValue> OverrideParser::ParseList() {
  ++at_;
  ParsedList list;
  if (Accept(TokenKind::kBracketClose)) return ParsedValue(std::move(list));
  do {
    RIDGELINE_TRY(ParsedValue element, ParseElement());
    list.push_back(std::move(element));
  } while (Accept(TokenKind::kComma));
  if (!Accept(TokenKind::kBracketClose)) {
    return Unexpected("',' or ']'",
                      list.size() > 1 ? LookAhead::kNone : LookAhead::kNext);
  }
  return ParsedValue(std::move(list));
}

Parsed<std::monostate> OverrideParser::ParseDictEntry(ParsedDict& dict) {
  if (!IsDictKeyToken(kind())) return Unexpected("a key of the dict");
  Scalar key = ParsePrimitive(IsDictKeyToken);
  if (!Accept(TokenKind::kColon)) return Unexpected("':'");
  RIDGELINE_TRY(ParsedValue value, ParseElement());
  dict.Set(std::move(key), std::move(value));
  return std::monostate();
}

Parsed<ParsedValue> OverrideParser::ParseDict() {
  ++at_;
  ParsedDict dict;
  if (Accept(TokenKind::kBraceClose)) return ParsedValue(std::move(dict));
  bool repeated = false;
  RIDGELINE_RETURN_IF_ERROR(ParseDictEntry(dict));
  while (Accept(TokenKind::kComma)) {
    RIDGELINE_RETURN_IF_ERROR(ParseDictEntry(dict));
    repeated = true;
  }
  if (!Accept(TokenKind::kBraceClose)) {
    return Unexpected("',' or '}'", repeated ? LookAhead::kNone : LookAhead::kNext);
  }
  return ParsedValue(std::move(dict));
}

Parsed<ParsedValue> OverrideParser::ParseFunction() {
  const size_t begin = tokens_[at_].begin;
  FunctionCall call;
  call.name = text();
  call.shuffle_seed = shuffle_seed_;
  at_ += 2;
  size_t arguments = 0;
  if (kind() != TokenKind::kParenClose) {
    do {
      RIDGELINE_RETURN_IF_ERROR(ParseArgument(call));
      ++arguments;
    } while (Accept(TokenKind::kComma));
  }
  if (kind() != TokenKind::kParenClose) {
    return Unexpected("',' or ')'", arguments > 1 ? LookAhead::kNone : LookAhead::kNext);
  }
  const size_t end = tokens_[at_].end;
  ++at_;
  return Evaluate(std::move(call), line_.substr(begin, end - begin));
}

Parsed<std::monostate> OverrideParser::ParseArgument(FunctionCall& call) {
  if (kind() == TokenKind::kName && next_kind() == TokenKind::kEqual) {
    const std::string_view name = text();
    at_ += 2;
    RIDGELINE_TRY(ParsedValue value, ParseElement());
    for (auto& [known, known_value] : call.named) {
      if (known != name) continue;
      known_value = std::move(value);
      return std::monostate();
    }
    call.named.emplace_back(name, std::move(value));
    return std::monostate();
  }
  if (!call.named.empty()) {
    KeepFirst(SemanticError(line_, "positional argument follows keyword argument"));
  }
  RIDGELINE_TRY(ParsedValue value, ParseElement());
  call.positional.push_back(std::move(value));
  return std::monostate();
}

Scalar OverrideParser::ParsePrimitive(bool (*belongs)(TokenKind)) {
  const size_t begin = at_;
  while (belongs(kind())) ++at_;
  ridgeline::Result<Scalar, std::string> value =
      MakePrimitive(line_, std::span(tokens_).subspan(begin, at_ - begin));
  if (value.ok()) return std::move(value).value();
  KeepFirst(SemanticError(line_, value.error()));
  return Scalar(Null());
}

ParsedValue OverrideParser::Evaluate(FunctionCall call, std::string_view call_text) {
  if (kept_error_) return {};
  Evaluated<ParsedValue> value = EvaluateFunction(std::move(call));
  if (value.ok()) return std::move(value).value();
  const Raised& raised = value.error();
  KeepFirst(FunctionError(line_, call_text, raised));
  return {};
}

}  // namespace

std::string_view OverrideFaultName(OverrideFault fault) {
  switch (fault) {
    case OverrideFault::kLexer:
      return "lexer";
    case OverrideFault::kSyntax:
      return "syntax";
    case OverrideFault::kFunction:
      return "function";
    case OverrideFault::kSemantic:
      return "semantic";
  }
  return "";
}

ridgeline::Result<Override, OverrideError> ParseOverride(std::string_view line,
                                                         uint32_t shuffle_seed) {
  return OverrideParser(line, shuffle_seed).Parse();
}

Result<std::vector<Override>> ParseOverrides(std::span<const std::string> lines,
                                             uint32_t shuffle_seed) {
  std::vector<Override> overrides;
  overrides.reserve(lines.size());
  for (const std::string& line : lines) {
    // A separate seed per line; otherwise all lists would be shuffled identically.
    const uint32_t seed = shuffle_seed + static_cast<uint32_t>(overrides.size());
    RIDGELINE_TRY(Override parsed, ParseOverride(line, seed));
    overrides.push_back(std::move(parsed));
  }
  return overrides;
}

}  // namespace ridgeline::config
