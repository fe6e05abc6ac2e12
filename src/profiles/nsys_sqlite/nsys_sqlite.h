// SQLite exports of Nsight Systems (`nsys export -t sqlite`, `nsys profile
// --export=sqlite`), as written since 2020. Tables and columns vary between versions, so
// everything is looked up by name, and missing data is empty.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "results/nsys_rows.h"

namespace ridgeline::profiles {

// By the first bytes of a file: an SQLite database. Only its tables show which tool wrote
// it.
bool IsSqlite(std::string_view first_bytes);

// The file is opened read-only and never changed; no file is created next to it. Fails if
// the SQLite file was not written by nsys, is damaged or truncated, or has a journal next
// to it. Dropped records are counted in the rows.
Result<results::NsysRows> ReadNsysSqlite(const std::filesystem::path& path);

// Reads only the kernels, without storing them: passes each to `visit` with its demangled
// name, in file order; then the CUDA graphs measured as a whole, without name. The
// returned rows contain only the header, the names and the counts of dropped records.
Result<results::NsysRows> ReadNsysKernels(
    const std::filesystem::path& path,
    const std::function<void(std::optional<StringId>, int64_t duration_ns)>& visit);

}  // namespace ridgeline::profiles
