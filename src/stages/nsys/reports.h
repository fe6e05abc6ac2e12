// The files that nsys writes: counted, imported, exported, redacted, summarized.
#pragma once

#include <string>
#include <vector>

#include "pipeline/stage_context.h"
#include "profiles/nsys_sqlite/contents.h"
#include "stages/nsys/capabilities.h"
#include "stages/nsys/options.h"

namespace ridgeline::stages {

// How many reports and raw streams of `base` ("run") nsys left in the stage's directory.
Result<size_t> CountReports(const pipeline::StageContext& context,
                            const std::string& base);

// The reports of `base` by name ("run.1.nsys-rep"); raw streams, which an nsys without
// its importer leaves, become reports first.
Result<std::vector<std::string>> MakeReports(pipeline::StageContext& context,
                                             const std::string& base);

// run.nsys-rep -> run.sqlite, redacted if that is wanted, and summary_*.csv. Returns what
// it holds; what a reader must know is noted.
Result<profiles::NsysContents> ExportReport(pipeline::StageContext& context,
                                            const NsysOptions& options,
                                            const NsysFacts& facts,
                                            const std::string& report);

}  // namespace ridgeline::stages
