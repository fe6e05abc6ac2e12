#include "pipeline/text_list.h"

#include <optional>

#include "config/tree/to_value.h"
#include "config/value/python_text.h"

namespace ridgeline::pipeline {
namespace {

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

// Empty if the key is absent or null.
std::optional<config::Value> ReadValue(config::Reader& reader,
                                       config::Workspace& workspace,
                                       std::string_view key) {
  config::Node* node = reader.ReadNode(key);
  if (node == nullptr) return std::nullopt;
  // An interpolation in a list resolves only as part of the list. Unresolvable ones were
  // reported by CheckConfig.
  config::Result<config::Value> value = config::ToResolvedValue(workspace, *node);
  if (!value.ok() || value.value().is_null()) return std::nullopt;
  return std::move(value).value();
}

std::vector<std::string> Texts(const config::Value& list) {
  std::vector<std::string> texts;
  for (const config::Value& item : list.list()) texts.push_back(config::Str(item));
  return texts;
}

}  // namespace

std::vector<std::string> ReadTextList(config::Reader& reader,
                                      config::Workspace& workspace,
                                      std::string_view key) {
  const std::optional<config::Value> value = ReadValue(reader, workspace, key);
  if (!value) return {};
  return value->is_list() ? Texts(*value) : SplitAtCommas(config::Str(*value));
}

std::vector<std::string> ReadTextOrList(config::Reader& reader,
                                        config::Workspace& workspace,
                                        std::string_view key) {
  const std::optional<config::Value> value = ReadValue(reader, workspace, key);
  if (!value) return {};
  if (value->is_list()) return Texts(*value);
  const std::string text = config::Str(*value);
  return text.empty() ? std::vector<std::string>() : std::vector<std::string>{text};
}

}  // namespace ridgeline::pipeline
