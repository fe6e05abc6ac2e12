// Hand-made ncu rows for tests.
#pragma once

#include <string>
#include <string_view>

#include "results/ncu_rows.h"

namespace ridgeline::analysis {

inline results::NcuLaunch& AddNcuLaunch(results::NcuRows& rows, std::string_view kernel,
                                        int64_t id = 0) {
  results::NcuLaunch launch = {.id = id, .process_id = 7};
  for (StringId results::NcuLaunch::*const field :
       {&results::NcuLaunch::process, &results::NcuLaunch::host,
        &results::NcuLaunch::nvtx, &results::NcuLaunch::context,
        &results::NcuLaunch::stream, &results::NcuLaunch::device,
        &results::NcuLaunch::capability}) {
    launch.*field = rows.names.Intern("");
  }
  launch.kernel = rows.names.Intern(kernel);
  rows.launches.push_back(launch);
  return rows.launches.back();
}

// Adds to the last launch.
inline void AddNcuMetric(results::NcuRows& rows, std::string_view name,
                         std::string_view unit, double value,
                         std::string_view item = "") {
  rows.launches.back().metrics.push_back({.section = rows.names.Intern(""),
                                          .item = rows.names.Intern(item),
                                          .name = rows.names.Intern(name),
                                          .unit = rows.names.Intern(unit),
                                          .value = value,
                                          .text = rows.names.Intern("")});
}

}  // namespace ridgeline::analysis
