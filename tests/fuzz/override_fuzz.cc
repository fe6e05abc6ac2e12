// Any text: parsing, rendering and enumerating must neither crash nor run away,
// and what is rendered must parse to something that renders the same.
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "config/overrides/override_parser.h"
#include "config/overrides/sweep_iterator.h"
#include "tests/fuzz/fuzz.h"

namespace override_fuzz {

using ridgeline::config::GroupOptions;
using ridgeline::config::Override;
using ridgeline::config::ParseOverride;
using ridgeline::config::RangeSweep;
using ridgeline::config::Result;
using ridgeline::config::SweepIterator;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

// Unquoted text cannot hold every character that a function may have made of a
// quoted one (str('a;b')), so the text need not parse again. If it does, the
// second rendering is final.
void CheckRendering(const Override& parsed) {
  const auto text = parsed.ValueElementAsString();
  Require(text.ok() == parsed.PlainValue().ok());
  if (!text.ok()) return;
  const auto again = ParseOverride("k=" + text.value());
  if (!again.ok() || again.value().IsSweep()) return;
  const auto final_text = again.value().ValueElementAsString();
  Require(final_text.ok());
  const auto third = ParseOverride("k=" + final_text.value());
  if (!third.ok() || third.value().IsSweep()) return;
  const auto third_text = third.value().ValueElementAsString();
  Require(third_text.ok() && third_text.value() == final_text.value());
}

void CheckSweep(const Override& parsed) {
  const GroupOptions options = [](const std::string&) {
    return Result<std::vector<std::string>>({"a", "b-1", "x.y", ""});
  };
  std::mt19937 random(1);
  auto values = SweepIterator::Create(parsed, options, random);
  if (!values.ok()) return;
  for (int i = 0; i < 100; ++i) {
    const auto value = values.value().Next();
    if (!value.ok() || !value.value()) return;
  }
}

// Shuffling a range needs all of it; up to a million values are allowed.
bool IsSlow(const Override& parsed) {
  const RangeSweep* range = parsed.value.As<RangeSweep>();
  return range != nullptr && range->shuffle;
}

int Run(const uint8_t* data, size_t size) {
  const std::string_view line = AsText(data, size);
  const auto parsed = ParseOverride(line);
  if (!parsed.ok()) {
    Require(!parsed.error().message.empty());
    return 0;
  }
  Require(parsed.value().input_line == line);
  if (parsed.value().IsDiscreteSweep()) {
    if (!IsSlow(parsed.value())) CheckSweep(parsed.value());
  } else if (!parsed.value().IsSweep()) {
    CheckRendering(parsed.value());
  }
  return 0;
}

}  // namespace override_fuzz

RIDGELINE_FUZZ_TARGET(override_fuzz)
