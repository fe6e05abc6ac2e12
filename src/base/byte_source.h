// ByteSource: bytes that come in pieces, from begin to end. Who reads a format need not
// know whether they come from a file, from a decompressor or from a test.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/result.h"

namespace ridgeline {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills the beginning of `into`, which is not empty; how much of it was filled, 0 only
  // at the end. After an error nothing more is asked.
  virtual Result<size_t> Read(std::span<char> into) = 0;
};

// Bytes that are in memory already, and stay there.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : rest_(bytes) {}

  Result<size_t> Read(std::span<char> into) override {
    const size_t count = rest_.copy(into.data(), into.size());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

}  // namespace ridgeline
