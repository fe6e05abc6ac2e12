// Output of Nsight Compute with --csv: `--page raw` (wide: a row of units, then a row per
// launch), `--page details` (long: a row per metric or rule) and --print-summary, of ncu
// 2020 to 2026, in any locale; files, or captured console output mixed with that of the
// program. Values are converted to base units.
#pragma once

#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"
#include "results/ncu_rows.h"

namespace ridgeline::profiles {

// Whether a file with these first bytes may be one; pass several thousand, because
// programs may print before ncu does.
bool MayBeNcuCsv(std::string_view first_bytes);

// Errors: kTool, the text is an error message of ncu instead of data; kParse, it is not a
// table of ncu, or its number format is ambiguous. A table without rows is not one
// either.
Result<results::NcuRows> ReadNcuCsv(ByteSource& text);

}  // namespace ridgeline::profiles
