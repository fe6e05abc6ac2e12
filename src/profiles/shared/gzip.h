#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"

namespace ridgeline::profiles {

// For zlib: the largest window; adding 16 selects the gzip header.
inline constexpr int kGzipWindow = 15 + 16;

// Text that becomes a .gz file, bit by bit, so that only what is compressed is held.
class Gzip {
 public:
  Gzip();
  ~Gzip();
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  void Add(std::string_view text);

  // The file. Nothing may be added afterwards.
  Result<std::string> Finish();

 private:
  struct Stream;

  std::unique_ptr<Stream> stream_;
  std::string out_;
};

// GunzipSource: the decompressed contents of a .gz file.

// By the first bytes of a file.
bool IsGzip(std::string_view first_bytes);

// Concatenated members count as one text, as for gzip itself. The error for a truncated
// or damaged file names the byte offset in the compressed file.
class GunzipSource final : public ByteSource {
 public:
  // `compressed` has to outlive it.
  static Result<std::unique_ptr<GunzipSource>> Create(ByteSource& compressed);
  ~GunzipSource() override;

  Result<size_t> Read(std::span<char> into) override;

  // Whether reading failed because of the compressed data.
  bool is_damaged() const;

 private:
  struct Stream;
  explicit GunzipSource(std::unique_ptr<Stream> stream);

  std::unique_ptr<Stream> stream_;
};

}  // namespace ridgeline::profiles
