// Any text is refused with a message that names it, or is a profile that can be written,
// read again and shown.
#include <string_view>

#include "profiles/operators/operator_profile.h"
#include "report/sections/operators.h"
#include "tests/fuzz/fuzz.h"

namespace profile_fuzz {

namespace profiles = ridgeline::profiles;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

int Run(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  const auto parsed = profiles::ParseProfile(text, "fuzz.json");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.json: "));
    return 0;
  }
  Require(!ridgeline::report::OperatorsMarkdown(parsed.value()).empty());
  const auto again =
      profiles::ParseProfile(profiles::ToJson(parsed.value()), "again.json");
  Require(again.ok());
  Require(again.value() == parsed.value());
  return 0;
}

}  // namespace profile_fuzz

RIDGELINE_FUZZ_TARGET(profile_fuzz)
