// The GPU under whose roofs kernels are drawn.
#pragma once

#include <string>

#include "analysis/ncu_findings.h"
#include "base/result.h"
#include "results/ncu_rows.h"

namespace ridgeline::app {

struct NcuDevice {
  std::string name;  // "GeForce RTX 5090"; empty: not known.
  // From the table of ceilings, where it has the GPU. Tensor cores: dense BF16 with FP32
  // sums, FP16 on GPUs without BF16.
  analysis::NcuRoofs roofs;
  std::string note;  // Why there are no roofs of the table, or what they are.
};

// By a name of the user's (as `ridgeline predict --on` takes it), which must lead to one
// GPU of the table.
Result<NcuDevice> NcuDeviceNamed(const std::string& name);

// By what the files say of it. Not knowing it is no error.
NcuDevice NcuDeviceOf(const results::NcuRows& rows);

}  // namespace ridgeline::app
