#include "stages/shared/capture_limits.h"

namespace ridgeline::stages {

pipeline::CaptureLimits ReadCaptureLimits(config::Reader& reader) {
  pipeline::CaptureLimits limits;
  if (reader.ReadNode("limits") == nullptr) return limits;
  reader.ReadSection("limits", [&limits](config::Reader& section) {
    const auto read = [&section](std::string_view key, std::optional<int64_t>& target) {
      if (section.ReadNode(key) != nullptr) section.ReadOptional(key, target);
    };
    read("samples", limits.samples);
    read("repeats", limits.repeats);
    read("max_new_tokens", limits.max_new_tokens);
  });
  return limits;
}

}  // namespace ridgeline::stages
