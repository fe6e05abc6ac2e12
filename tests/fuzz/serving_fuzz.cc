// Any address of a request, and any metrics.json: an address is refused or is made of
// names that stay where they are; headlines always have the same keys.
//
// What begins with a slash is an address, everything else the JSON.
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "serve/headline_cache.h"
#include "serve/site.h"
#include "tests/fuzz/fuzz.h"

namespace serving_fuzz {

using namespace ridgeline::serve;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

void CheckAddress(std::string_view target) {
  const auto parts = PathParts(target);
  if (!parts) return;
  for (const std::string& part : *parts) {
    Require(!part.empty() && part != "." && part != "..");
    Require(part.find('/') == std::string::npos && part.find('\0') == std::string::npos);
  }
}

void CheckMetrics(std::string_view text) {
  const auto metrics = nlohmann::json::parse(text, nullptr, false);
  if (metrics.is_discarded()) return;
  const nlohmann::ordered_json headlines = HeadlinesOf(metrics);
  Require(headlines.size() == 3 && headlines.at("phases").size() == 3);
  headlines.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

int Run(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  if (text.starts_with('/')) {
    CheckAddress(text);
  } else {
    CheckMetrics(text);
  }
  return 0;
}

}  // namespace serving_fuzz

RIDGELINE_FUZZ_TARGET(serving_fuzz)
