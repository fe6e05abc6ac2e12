#include "config/tree/interpolation_parser.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "config/tree/interpolation_lexer.h"
#include "config/tree/simple_interpolation.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

using Lexer = InterpolationLexer;
using Type = InterpolationTokenType;

bool IsTextPiece(Type type) {
  switch (type) {
    case Type::kInterOpen:
    case Type::kAnyText:
    case Type::kEscape:
    case Type::kEscapedInter:
    case Type::kTopBackslashes:
    case Type::kQuotedBackslashes:
      return true;
    default:
      return false;
  }
}

bool IsDictKeyPiece(Type type) {
  switch (type) {
    case Type::kId:
    case Type::kNull:
    case Type::kInt:
    case Type::kFloat:
    case Type::kBool:
    case Type::kUnquotedChar:
    case Type::kEscape:
    case Type::kWhitespace:
      return true;
    default:
      return false;
  }
}

bool IsPrimitivePiece(Type type) {
  return IsDictKeyPiece(type) || type == Type::kColon || type == Type::kInterOpen;
}

bool StartsElement(Type type) {
  return IsPrimitivePiece(type) || type == Type::kQuoteOpen ||
         type == Type::kBracketOpen || type == Type::kBraceOpen;
}

// "\\\'" becomes "\'": keeps the second character of every pair.
std::string Unescaped(std::string_view text) {
  std::string result;
  for (size_t i = 1; i < text.size(); i += 2) result += text[i];
  return result;
}

// Adjacent literals are merged into one part.
void AppendLiteral(Text& text, std::string_view literal) {
  if (!text.parts.empty()) {
    if (auto* last = std::get_if<std::string>(&text.parts.back())) {
      last->append(literal);
      return;
    }
  }
  text.parts.emplace_back(std::string(literal));
}

// The text between "${" and ":" or "}".
struct Key {
  std::vector<TextPart> pieces;
  bool may_name_resolver = true;  // Only words separated by single dots.
  bool decides = false;           // See InterpolationParser::undecided_from_.
};

struct Sequence {
  std::vector<Element> items;
  std::string source_if_missing_elements;
};

// Recursive descent with one token of lookahead. Every Parse... starts at the first token
// of its rule and stops at the token after it.
class InterpolationParser {
 public:
  InterpolationParser(std::string_view text, Lexer::Mode mode)
      : text_(text), lexer_(text, mode) {}

  Result<Text> ParseConfigValue();
  Result<Element> ParseSingleElement();

 private:
  class Nesting {
   public:
    explicit Nesting(size_t& depth) : depth_(depth) { ++depth_; }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    size_t& depth_;
  };

  Status Advance();
  Status Expect(Type type, std::string_view what);
  Error Unexpected(std::string_view expected) const;
  Error TooDeep() const;
  std::string_view TextOf(const InterpolationToken& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }
  std::string SourceFrom(size_t begin) const {
    return std::string(text_.substr(begin, consumed_end_ - begin));
  }

  Result<Text> ParseTextParts();
  Result<Element> ParseElement();
  Result<Element> ParsePrimitive();
  Result<Element> ParseQuoted();
  Result<Element> ParseList();
  Result<Element> ParseDict();
  Result<Sequence> ParseSequence();
  Result<Value> ParseDictKey();
  Value TypedValue(const InterpolationToken& token);
  std::string UntypedText(const InterpolationToken& token) const;

  Result<InterpolationPtr> ParseInterpolation();
  Result<ResolverCall> ParseResolverCall(Key key);
  Result<Key> ParseKey(bool decides);
  Status ParseKeyPart(Key& key);
  Status ParseBracketedKeyPart(Key& key);
  Status TakePiece(Key& key);
  void ExcludeResolver(Key& key);

  std::string_view text_;
  Lexer lexer_;
  InterpolationToken token_;  // The next one, not yet consumed.
  size_t consumed_end_ = 0;   // End of the last consumed one.
  size_t depth_ = 0;
  // ANTLR cannot distinguish ${a.b} from ${a.b:} before the end of the key. An error
  // before that covers everything from the outermost such "${".
  std::optional<size_t> undecided_from_;
  // Grammatical, but Python cannot construct a value from it. Reported only if the rest
  // of the text is grammatical as well.
  std::optional<Error> value_error_;
};

Status InterpolationParser::Advance() {
  consumed_end_ = token_.end;
  RIDGELINE_TRY(token_, lexer_.Next());
  return Ok();
}

Status InterpolationParser::Expect(Type type, std::string_view what) {
  if (token_.type == type) return Advance();
  // ANTLR recovers if only the last token of an outermost form is missing.
  if (token_.type == Type::kEnd && depth_ == 1 && !undecided_from_) {
    return Error(ErrorKind::kGrammarParse,
                 "missing " + std::string(what) + " at '<EOF>'");
  }
  return Unexpected(what);
}

