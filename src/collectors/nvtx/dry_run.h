// A program run under our own NVTX library, which needs neither a GPU nor nsys.
#pragma once

#include <filesystem>
#include <optional>

#include "base/result.h"
#include "collectors/nvtx/listing.h"
#include "os/command.h"

namespace ridgeline::nvtx {

// Nothing: this build has none, because NVTX's headers were not there.
std::optional<std::filesystem::path> FindInjectionLibrary();

// Why there is no dry run without the library, and how to get it.
Error NoInjectionLibrary();

// The same command with the library injected. Events are written to `directory`, which
// the library creates if needed; both paths are absolute.
os::Command UnderInjection(os::Command command, const std::filesystem::path& library,
                           const std::filesystem::path& directory);

// What all processes of the program left in `directory`.
Result<Listing> ReadListing(const std::filesystem::path& directory);

}  // namespace ridgeline::nvtx
