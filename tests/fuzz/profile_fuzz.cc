// Any text is refused with a message that names it, or is a profile that can be written,
// read again and shown.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "recordings/profile_file.h"
#include "reports/operators_markdown.h"

namespace {

namespace recordings = ridgeline::recordings;

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libFuzzer's bytes.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = recordings::ParseProfile(text, "fuzz.json");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.json: "));
    return 0;
  }
  Require(!ridgeline::reports::OperatorsMarkdown(parsed.value()).empty());
  const auto again =
      recordings::ParseProfile(recordings::ToJson(parsed.value()), "again.json");
  Require(again.ok());
  Require(again.value() == parsed.value());
  return 0;
}
