// Any bytes either hold a page of ncu or do not; what is read of them is usable.
#include <cmath>
#include <string_view>

#include "analysis/ncu_findings.h"
#include "base/utf8.h"
#include "profiles/ncu_csv/ncu_csv.h"
#include "report/svg/ncu_plots.h"
#include "tests/fuzz/fuzz.h"

namespace ncu_csv_fuzz {

using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

int Run(const uint8_t* data, size_t size) {
  const std::string_view bytes = AsText(data, size);
  (void)ridgeline::profiles::MayBeNcuCsv(bytes);
  ridgeline::MemorySource source(bytes);
  const auto read = ridgeline::profiles::ReadNcuCsv(source);
  if (!read.ok()) {
    Require(!read.error().message().empty());
    return 0;
  }
  const ridgeline::results::NcuRows& rows = read.value();
  for (const auto& launch : rows.launches) {
    Require(ridgeline::IsValidUtf8(rows.names.text(launch.kernel)));
    for (const auto& metric : launch.metrics) {
      Require(!metric.value || std::isfinite(*metric.value));
    }
  }
  const auto findings = ridgeline::analysis::FindingsOf(rows, {});
  Require(findings.launches.size() == rows.launches.size());
  for (const auto& plot : ridgeline::report::NcuPlots(findings)) {
    Require(plot.svg.find("nan") == std::string::npos);
  }
  ridgeline::results::NcuRows merged;
  ridgeline::analysis::Merge(rows, merged);
  Require(merged.launches.size() <= rows.launches.size());
  return 0;
}

}  // namespace ncu_csv_fuzz

RIDGELINE_FUZZ_TARGET(ncu_csv_fuzz)
