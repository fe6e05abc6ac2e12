// What a GPU did at most, from measured_roofs.json, which ridgeline-model writes:
//   {"schema_version": 1, "device": "cuda:0", "why": null,
//    "arithmetic": [{"name": "bf16", "flops_per_s": 1.5e14, "what": "product of 8192 x
//    ..."}], "memory": {"bytes_per_s": 9e11, "what": "copy of 536870912 bytes, best of 5
//    rounds"}}
#pragma once

#include <string_view>

#include "base/result.h"
#include "hardware/measured_ceilings.h"

namespace ridgeline::estimates {

inline constexpr const char* kMeasuredRoofsFile = "measured_roofs.json";

// A number that was not measured is left out. `origin` begins the message of an error.
Result<hardware::MeasuredCeilings> ParseMeasuredGpu(std::string_view json,
                                                    std::string_view origin);

}  // namespace ridgeline::estimates
