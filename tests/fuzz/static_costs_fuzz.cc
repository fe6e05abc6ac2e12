// static_compute.json, as a row of results.sqlite: any text is refused with a message
// that names it, and then adds nothing, or becomes rows.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "importers/static_costs.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libFuzzer's bytes.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ridgeline::results::ResultStore store;
  const auto imported =
      ridgeline::importers::ImportStaticCosts(text, {.file = "fuzz.json"}, store);
  Require(imported.ok() == !store.sources.empty());
  Require(imported.ok() == !store.phase_costs.empty());
  if (!imported.ok()) Require(imported.error().message().starts_with("fuzz.json: "));
  return 0;
}
