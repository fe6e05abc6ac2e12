#include "artifacts/sha256.h"

#include <cassert>

#include "base/digest.h"
#include "os/files.h"
#include "os/mapped_file.h"

namespace ridgeline::artifacts {

Result<std::string> Sha256OfFile(const std::filesystem::path& path) {
  Sha256Sum hash;
  RIDGELINE_RETURN_IF_ERROR(
      os::ForEachBlock(path, [&hash](std::string_view block) { hash.Add(block); }));
  return hash.ToHex();
}

Result<std::string> Sha256OfSamples(const std::filesystem::path& path,
                                    const Samples& samples) {
  RIDGELINE_TRY(const os::MappedFile file,
                os::MappedFile::Open(path, os::MemoryAdvice::kRandom));
  assert(file.bytes().size() > samples.total() && samples.count > 1);
  const size_t last = file.bytes().size() - samples.piece_bytes;
  Sha256Sum hash;
  for (size_t i = 0; i < samples.count; ++i) {
    // Divide first: size times count may overflow.
    const size_t begin = i + 1 == samples.count ? last : last / (samples.count - 1) * i;
    const auto piece = file.bytes().subspan(begin, samples.piece_bytes);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes.
    hash.Add({reinterpret_cast<const char*>(piece.data()), piece.size()});
  }
  return hash.ToHex();
}

}  // namespace ridgeline::artifacts
