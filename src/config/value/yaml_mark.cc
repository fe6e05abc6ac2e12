#include "config/value/yaml_mark.h"

#include "config/value/unicode.h"

namespace ridgeline::config {
namespace {

std::string Where(const SourceName& source, YamlMark mark) {
  return "  in \"" + *source + "\", line " + std::to_string(mark.line) + ", column " +
         std::to_string(mark.column);
}

}  // namespace

Error YamlError(ErrorKind kind, const SourceName& source, const YamlContext& context,
                std::string_view problem, YamlMark mark) {
  std::string message;
  if (!context.what.empty()) message += context.what + "\n";
  if (context.mark && *context.mark != mark)
    message += Where(source, *context.mark) + "\n";
  message += std::string(problem) + "\n" + Where(source, mark);
  Error error(kind, std::move(message));
  error.origin = {.source = source, .line = mark.line, .column = mark.column};
  return error;
}

Error YamlError(ErrorKind kind, const SourceName& source, std::string_view problem,
                YamlMark mark) {
  return YamlError(kind, source, YamlContext(), problem, mark);
}

size_t YamlBreakLength(std::string_view text, size_t at) {
  if (at >= text.size()) return 0;
  if (text[at] == '\n') return 1;
  if (text[at] == '\r') return text.substr(at + 1).starts_with('\n') ? 2 : 1;
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("\xC2\x85")) return 2;
  if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9")) return 3;
  return 0;
}

size_t ByteOffset(std::string_view text, size_t character_index) {
  size_t at = 0;
  for (; character_index > 0 && at < text.size(); --character_index) {
    at += DecodeUtf8(text, at).length;
  }
  return at;
}

}  // namespace ridgeline::config
