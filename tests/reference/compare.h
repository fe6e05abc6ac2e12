#pragma once

#include <string>
#include <vector>

#include "tests/reference/stats.h"

namespace ridgeline::reference {

struct Comparison {
  int checks = 0;
  std::vector<std::string> wrong;  // "devices.0.busy_all_ns: 12 instead of 13"
};

// Every field of `want`, and that `got` has no others. Integers have to be equal, other
// numbers to one part in 10^9.
Comparison Compare(const Json& got, const Json& want);

}  // namespace ridgeline::reference
