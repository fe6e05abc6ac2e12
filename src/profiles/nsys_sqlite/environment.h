// The environment of profiled processes, which nsys writes into its exports with all
// passwords and keys in it. It is counted, for a warning, and never copied; our own
// exports are rid of it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "profiles/nsys_sqlite/export_file.h"
#include "results/nsys_rows.h"

namespace ridgeline::profiles::nsys_sqlite {

// A text of lines such as "HOME=/root".
bool IsEnvironmentBlock(std::string_view text);

// The block with every value but the blanked ones replaced by REDACTED; names stay.
std::string WithoutValues(std::string_view block);

// Where exports have it: in the columns `name`, if there is one, and `value`.
inline constexpr std::string_view kEnvironmentTables[] = {
    "META_DATA_CAPTURE", "TARGET_INFO_SYSTEM_ENV", "StringIds"};

// Whether a row of one of these tables holds variables.
bool IsEnvironment(std::string_view table, std::string_view name, std::string_view value);

// Fills the environment counts of the header. A variable counts once, however many
// processes have it; values that somebody has blanked count as absent.
Status CountEnvironment(ExportFile& file, results::NsysHeader& header);

}  // namespace ridgeline::profiles::nsys_sqlite
