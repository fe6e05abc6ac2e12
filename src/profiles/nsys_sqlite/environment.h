// The environment of profiled processes, which nsys writes to its exports with all
// passwords and keys. It is counted, for a warning, and never copied; it is removed from
// exports that we make.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "profiles/nsys_sqlite/export_file.h"
#include "results/nsys_rows.h"

namespace ridgeline::profiles::nsys_sqlite {

// A text with lines such as "HOME=/root".
bool IsEnvironmentBlock(std::string_view text);

// The block with every value replaced by REDACTED, except for those already blanked;
// names are kept.
std::string WithoutValues(std::string_view block);

// Tables of an export that contain it: in the columns `name`, if present, and `value`.
inline constexpr std::string_view kEnvironmentTables[] = {
    "META_DATA_CAPTURE", "TARGET_INFO_SYSTEM_ENV", "StringIds"};

// Whether a row of one of these tables contains variables.
bool IsEnvironment(std::string_view table, std::string_view name, std::string_view value);

// Fills the environment counts of the header. A variable counts once, regardless of the
// number of processes; blanked values count as absent.
Status CountEnvironment(ExportFile& file, results::NsysHeader& header);

}  // namespace ridgeline::profiles::nsys_sqlite
