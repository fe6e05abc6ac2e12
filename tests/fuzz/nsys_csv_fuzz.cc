// Any bytes either hold a kernel summary or do not; what is read of them is usable.
#include <string_view>

#include "analysis/gpu_totals.h"
#include "base/utf8.h"
#include "profiles/nsys_csv.h"
#include "tests/fuzz/fuzz.h"

namespace nsys_csv_fuzz {

using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

int Run(const uint8_t* data, size_t size) {
  const std::string_view bytes = AsText(data, size);
  (void)ridgeline::profiles::MayBeNsysCsv(bytes);
  ridgeline::MemorySource source(bytes);
  const auto summary = ridgeline::profiles::ReadNsysCsv(source);
  if (!summary.ok()) {
    Require(!summary.error().message().empty());
    return 0;
  }
  for (const auto& row : summary.value().rows) {
    Require(row.instances >= 0 && row.time_total_ns >= 0 && row.time_min_ns >= 0);
    Require(ridgeline::IsValidUtf8(summary.value().names.text(row.name)));
  }
  int64_t rows = 0;
  for (const auto& kernel : ridgeline::analysis::SummarizedKernels(summary.value())) {
    rows += kernel.rows;
  }
  Require(rows == static_cast<int64_t>(summary.value().rows.size()));
  return 0;
}

}  // namespace nsys_csv_fuzz

RIDGELINE_FUZZ_TARGET(nsys_csv_fuzz)
