#include "profiles/ncu_report/report_parts.h"

namespace ridgeline::profiles {
namespace {

struct UnitOfPart {
  std::string_view part;
  std::string_view unit;
};

// By the thing counted: lts__t_sectors_op_read counts sectors. The first match wins.
constexpr UnitOfPart kCountedUnits[] = {
    {"__time_duration", "ns"}, {"_bytes", "byte"},    {"_sectors", "sector"},
    {"_requests", "request"},  {"_cycles_", "cycle"}, {"__cycles", "cycle"},
    {"_inst_", "inst"},        {"__inst", "inst"},    {"_warps_", "warp"},
    {"__warps", "warp"},       {"_wavefronts", ""},
};

// Launch attributes have individual units.
constexpr UnitOfPart kLaunchUnits[] = {
    {"launch__registers_per_thread_allocated", "register/thread"},
    {"launch__registers_per_thread", "register/thread"},
    {"launch__shared_mem_config_size", "byte"},
    {"launch__shared_mem_per_block", "byte/block"},
    {"launch__occupancy_limit", "block"},
    {"launch__thread_count", "thread"},
};

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

std::string CountedUnit(std::string_view metric) {
  for (const UnitOfPart& known : kCountedUnits) {
    if (Has(metric, known.part)) return std::string(known.unit);
  }
  return "";
}

}  // namespace

std::string BaseUnitOf(std::string_view metric) {
  if (Has(metric, ".pct") || metric.ends_with("_pct")) return "%";
  for (const UnitOfPart& known : kLaunchUnits) {
    if (metric.starts_with(known.part)) return std::string(known.unit);
  }
  if (metric.starts_with("device__") || metric.ends_with(".ratio")) return "";
  const std::string_view counted = metric.substr(0, metric.find('.'));
  std::string unit = CountedUnit(counted);
  if (metric.ends_with(".per_second")) return unit == "cycle" ? "hz" : unit + "/s";
  const bool is_per_cycle = metric.ends_with(".peak_sustained") ||
                            metric.ends_with(".per_cycle_active") ||
                            metric.ends_with(".per_cycle_elapsed");
  // Warps per cycle are just a number of warps.
  if (is_per_cycle && unit != "warp") unit += "/cycle";
  return unit;
}

}  // namespace ridgeline::profiles
