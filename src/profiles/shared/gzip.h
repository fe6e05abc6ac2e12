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

// Compresses text incrementally to a .gz file, so that only compressed data is kept.
class Gzip {
 public:
  Gzip();
  ~Gzip();
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  void Add(std::string_view text);

  // Returns the file. Nothing may be added afterwards.
  Result<std::string> Finish();

 private:
  struct Stream;

  std::unique_ptr<Stream> stream_;
  std::string out_;
};

// The decompressed contents of a .gz file.

// By the first bytes of a file.
bool IsGzip(std::string_view first_bytes);

// Concatenated members count as one text, as in gzip itself. The error for a truncated or
// damaged file gives the byte offset in the compressed file.
class GunzipSource final : public ByteSource {
 public:
  // `compressed` must outlive it.
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
