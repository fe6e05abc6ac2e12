// Any text either is refused or is a manifest that comes back from its own JSON.
#include <string>
#include <string_view>

#include "artifacts/manifest.h"
#include "tests/fuzz/fuzz.h"

namespace manifest_fuzz {

using ridgeline::Result;
using ridgeline::artifacts::AsKilled;
using ridgeline::artifacts::Manifest;
using ridgeline::artifacts::ParseManifest;
using ridgeline::artifacts::ToJson;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

void CheckRoundTrip(const Manifest& manifest) {
  const std::string json = ToJson(manifest);
  const Result<Manifest> again = ParseManifest(json, "written.json");
  Require(again.ok());
  Require(again.value() == manifest);
  Require(ToJson(again.value()) == json);
}

int Run(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  const Result<Manifest> parsed = ParseManifest(text, "fuzz.json");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.json: "));
    return 0;
  }
  CheckRoundTrip(parsed.value());
  CheckRoundTrip(AsKilled(parsed.value()));
  return 0;
}

}  // namespace manifest_fuzz

RIDGELINE_FUZZ_TARGET(manifest_fuzz)
