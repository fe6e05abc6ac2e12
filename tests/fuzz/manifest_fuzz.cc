// Any text either is refused or is a manifest that comes back from its own JSON.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "artifacts/manifest.h"

namespace {

using ridgeline::Result;
using ridgeline::artifacts::AsKilled;
using ridgeline::artifacts::Manifest;
using ridgeline::artifacts::ParseManifest;
using ridgeline::artifacts::ToJson;

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckRoundTrip(const Manifest& manifest) {
  const std::string json = ToJson(manifest);
  const Result<Manifest> again = ParseManifest(json, "written.json");
  Require(again.ok());
  Require(again.value() == manifest);
  Require(ToJson(again.value()) == json);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libFuzzer's bytes.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<Manifest> parsed = ParseManifest(text, "fuzz.json");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.json: "));
    return 0;
  }
  CheckRoundTrip(parsed.value());
  CheckRoundTrip(AsKilled(parsed.value()));
  return 0;
}
