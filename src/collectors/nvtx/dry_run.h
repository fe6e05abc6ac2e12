// Runs a program under our own NVTX library, which needs neither a GPU nor nsys.
#pragma once

#include <filesystem>
#include <optional>

#include "base/result.h"
#include "collectors/nvtx/listing.h"
#include "os/command.h"

namespace ridgeline::nvtx {

// nullopt: not part of this build, because NVTX headers were missing.
std::optional<std::filesystem::path> FindInjectionLibrary();

// Why dry runs need the library, and how to get it.
Error NoInjectionLibrary();

// The same command with the library injected. Events are written to `directory`, which
// the library creates if needed; both paths must be absolute.
os::Command UnderInjection(os::Command command, const std::filesystem::path& library,
                           const std::filesystem::path& directory);

// Events of all processes of the program, from `directory`.
Result<Listing> ReadListing(const std::filesystem::path& directory);

}  // namespace ridgeline::nvtx
