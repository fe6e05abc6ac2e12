#include <fmt/format.h>

#include <cmath>

#include "app/run/run_printer.h"

namespace ridgeline::app {

std::string DurationText(double seconds) {
  if (seconds < 99.95) return fmt::format("{:.1f} s", seconds);
  const long whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace ridgeline::app