Error InterpolationParser::Unexpected(std::string_view expected) const {
  if (undecided_from_) {
    const std::string_view seen =
        text_.substr(*undecided_from_, token_.end - *undecided_from_);
    return {ErrorKind::kGrammarParse,
            "no viable alternative at input " + InMessage(seen)};
  }
  std::string message = "mismatched input ";
  message += token_.type == Type::kEnd ? "'<EOF>'" : InMessage(TextOf(token_));
  message += " expecting ";
  message += expected;
  return {ErrorKind::kGrammarParse, std::move(message)};
}

Error InterpolationParser::TooDeep() const {
  return {ErrorKind::kGrammarParse, "more than " + std::to_string(Lexer::kMaxDepth) +
                                        " lists, dicts or interpolations inside each "
                                        "other"};
}

Result<Text> InterpolationParser::ParseConfigValue() {
  RIDGELINE_RETURN_IF_ERROR(Advance());
  RIDGELINE_TRY(Text text, ParseTextParts());
  if (text.parts.empty()) return Unexpected("text");
  RIDGELINE_RETURN_IF_ERROR(Expect(Type::kEnd, "<EOF>"));
  if (value_error_) return *std::move(value_error_);
  return text;
}

Result<Element> InterpolationParser::ParseSingleElement() {
  RIDGELINE_RETURN_IF_ERROR(Advance());
  RIDGELINE_TRY(Element element, ParseElement());
  RIDGELINE_RETURN_IF_ERROR(Expect(Type::kEnd, "<EOF>"));
  if (value_error_) return *std::move(value_error_);
  return element;
}

// Plain text or the contents of a quoted string; may be empty. Backslashes are halved
// where they could be taken as escaping what follows.
Result<Text> InterpolationParser::ParseTextParts() {
  Text text;
  while (IsTextPiece(token_.type)) {
    if (token_.type == Type::kInterOpen) {
      RIDGELINE_TRY(InterpolationPtr interpolation, ParseInterpolation());
      text.parts.emplace_back(std::move(interpolation));
      continue;
    }
    const InterpolationToken token = token_;
    const std::string_view written = TextOf(token);
    RIDGELINE_RETURN_IF_ERROR(Advance());
    const bool interpolation_follows = token_.type == Type::kInterOpen;
    const bool text_ends = !IsTextPiece(token_.type);
    if (token.type == Type::kEscapedInter) {
      // Half of the backslashes, then "${".
      AppendLiteral(text, written.substr(written.size() - (written.size() / 2 + 1)));
    } else if (token.type == Type::kEscape ||
               (token.type == Type::kTopBackslashes && interpolation_follows) ||
               (token.type == Type::kQuotedBackslashes &&
                (interpolation_follows || text_ends))) {
      AppendLiteral(text, Unescaped(written));
    } else {
      AppendLiteral(text, written);
    }
  }
  return text;
}

Result<Element> InterpolationParser::ParseElement() {
  const Nesting nesting(depth_);
  if (depth_ > Lexer::kMaxDepth) return TooDeep();
  if (token_.type == Type::kQuoteOpen) return ParseQuoted();
  if (token_.type == Type::kBracketOpen) return ParseList();
  if (token_.type == Type::kBraceOpen) return ParseDict();
  if (IsPrimitivePiece(token_.type)) return ParsePrimitive();
  return Unexpected("a value");
}

Value InterpolationParser::TypedValue(const InterpolationToken& token) {
  const std::string_view written = TextOf(token);
  switch (token.type) {
    case Type::kNull:
      return Null();
    case Type::kBool:
      return written.size() == 4;  // "true", case-insensitive.
    case Type::kFloat:
      return *ParsePythonFloat(written);
    case Type::kInt:
      if (std::optional<Integer> integer = ParsePythonInt(written)) return *integer;
      if (!value_error_) {
        const auto digits = std::count_if(written.begin(), written.end(),
                                          [](char c) { return c >= '0' && c <= '9'; });
        value_error_.emplace(
            ErrorKind::kValue,
            "Exceeds the limit (4300 digits) for integer string conversion: value has " +
                std::to_string(digits) +
                " digits; use sys.set_int_max_str_digits() to increase the limit");
      }
      return Null();
    case Type::kWhitespace:
      if (!value_error_) {
        value_error_.emplace(ErrorKind::kAssertion, "WS should never be reached");
      }
      return Null();
    default:
      return UntypedText(token);
  }
}

std::string InterpolationParser::UntypedText(const InterpolationToken& token) const {
  const std::string_view written = TextOf(token);
  return token.type == Type::kEscape ? Unescaped(written) : std::string(written);
}

