#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "base/result.h"

namespace ridgeline::artifacts {

// As in base/digest.h. Reads the file in pieces, whatever its size.
Result<std::string> Sha256OfFile(const std::filesystem::path& path);

// Hashes `count` evenly spaced pieces of `piece_bytes`, including the first and the last:
// for files so large that reading them would take longer than using them. The file must
// be larger than all pieces combined.
struct Samples {
  size_t count = 64;
  size_t piece_bytes = size_t{1} << 20;

  size_t total() const { return count * piece_bytes; }
};
Result<std::string> Sha256OfSamples(const std::filesystem::path& path,
                                    const Samples& samples);

}  // namespace ridgeline::artifacts
