// GunzipSource: what a .gz file holds.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"

namespace ridgeline::profiles {

// By the first bytes of a file.
bool IsGzip(std::string_view first_bytes);

// Members that follow each other count as one text, as for gzip itself. A file that ends
// too early or is damaged is an error that tells the byte of the compressed file.
class GunzipSource final : public ByteSource {
 public:
  // `compressed` has to outlive it.
  static Result<std::unique_ptr<GunzipSource>> Create(ByteSource& compressed);
  ~GunzipSource() override;

  Result<size_t> Read(std::span<char> into) override;

 private:
  struct Stream;
  explicit GunzipSource(std::unique_ptr<Stream> stream);

  std::unique_ptr<Stream> stream_;
};

}  // namespace ridgeline::profiles
