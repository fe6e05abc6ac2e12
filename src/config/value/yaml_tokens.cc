#include "config/value/yaml_tokens.h"

#include <algorithm>

namespace ridgeline::config {
namespace {

std::optional<YamlToken> Wanted(const yaml_token_t& token) {
  YamlToken wanted = {.first = token.start_mark.index, .last = token.end_mark.index};
  if (token.type == YAML_TAG_TOKEN) {
    wanted.kind = YamlToken::Kind::kTag;
    return wanted;
  }
  if (token.type != YAML_SCALAR_TOKEN) return std::nullopt;
  const yaml_scalar_style_t style = token.data.scalar.style;
  if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE) {
    wanted.kind = YamlToken::Kind::kBlock;
  } else if (style != YAML_PLAIN_SCALAR_STYLE) {
    wanted.kind = YamlToken::Kind::kQuoted;
  }
  return wanted;
}

}  // namespace

YamlTokenReader::YamlTokenReader(std::string_view text) {
  initialized_ = yaml_parser_initialize(&parser_) != 0;
  if (!initialized_) return;
  yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libyaml's char.
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  yaml_parser_set_input_string(&parser_, bytes, text.size());
}

YamlTokenReader::~YamlTokenReader() {
  if (initialized_) yaml_parser_delete(&parser_);
}

std::optional<YamlToken> YamlTokenReader::Next() {
  while (initialized_) {
    yaml_token_t token = {};
    if (yaml_parser_scan(&parser_, &token) == 0) return std::nullopt;
    const yaml_token_type_t type = token.type;
    const std::optional<YamlToken> wanted = Wanted(token);
    yaml_token_delete(&token);
    if (wanted || type == YAML_STREAM_END_TOKEN || type == YAML_NO_TOKEN) return wanted;
  }
  return std::nullopt;
}

std::optional<YamlScanFailure> YamlTokenReader::failure() const {
  if (!initialized_ || parser_.error != YAML_SCANNER_ERROR) return std::nullopt;
  return YamlScanFailure{.problem = parser_.problem,
                         .at = parser_.problem_mark.index,
                         .context_at = parser_.context_mark.index,
                         .indent = std::max(parser_.indent, 0)};
}

}  // namespace ridgeline::config
