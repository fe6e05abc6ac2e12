// Readers for the tables of an export, used by nsys_sqlite.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/result.h"
#include "profiles/nsys_sqlite/export_file.h"
#include "profiles/nsys_sqlite/launch_join.h"
#include "profiles/nsys_sqlite/name_reader.h"
#include "profiles/nsys_sqlite/numbering.h"
#include "results/nsys_rows.h"

namespace ridgeline::profiles::nsys_sqlite {

// Metadata of an export: its version, the GPUs, the environment.
Result<results::NsysHeader> ReadHeader(ExportFile& file);

// GPU work: kernels, copies, memsets, graphs.

// Destination of the tables of an export.
struct Target {
  ExportFile& file;
  NameReader& names;
  Numbering& numbering;
  LaunchJoin& launches;
  results::NsysRows& rows;
};

// Passes the ops to `launches`, in file order and without calls.
Status ReadGpuTables(const Target& target);

// Only the kernels, and only their names and durations; graphs have no name.
using KernelVisitor = std::function<void(std::optional<StringId>, int64_t duration_ns)>;
Status VisitKernels(ExportFile& file, NameReader& names, results::NsysRows& rows,
                    const KernelVisitor& visit);

// Calls on CPU threads: CUDA runtime and driver, operating system.

// After ReadGpuTables: passes on the calls that may have launched work, and sums all
// calls.
Status ReadCallTables(const Target& target);

// NVTX ranges, and the names of their domains. Must be the last table: ranges that were
// never closed end with the last event of the capture.
Status ReadNvtxTable(const Target& target);

}  // namespace ridgeline::profiles::nsys_sqlite
