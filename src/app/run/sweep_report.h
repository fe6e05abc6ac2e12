#pragma once

#include <filesystem>

#include "app/command_support.h"

namespace ridgeline::app {

enum class ReportTalk { kBestJobs, kErrorsOnly };

// Writes the reports of a finished sweep, and prints the best jobs. Does nothing without
// a sweep.json; a failure is only a warning.
void ReportSweep(const std::filesystem::path& directory, ReportTalk talk,
                 const Streams& streams);

}  // namespace ridgeline::app
