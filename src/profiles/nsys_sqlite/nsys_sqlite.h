// SQLite exports of Nsight Systems (`nsys export -t sqlite`, `nsys profile
// --export=sqlite`), as nsys has written them since 2020. Tables and columns come and go
// between versions, so everything is looked up by name and what is not there is empty.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "base/result.h"
#include "results/nsys_rows.h"

namespace ridgeline::profiles {

// By the first bytes of a file: an SQLite database. Which tool wrote it is known only
// from its tables.
bool IsSqlite(std::string_view first_bytes);

// The file is opened for reading only and never changed; no file appears next to it. An
// SQLite file that nsys did not write is an error, as is one that is damaged, cut short
// or has a journal next to it. Dropped records are counted in the rows.
Result<results::NsysRows> ReadNsysSqlite(const std::filesystem::path& path);

// Reads the kernels and nothing else, and keeps none: each is handed to `visit` with its
// demangled name, in the order of the file. Of the rows there are only the header, the
// names and the counts of dropped records.
Result<results::NsysRows> ReadNsysKernels(
    const std::filesystem::path& path,
    const std::function<void(StringId, int64_t duration_ns)>& visit);

}  // namespace ridgeline::profiles
