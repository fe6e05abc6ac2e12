#include "config/value/yaml_load.h"

#include <memory>
#include <optional>
#include <utility>

#include "config/value/yaml_characters.h"
#include "config/value/yaml_comments.h"
#include "config/value/yaml_construct.h"
#include "config/value/yaml_dialect.h"
#include "config/value/yaml_node.h"

namespace ridgeline::config {

Result<Value> LoadYaml(std::string_view text, const std::string& source_name) {
  const SourceName source = std::make_shared<const std::string>(source_name);
  RIDGELINE_RETURN_IF_ERROR(CheckYamlCharacters(text, source));
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::optional<std::string> shortened = WithoutCommentText(text);
  if (shortened) text = *shortened;
  const std::optional<std::string> dialect = ToLibyamlDialect(text);
  if (dialect) text = *dialect;
  RIDGELINE_RETURN_IF_ERROR(CheckYamlSeparators(text, source));
  RIDGELINE_TRY(YamlDocument document, ComposeYaml(text, source));
  return ConstructYaml(std::move(document), source);
}

}  // namespace ridgeline::config
