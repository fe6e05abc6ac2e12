// static_compute.json, as a row of results.sqlite: any text is refused with a message
// that names it, and then adds nothing, or becomes rows.
#include <string_view>

#include "profiles/static_compute.h"
#include "tests/fuzz/fuzz.h"

namespace static_costs_fuzz {

using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

int Run(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  ridgeline::results::ResultStore store;
  const auto imported =
      ridgeline::profiles::ImportStaticCosts(text, {.file = "fuzz.json"}, store);
  Require(imported.ok() == !store.sources.empty());
  Require(imported.ok() == !store.phase_costs.empty());
  if (!imported.ok()) Require(imported.error().message().starts_with("fuzz.json: "));
  return 0;
}

}  // namespace static_costs_fuzz

RIDGELINE_FUZZ_TARGET(static_costs_fuzz)
