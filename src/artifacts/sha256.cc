#include "artifacts/sha256.h"

#include <nettle/sha2.h>

#include <array>
#include <cassert>
#include <cstdint>

#include "os/files.h"
#include "os/mapped_file.h"

namespace ridgeline::artifacts {
namespace {

class Hash {
 public:
  Hash() { sha256_init(&context_); }

  void Add(std::string_view bytes) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the library's bytes.
    const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
    sha256_update(&context_, bytes.size(), data);
  }

  std::string ToHex() {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::array<uint8_t, SHA256_DIGEST_SIZE> digest = {};
    sha256_digest(&context_, digest.size(), digest.data());
    std::string hex;
    hex.reserve(2 * digest.size());
    for (const uint8_t byte : digest) {
      hex += kDigits[byte >> 4];
      hex += kDigits[byte & 15];
    }
    return hex;
  }

 private:
  sha256_ctx context_;
};

}  // namespace

std::string Sha256(std::string_view bytes) {
  Hash hash;
  hash.Add(bytes);
  return hash.ToHex();
}

Result<std::string> Sha256OfFile(const std::filesystem::path& path) {
  Hash hash;
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
  Hash hash;
  for (size_t i = 0; i < samples.count; ++i) {
    // Divided first: a file's size times the count may not fit.
    const size_t begin = i + 1 == samples.count ? last : last / (samples.count - 1) * i;
    const auto piece = file.bytes().subspan(begin, samples.piece_bytes);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes.
    hash.Add({reinterpret_cast<const char*>(piece.data()), piece.size()});
  }
  return hash.ToHex();
}

}  // namespace ridgeline::artifacts
