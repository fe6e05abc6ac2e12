// What Nsight Compute prints with --csv: `--page raw` (wide: a row of units, then a row
// per launch), `--page details` (long: a row per metric or rule) and --print-summary, of
// ncu 2020 to 2026, in any locale; files, and what was captured of the console with the
// program's own output around it. Values become base units.
#pragma once

#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"
#include "results/ncu_rows.h"

namespace ridgeline::profiles {

// Whether a file with these first bytes may be one; give some thousand, since programs
// talk before ncu does.
bool MayBeNcuCsv(std::string_view first_bytes);

// Errors: kTool, the text is an error message of ncu instead of data; kParse, it is not a
// table of ncu, or its number format is ambiguous. A table without rows
// is none.
Result<results::NcuRows> ReadNcuCsv(ByteSource& text);

}  // namespace ridgeline::profiles
