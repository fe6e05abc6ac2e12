// Reports of Nsight Compute (.ncu-rep), read without ncu: since 2021 a file of messages
// whose .proto files ship with the tool, under extras/FileFormat. Values are the counters
// themselves, in base units with all their digits; pages round them.
//
// What the report knows of the profiled process, its environment among it, is not read.
#pragma once

#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"
#include "results/ncu_rows.h"

namespace ridgeline::profiles {

// By the first bytes.
bool IsNcuReport(std::string_view first_bytes);

// Launches and ranges in the order of the file; ranges (of range replay) are launches
// whose kernel is called "range". Errors: kParse, with the byte at which the file stops
// making sense; kUnsupported, a form of files that is newer than this reader.
Result<results::NcuRows> ReadNcuReport(ByteSource& file);

}  // namespace ridgeline::profiles
