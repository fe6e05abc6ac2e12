#include "stages/shared/capture_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "config/tree/select.h"

namespace ridgeline::stages {

config::Result<pipeline::CaptureLimits> ReadCaptureLimits(
    const pipeline::StageConfig& config, config::Reader& reader) {
  pipeline::CaptureLimits limits;
  RIDGELINE_TRY(
      const config::Node* tokens,
      config::Select(config.workspace, config.root, "run.representative_max_new_tokens"));
  // Replaces the limit.
  const bool has_tokens = tokens != nullptr && !tokens->IsNone();
  if (has_tokens) limits.max_new_tokens.reset();
  if (reader.ReadNode("limits") == nullptr) return limits;
  reader.ReadSection("limits", [&](config::Reader& section) {
    const auto read = [&section](std::string_view key, std::optional<int64_t>& target) {
      if (section.ReadNode(key) != nullptr) section.ReadOptional(key, target);
    };
    read("samples", limits.samples);
    read("repeats", limits.repeats);
    std::optional<int64_t> max_new_tokens = limits.max_new_tokens;
    read("max_new_tokens", max_new_tokens);
    if (!has_tokens) limits.max_new_tokens = max_new_tokens;
  });
  return limits;
}

bool MentionNvtx(const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(), [](const std::string& text) {
    return text.find("nvtx") != text.npos;
  });
}

std::string LimitsNote(std::string_view stage, const pipeline::Workload& workload,
                       const pipeline::CaptureLimits& limits) {
  std::vector<std::string> parts;
  const auto add = [&parts](const std::optional<int64_t>& limit, const char* what) {
    if (limit) parts.push_back(Plural(*limit, what));
  };
  add(limits.samples, "sample");
  add(limits.repeats, "repeat");
  add(limits.max_new_tokens, "token");
  if (!workload.IsModel() || parts.empty()) return "";
  return fmt::format("captures at most {} (pipeline.{}.limits; null: no limit)",
                     fmt::join(parts, ", "), stage);
}

}  // namespace ridgeline::stages
