#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::profiles {

// For zlib: the largest window; 16 more asks for the header of gzip.
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

}  // namespace ridgeline::profiles
