// Human-readable numbers: three significant digits and an SI prefix; JSON has all digits.
#pragma once

#include <optional>
#include <string>

#include "base/count.h"

namespace ridgeline::units {

std::string Digits(Count count);      // "3,336,106,240", all digits
std::string Parameters(Count count);  // "3.34 B", "926 K"
std::string Flops(Count count);       // "4.32 TFLOP"
std::string Bytes(Count count);       // "1.15 GB" (10^9 bytes)

// Unknown values are "?".
std::string Flops(const std::optional<double>& per_s);      // "209.5 TFLOP/s"
std::string Bytes(const std::optional<double>& per_s);      // "1792 GB/s"
std::string Seconds(const std::optional<double>& seconds);  // "43.1 ms"
std::string Ratio(const std::optional<double>& value);      // "2164", "0.99"
std::string Percent(const std::optional<double>& share);    // "3.3 %", "44 %"
std::string SignedBytes(double bytes);                      // "-1.50 MB"

}  // namespace ridgeline::units
