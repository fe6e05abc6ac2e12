#pragma once

#include <cstdint>
#include <optional>

namespace ridgeline::serve {

// Both ends belong to it.
struct ByteRange {
  int64_t first = 0;
  int64_t last = 0;

  bool operator==(const ByteRange&) const = default;
};

// What "bytes=<first>-<last>" means of a file with `size` bytes. An end that is missing
// is -1: "5-" goes to the end, "-5" are the last five. Nothing: there is no such byte.
std::optional<ByteRange> RangeWithin(const ByteRange& asked, int64_t size);

}  // namespace ridgeline::serve
