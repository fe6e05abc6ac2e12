// What ran on GPUs: kernels, copies, fills, graphs.
#pragma once

#include <cstdint>
#include <functional>

#include "base/result.h"
#include "profiles/nsys_sqlite/export_file.h"
#include "profiles/nsys_sqlite/launch_join.h"
#include "profiles/nsys_sqlite/name_reader.h"
#include "profiles/nsys_sqlite/numbering.h"
#include "results/nsys_rows.h"

namespace ridgeline::profiles::nsys_sqlite {

// Where the tables of an export are read into.
struct Target {
  ExportFile& file;
  NameReader& names;
  Numbering& numbering;
  LaunchJoin& launches;
  results::NsysRows& rows;
};

// Hands the ops to `launches`, in the order of the file and without calls.
Status ReadGpuTables(const Target& target);

// Only the kernels, and of them only what a list of their names and times needs.
using KernelVisitor = std::function<void(StringId, int64_t duration_ns)>;
Status VisitKernels(ExportFile& file, NameReader& names, results::NsysRows& rows,
                    const KernelVisitor& visit);

}  // namespace ridgeline::profiles::nsys_sqlite
