// What ran on GPUs: kernels, copies, fills, graphs.
#pragma once

#include "base/result.h"
#include "importers/nsys_sqlite/export_file.h"
#include "importers/nsys_sqlite/name_reader.h"
#include "importers/nsys_sqlite/numbering.h"
#include "results/nsys_rows.h"

namespace ridgeline::importers::nsys_sqlite {

// Where the tables of an export are read into.
struct Target {
  ExportFile& file;
  NameReader& names;
  Numbering& numbering;
  results::NsysRows& rows;
};

// Adds to rows.gpu_ops, in the order of the file and without calls.
Status ReadGpuTables(const Target& target);

}  // namespace ridgeline::importers::nsys_sqlite
