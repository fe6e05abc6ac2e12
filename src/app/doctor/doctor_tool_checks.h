#pragma once

#include <vector>

#include "app/doctor/doctor_checks.h"
#include "hardware/tools.h"

namespace ridgeline::app {

// nsys, its importer, ncu.
std::vector<Check> CheckProfilers(const hardware::Tools& tools);

Check CheckGit(const hardware::Tools& tools);
Check CheckSlurm(const hardware::Tools& tools);

}  // namespace ridgeline::app