// A single token has a type; several adjacent ones form a string.
Result<Element> InterpolationParser::ParsePrimitive() {
  const InterpolationToken first = token_;
  Text text;
  if (first.type != Type::kInterOpen) {
    RIDGELINE_RETURN_IF_ERROR(Advance());
    if (!IsPrimitivePiece(token_.type)) {
      return Element{Literal{TypedValue(first)}, SourceFrom(first.begin)};
    }
    AppendLiteral(text, UntypedText(first));
  }
  while (IsPrimitivePiece(token_.type)) {
    if (token_.type == Type::kInterOpen) {
      RIDGELINE_TRY(InterpolationPtr interpolation, ParseInterpolation());
      text.parts.emplace_back(std::move(interpolation));
    } else {
      AppendLiteral(text, UntypedText(token_));
      RIDGELINE_RETURN_IF_ERROR(Advance());
    }
  }
  return Element{Mixed{std::move(text)}, SourceFrom(first.begin)};
}

Result<Element> InterpolationParser::ParseQuoted() {
  const size_t begin = token_.begin;
  RIDGELINE_RETURN_IF_ERROR(Advance());
  RIDGELINE_TRY(Text text, ParseTextParts());
  RIDGELINE_RETURN_IF_ERROR(Expect(Type::kQuoteClose, "MATCHING_QUOTE_CLOSE"));
  return Element{Quoted{std::move(text)}, SourceFrom(begin)};
}

Result<Element> InterpolationParser::ParseList() {
  const size_t begin = token_.begin;
  RIDGELINE_RETURN_IF_ERROR(Advance());
  RIDGELINE_TRY(Sequence sequence, ParseSequence());
  RIDGELINE_RETURN_IF_ERROR(Expect(Type::kBracketClose, "BRACKET_CLOSE"));
  return Element{ListLiteral{std::move(sequence.items),
                             std::move(sequence.source_if_missing_elements)},
                 SourceFrom(begin)};
}

// a,b  a,,b  ,  or nothing at all (which does not count as a missing element).
Result<Sequence> InterpolationParser::ParseSequence() {
  Sequence sequence;
  if (token_.type != Type::kComma && !StartsElement(token_.type)) return sequence;
  const size_t begin = token_.begin;
  bool element_due = true;
  bool any_missing = false;
  const auto add_missing = [&] {
    sequence.items.push_back({Literal{std::string()}, ""});
    any_missing = true;
  };
  while (true) {
    if (token_.type == Type::kComma) {
      if (element_due) add_missing();
      element_due = true;
      RIDGELINE_RETURN_IF_ERROR(Advance());
    } else if (element_due && StartsElement(token_.type)) {
      RIDGELINE_TRY(Element element, ParseElement());
      sequence.items.push_back(std::move(element));
      element_due = false;
    } else {
      break;
    }
  }
  if (element_due) add_missing();
  if (any_missing) sequence.source_if_missing_elements = SourceFrom(begin);
  return sequence;
}

Result<Element> InterpolationParser::ParseDict() {
  const size_t begin = token_.begin;
  RIDGELINE_RETURN_IF_ERROR(Advance());
  DictLiteral dict;
  while (token_.type != Type::kBraceClose) {
    if (!dict.items.empty()) {
      if (token_.type != Type::kComma) return Unexpected("{BRACE_CLOSE, COMMA}");
      RIDGELINE_RETURN_IF_ERROR(Advance());
    }
    RIDGELINE_TRY(Value key, ParseDictKey());
    RIDGELINE_RETURN_IF_ERROR(Expect(Type::kColon, "COLON"));
    RIDGELINE_TRY(Element value, ParseElement());
    dict.items.push_back({std::move(key), std::move(value)});
  }
  RIDGELINE_RETURN_IF_ERROR(Advance());
  return Element{std::move(dict), SourceFrom(begin)};
}

Result<Value> InterpolationParser::ParseDictKey() {
  if (!IsDictKeyPiece(token_.type)) return Unexpected("a key");
  const InterpolationToken first = token_;
  RIDGELINE_RETURN_IF_ERROR(Advance());
  if (!IsDictKeyPiece(token_.type)) return TypedValue(first);
  std::string key = UntypedText(first);
  while (IsDictKeyPiece(token_.type)) {
    key += UntypedText(token_);
    RIDGELINE_RETURN_IF_ERROR(Advance());
  }
  return Value(std::move(key));
}

