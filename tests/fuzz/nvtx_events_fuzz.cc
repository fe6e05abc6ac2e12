// Any file of the injection library is refused with a message that names it, or adds up
// to a table with sane counts. The first line is an expression to look up in it.
#include <string_view>

#include "collectors/nvtx/capture_expression.h"
#include "collectors/nvtx/listing.h"
#include "tests/fuzz/fuzz.h"

namespace nvtx_events_fuzz {

using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

int Run(const uint8_t* data, size_t size) {
  using namespace ridgeline::nvtx;
  const std::string_view text = AsText(data, size);
  const size_t newline = text.find('\n');
  if (newline == std::string_view::npos) return 0;
  const auto expression = ParseExpression(text.substr(0, newline));
  if (expression.ok()) {
    // What is written is read back as the same.
    Require(ParseExpression(expression.value().ToString()).value() == expression.value());
  }
  const auto parsed = ParseProcessEvents(text.substr(newline + 1), "fuzz.json");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.json: "));
    return 0;
  }
  const ProcessEvents twice[] = {parsed.value(), parsed.value()};
  const Listing listing = Merge(twice);
  Require(listing.ranges.size() <= parsed.value().ranges.size());
  for (const RangeRow& row : listing.ranges) {
    Require(row.opened >= row.closed && row.closed >= 0 && row.processes == 2);
    Require(!row.times || row.times->min_ns <= row.times->max_ns);
  }
  Require(ToText(listing).ends_with("\n"));
  if (expression.ok()) Require(!Resolve(expression.value(), listing).sentence.empty());
  return 0;
}

}  // namespace nvtx_events_fuzz

RIDGELINE_FUZZ_TARGET(nvtx_events_fuzz)
