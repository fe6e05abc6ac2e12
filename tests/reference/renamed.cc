#include "tests/reference/renamed.h"

namespace ridgeline::reference {

Json Renamed(const Json& from, const Renames& renames) {
  Json to = Json::object();
  for (const auto& [old_name, new_name] : renames) to[new_name] = from.at(old_name);
  return to;
}

Json RenamedList(const Json& from, const Renames& renames) {
  Json to = Json::array();
  for (const Json& item : from) to.push_back(Renamed(item, renames));
  return to;
}

Json Stats(const Json& stats) {
  if (stats.is_null()) return stats;
  return Renamed(stats, {{"count", "count"},
                         {"total_ns", "total"},
                         {"mean_ns", "mean"},
                         {"median_ns", "median"},
                         {"min_ns", "min"},
                         {"max_ns", "max"}});
}

double Percent(const Json& share) { return 100 * share.get<double>(); }

}  // namespace ridgeline::reference