Result<InterpolationPtr> InterpolationParser::ParseInterpolation() {
  const Nesting nesting(depth_);
  if (depth_ > Lexer::kMaxDepth) return TooDeep();
  const size_t begin = token_.begin;
  const bool decides = !undecided_from_;
  if (decides) undecided_from_ = begin;
  RIDGELINE_RETURN_IF_ERROR(Advance());
  RIDGELINE_TRY(Key key, ParseKey(decides));
  const bool is_call = token_.type == Type::kColon && key.may_name_resolver;
  if (decides && (is_call || token_.type == Type::kInterClose)) undecided_from_.reset();

  auto interpolation = std::make_unique<Interpolation>();
  if (is_call) {
    RIDGELINE_TRY(interpolation->form, ParseResolverCall(std::move(key)));
  } else {
    if (token_.type != Type::kInterClose) {
      return Unexpected("{BRACKET_OPEN, INTER_CLOSE, '.'}");
    }
    RIDGELINE_RETURN_IF_ERROR(Advance());
    interpolation->form = NodeReference{std::move(key.pieces)};
  }
  interpolation->source = SourceFrom(begin);
  return InterpolationPtr(std::move(interpolation));
}

Result<ResolverCall> InterpolationParser::ParseResolverCall(Key key) {
  RIDGELINE_RETURN_IF_ERROR(Advance());
  ResolverCall call;
  // Every other piece is a dot.
  for (size_t i = 0; i < key.pieces.size(); i += 2) {
    call.name.push_back(std::move(key.pieces[i]));
  }
  RIDGELINE_TRY(Sequence sequence, ParseSequence());
  RIDGELINE_RETURN_IF_ERROR(Expect(Type::kBraceClose, "BRACE_CLOSE"));
  call.arguments = std::move(sequence.items);
  call.sequence_with_missing_elements = std::move(sequence.source_if_missing_elements);
  return call;
}

Result<Key> InterpolationParser::ParseKey(bool decides) {
  Key key;
  key.decides = decides;
  key.pieces.reserve(4);
  while (token_.type == Type::kDot) {
    ExcludeResolver(key);
    RIDGELINE_RETURN_IF_ERROR(TakePiece(key));
  }
  if (token_.type == Type::kBracketOpen) {
    RIDGELINE_RETURN_IF_ERROR(ParseBracketedKeyPart(key));
  } else {
    RIDGELINE_RETURN_IF_ERROR(ParseKeyPart(key));
  }
  while (true) {
    if (token_.type == Type::kDot) {
      RIDGELINE_RETURN_IF_ERROR(TakePiece(key));
      RIDGELINE_RETURN_IF_ERROR(ParseKeyPart(key));
    } else if (token_.type == Type::kBracketOpen) {
      RIDGELINE_RETURN_IF_ERROR(ParseBracketedKeyPart(key));
    } else {
      return key;
    }
  }
}

Status InterpolationParser::ParseKeyPart(Key& key) {
  if (token_.type == Type::kInterOpen) {
    RIDGELINE_TRY(InterpolationPtr interpolation, ParseInterpolation());
    key.pieces.emplace_back(std::move(interpolation));
    return Ok();
  }
  if (token_.type == Type::kInterKey) ExcludeResolver(key);
  if (token_.type != Type::kInterKey && token_.type != Type::kId) {
    return Unexpected("{INTER_OPEN, ID, INTER_KEY}");
  }
  return TakePiece(key);
}

Status InterpolationParser::ParseBracketedKeyPart(Key& key) {
  ExcludeResolver(key);
  RIDGELINE_RETURN_IF_ERROR(TakePiece(key));
  RIDGELINE_RETURN_IF_ERROR(ParseKeyPart(key));
  if (token_.type != Type::kBracketClose) return Unexpected("BRACKET_CLOSE");
  return TakePiece(key);
}

Status InterpolationParser::TakePiece(Key& key) {
  key.pieces.emplace_back(std::string(TextOf(token_)));
  return Advance();
}

void InterpolationParser::ExcludeResolver(Key& key) {
  key.may_name_resolver = false;
  if (key.decides) undecided_from_.reset();
}

}  // namespace

bool HoldsInterpolation(std::string_view text) {
  return text.find("${") != std::string_view::npos;
}

Result<Text> ParseText(std::string_view text) {
  return InterpolationParser(text, Lexer::Mode::kText).ParseConfigValue();
}

Result<Element> ParseElement(std::string_view text) {
  return InterpolationParser(text, Lexer::Mode::kValue).ParseSingleElement();
}

Status CheckStoredText(std::string_view text) {
  if (HoldsOnlySimpleInterpolations(text)) return Ok();
  Result<Text> parsed = ParseText(text);
  // Text that is grammatical but has no value fails only when it is read.
  if (parsed.ok() || parsed.error().kind != ErrorKind::kGrammarParse) return Ok();
  return std::move(parsed).error();
}

}  // namespace ridgeline::config
