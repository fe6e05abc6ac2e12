#include <algorithm>

#include "serve/http_server.h"

namespace ridgeline::serve {

std::optional<ByteRange> RangeWithin(const ByteRange& asked, int64_t size) {
  ByteRange range = asked;
  if (asked.first < 0) {
    if (asked.last <= 0) return std::nullopt;
    range = {std::max<int64_t>(size - asked.last, 0), size - 1};
  } else if (asked.last < 0) {
    range.last = size - 1;
  }
  range.last = std::min(range.last, size - 1);
  if (range.first > range.last) return std::nullopt;
  return range;
}

}  // namespace ridgeline::serve
