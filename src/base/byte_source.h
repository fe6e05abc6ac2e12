// A stream of bytes. Parsers need not know whether they come from a file, a decompressor
// or a test.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/result.h"

namespace ridgeline {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills the beginning of `into`, which is not empty; returns the number of bytes, 0
  // only at the end. Not called again after an error.
  virtual Result<size_t> Read(std::span<char> into) = 0;
};

// Bytes already in memory, which must outlive it.
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
