// What nsys_sqlite.cc reads of an export, table by table.
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

// Metadata of an export: its version, the GPUs, the environment.
Result<results::NsysHeader> ReadHeader(ExportFile& file);

// What ran on GPUs: kernels, copies, memsets, graphs.

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

// Calls on CPU threads: of the CUDA runtime and driver, of the operating system.

// After ReadGpuTables: hands over the calls that may have started something, and sums
// all calls up.
Status ReadCallTables(const Target& target);

// NVTX ranges, and the names of their domains. Last of all tables: ranges that were
// never closed end with the last event of the capture.
Status ReadNvtxTable(const Target& target);

}  // namespace ridgeline::profiles::nsys_sqlite
