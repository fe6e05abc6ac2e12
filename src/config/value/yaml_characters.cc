#include "config/value/yaml_characters.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "config/value/python_text.h"
#include "config/value/unicode.h"
#include "config/value/yaml_tokens.h"

namespace ridgeline::config {
namespace {

bool IsAllowed(char32_t code) {
  return (code >= 0x20 && code <= 0x7E) || code == '\n' || code == '\t' || code == '\r' ||
         code == 0x85 || (code >= 0xA0 && code <= 0xD7FF) ||
         (code >= 0xE000 && code <= 0xFFFD) || code >= 0x10000;
}

constexpr char32_t kByteOrderMark = 0xFEFF;

// Whether `at` follows a line break. There, libyaml drops a byte order mark and PyYAML
// treats it as a letter; neither is useful.
bool IsLineStart(std::string_view text, size_t at) {
  if (at == 0) return false;
  if (at == 3 && DecodeUtf8(text, 0).code == kByteOrderMark) return true;
  return YamlBreakLength(text, at - 1) == 1 ||
         (at >= 2 && YamlBreakLength(text, at - 2) == 2) ||
         (at >= 3 && YamlBreakLength(text, at - 3) == 3);
}

// Most files contain none of these characters and need no second pass.
bool NeedsSeparatorCheck(std::string_view text) {
  constexpr std::string_view kBlockIndicators = "|>+-0123456789";
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\t' || c == '!') return true;
    if (c == '#' && i > 0 &&
        kBlockIndicators.find(text[i - 1]) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

YamlMark MarkOf(std::string_view text, size_t byte_offset) {
  YamlMark mark;
  for (size_t at = 0; at < byte_offset;) {
    if (const size_t length = YamlBreakLength(text, at)) {
      at += length;
      mark = {.line = mark.line + 1, .column = 1};
    } else {
      at += DecodeUtf8(text, at).length;
      ++mark.column;
    }
  }
  return mark;
}

Error CharacterError(std::string_view text, size_t at, const SourceName& source) {
  const Utf8Character c = DecodeUtf8(text, at);
  Error error(ErrorKind::kYamlReader, "");
  if (c.valid) {
    size_t position = 0;
    for (size_t i = 0; i < at; i += DecodeUtf8(text, i).length) ++position;
    error.message = fmt::format(
        "unacceptable character #x{:04x}: special characters are not allowed\n"
        "  in \"{}\", position {}",
        static_cast<uint32_t>(c.code), *source, position);
  } else {
    error.message = fmt::format("'utf-8' codec can't decode byte 0x{:02x} in position {}",
                                static_cast<uint32_t>(c.code), at);
  }
  const YamlMark mark = MarkOf(text, at);
  error.origin = {.source = source, .line = mark.line, .column = mark.column};
  return error;
}

// Walks the tokens of the text and checks the separation between them.
class SeparatorCheck {
 public:
  SeparatorCheck(std::string_view text, const SourceName& source)
      : text_(text), source_(source), tokens_(text) {}

  Status Run() {
    while (const std::optional<YamlToken> token = tokens_.Next()) {
      RIDGELINE_RETURN_IF_ERROR(WalkSeparation(token->first, text_.size()));
      RIDGELINE_RETURN_IF_ERROR(WalkToken(*token));
    }
    return WalkSeparation(text_.size(), text_.size());
  }

 private:
  // Up to the character with this index, at most to that byte; comments may contain tabs.
  Status WalkSeparation(size_t until_index, size_t until_byte) {
    bool in_comment = false;
    while (index_ < until_index && at_ < until_byte) {
      if (YamlBreakLength(text_, at_) > 0) in_comment = false;
      if (text_[at_] == '#') in_comment = true;
      if (text_[at_] == '\t' && !in_comment) return TabError();
      Step();
    }
    return Ok();
  }

  Status WalkToken(const YamlToken& token) {
    if (token.kind == YamlToken::Kind::kBlock) {
      RIDGELINE_RETURN_IF_ERROR(WalkBlockHeader(token));
    }
    while (index_ < token.last && at_ < text_.size()) {
      if (text_[at_] == '\t' && token.kind == YamlToken::Kind::kPlain) return TabError();
      Step();
    }
    if (token.kind == YamlToken::Kind::kTag && at_ < text_.size() && text_[at_] != ' ' &&
        text_[at_] != '\t' && YamlBreakLength(text_, at_) == 0) {
      const std::string_view found = text_.substr(at_, DecodeUtf8(text_, at_).length);
      return YamlError(ErrorKind::kYamlScanner, source_, {"while scanning a tag", {}},
                       "expected ' ', but found " + Repr(found), MarkOf(text_, at_));
    }
    return Ok();
  }

  // The rest of the indicator's line, "|2- # why", is still separation.
  Status WalkBlockHeader(const YamlToken& token) {
    size_t line_end = at_;
    while (line_end < text_.size() && YamlBreakLength(text_, line_end) == 0) ++line_end;
    const std::string_view header = text_.substr(at_, line_end - at_);
    const size_t after =
        std::min(header.find_first_not_of("|>+-0123456789"), header.size());
    if (header.substr(after).starts_with('#')) {
      return YamlError(ErrorKind::kYamlScanner, source_,
                       {"while scanning a block scalar", MarkOf(text_, at_)},
                       "expected chomping or indentation indicators, but found '#'",
                       MarkOf(text_, at_ + after));
    }
    return WalkSeparation(token.last, line_end);
  }

  Error TabError() const {
    return YamlError(
        ErrorKind::kYamlScanner, source_, {"while scanning for the next token", {}},
        "found character '\\t' that cannot start any token", MarkOf(text_, at_));
  }

  void Step() {
    at_ += DecodeUtf8(text_, at_).length;
    ++index_;
  }

  std::string_view text_;
  const SourceName& source_;
  YamlTokenReader tokens_;
  size_t at_ = 0;     // In bytes.
  size_t index_ = 0;  // The same in characters, libyaml's unit.
};

}  // namespace

Status CheckYamlCharacters(std::string_view text, const SourceName& source) {
  for (size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x7F) {
      ++at;
      continue;
    }
    const Utf8Character c = DecodeUtf8(text, at);
    if (!c.valid || !IsAllowed(c.code)) return CharacterError(text, at, source);
    if (c.code == kByteOrderMark && IsLineStart(text, at)) {
      return CharacterError(text, at, source);
    }
    at += c.length;
  }
  return Ok();
}

Status CheckYamlSeparators(std::string_view text, const SourceName& source) {
  if (!NeedsSeparatorCheck(text)) return Ok();
  return SeparatorCheck(text, source).Run();
}

}  // namespace ridgeline::config
