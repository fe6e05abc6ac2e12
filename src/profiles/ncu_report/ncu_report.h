// Reports of Nsight Compute (.ncu-rep), read without ncu: since 2021 a file of messages
// whose .proto files ship with the tool, in extras/FileFormat. Values are the raw
// counters, in base units with all digits; pages round them.
//
// Data about the profiled process, including its environment, is not read.
#pragma once

#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"
#include "results/ncu_rows.h"

namespace ridgeline::profiles {

// By the first bytes.
bool IsNcuReport(std::string_view first_bytes);

// Launches and ranges in file order; ranges (range replay) are launches whose kernel is
// called "range". Errors: kParse, with the offset of the first invalid byte;
// kUnsupported, a file format newer than this reader.
Result<results::NcuRows> ReadNcuReport(ByteSource& file);

}  // namespace ridgeline::profiles
