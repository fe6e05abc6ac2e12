#include "base/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "base/plural.h"

namespace ridgeline::units {
namespace {

constexpr const char* kUnknown = "?";

// Three digits and no exponent: 4.32, 43.2, 432, 1792.
std::string ThreeDigits(double value) {
  if (value == 0) return "0";
  const int before = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  const int behind = before >= 3 ? 0 : before > 0 ? 3 - before : 2;
  return fmt::format("{:.{}f}", value, behind);
}

std::string WithPrefix(double value, const std::array<std::string_view, 6>& prefixes,
                       std::string_view unit) {
  size_t i = 0;
  while (i + 1 < prefixes.size() && value >= 999.5) {
    value /= 1000;
    ++i;
  }
  return fmt::format("{} {}{}", ThreeDigits(value), prefixes[i], unit);
}

constexpr std::array<std::string_view, 6> kMetric = {"", "k", "M", "G", "T", "P"};
constexpr std::array<std::string_view, 6> kSpoken = {"", "K", "M", "B", "T", "Q"};

}  // namespace

std::string Digits(Count count) {
  return count.is_exact() ? WithCommas(count.value()) : "too many";
}

std::string Parameters(Count count) {
  if (!count.is_exact()) return "too many";
  std::string text = WithPrefix(count.as_double(), kSpoken, "");
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string Flops(Count count) {
  if (!count.is_exact()) return "too many FLOP";
  return WithPrefix(count.as_double(), kMetric, "FLOP");
}

std::string Bytes(Count count) {
  if (!count.is_exact()) return "too many bytes";
  return WithPrefix(count.as_double(), kMetric, "B");
}

std::string Flops(const std::optional<double>& per_s) {
  return per_s ? WithPrefix(*per_s, kMetric, "FLOP/s") : kUnknown;
}

std::string Bytes(const std::optional<double>& per_s) {
  return per_s ? WithPrefix(*per_s, kMetric, "B/s") : kUnknown;
}

std::string Seconds(const std::optional<double>& seconds) {
  if (!seconds) return kUnknown;
  const double magnitude = std::abs(*seconds);
  if (magnitude >= 1) return ThreeDigits(*seconds) + " s";
  if (magnitude >= 1e-3) return ThreeDigits(*seconds * 1e3) + " ms";
  return ThreeDigits(*seconds * 1e6) + " us";
}

std::string Ratio(const std::optional<double>& value) {
  return value ? ThreeDigits(*value) : kUnknown;
}

std::string Percent(const std::optional<double>& share) {
  if (!share) return kUnknown;
  constexpr double kOneDecimal = 9.95;  // "10 %" instead of "10.0 %".
  const double percent = 100 * *share;
  if (percent == 0) return "0 %";
  constexpr double kShown = 0.05;  // Below this but not zero: "< 0.1 %", not "0.0 %".
  if (std::abs(percent) < kShown) return percent > 0 ? "< 0.1 %" : "> -0.1 %";
  return fmt::format("{:.{}f} %", percent, std::abs(percent) < kOneDecimal ? 1 : 0);
}

std::string SignedBytes(double bytes) {
  constexpr double kOneKilobyte = 999.5;
  if (std::abs(bytes) < kOneKilobyte) return fmt::format("{:.0f} B", bytes);
  return (bytes < 0 ? "-" : "") + WithPrefix(std::abs(bytes), kMetric, "B");
}

}  // namespace ridgeline::units
