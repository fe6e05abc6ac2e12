// Units as ncu writes them, and the base units that stand for them.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::profiles {

// A value v of the unit is v * 10^exponent of `base`.
struct NcuUnit {
  std::string base;
  int exponent = 0;

  bool operator==(const NcuUnit&) const = default;
};

// "usecond" and "us" are 10^3 ns; "Gbyte/second" and "Gbyte/s" are 10^9 byte/s;
// "cycle/nsecond" and "Ghz" are 10^9 hz; "Kbyte/block" is 10^3 byte/block. Prefixes are
// decimal. A unit that is not known is its own base.
NcuUnit ParseNcuUnit(std::string_view text);

}  // namespace ridgeline::profiles
