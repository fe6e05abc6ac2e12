#pragma once

#include <filesystem>

#include "app/command_support.h"

namespace ridgeline::app {

enum class ReportTalk { kBestJobs, kErrorsOnly };

// Writes the reports of a sweep that has ended, and prints the best jobs. Without a
// sweep.json there is nothing to report; a failure is a warning.
void ReportSweep(const std::filesystem::path& directory, ReportTalk talk,
                 const Streams& streams);

}  // namespace ridgeline::app
