// ceilings.json: the ceilings of a run's device, looked up or measured once, so that
// every report of the run compares with the same numbers.
//   {"schema_version": 1, "device": "cpu: Intel Xeon", "device_kind": "cpu",
//    "arithmetic": "fp32", "peak_flops_per_s": 1.7e11,
//    "peak_flops_source": {"kind": "measured", "text": "measured: avx2, 2 threads, ..."},
//    "peak_bytes_per_s": 2.6e10, "peak_bandwidth_source": {...}}
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "estimates/device_roofs.h"

namespace ridgeline::estimates {

// "config", "environment", "table", "measured", "unknown"
std::string_view NameOf(hardware::RoofOrigin::Kind kind);

std::string CeilingsJson(const DeviceRoofs& ceilings);

// Errors begin with `origin`: kParse for what is not such a file, kUnsupported for one of
// a newer version.
Result<DeviceRoofs> ParseCeilings(std::string_view json, std::string_view origin);

// The ceilings in `file`. If there is no file: those that RoofsHere() finds, which are
// then written to it.
Result<DeviceRoofs> CeilingsOfRun(const std::filesystem::path& file,
                                  const EstimateOptions& options,
                                  const RoofSources& sources);

}  // namespace ridgeline::estimates
