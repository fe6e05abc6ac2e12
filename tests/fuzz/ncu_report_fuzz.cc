// Any bytes either are a report of ncu or are not; what is read of them is usable.
#include <cmath>
#include <string_view>

#include "analysis/ncu_findings.h"
#include "base/utf8.h"
#include "profiles/ncu_report/ncu_report.h"
#include "tests/fuzz/fuzz.h"

namespace ncu_report_fuzz {

using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

int Run(const uint8_t* data, size_t size) {
  const std::string_view bytes = AsText(data, size);
  ridgeline::MemorySource source(bytes);
  const auto read = ridgeline::profiles::ReadNcuReport(source);
  if (!read.ok()) {
    Require(!read.error().message().empty());
    return 0;
  }
  const ridgeline::results::NcuRows& rows = read.value();
  for (const auto& launch : rows.launches) {
    Require(ridgeline::IsValidUtf8(rows.names.text(launch.kernel)));
    for (const auto& metric : launch.metrics) {
      Require(!metric.value || std::isfinite(*metric.value));
      Require(ridgeline::IsValidUtf8(rows.names.text(metric.name)));
    }
  }
  const auto findings = ridgeline::analysis::FindingsOf(rows, {});
  Require(findings.launches.size() == rows.launches.size());
  return 0;
}

}  // namespace ncu_report_fuzz

RIDGELINE_FUZZ_TARGET(ncu_report_fuzz)
