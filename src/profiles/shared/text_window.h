// The part of a long text that is in memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_source.h"
#include "base/result.h"

namespace ridgeline::profiles {

// begin() to end() is a piece of the source's text, followed by kScanPadding zeros.
// More() moves it forward and invalidates pointers into it.
class TextWindow {
 public:
  explicit TextWindow(ByteSource& source);

  const char* begin() const { return buffer_.data(); }
  const char* end() const { return buffer_.data() + size_; }
  // end() is also the end of the text.
  bool is_last() const { return is_last_; }
  // Number of bytes of the text before `place`.
  int64_t OffsetOf(const char* place) const { return offset_ + (place - begin()); }

  // Discards text before `keep`, which becomes begin(), and reads more. The text kept
  // must not exceed kMaxPiece bytes.
  Status More(const char* keep);

 private:
  ByteSource& source_;
  std::vector<char> buffer_;
  size_t size_ = 0;
  int64_t offset_ = 0;
  bool is_last_ = false;
};

// One event or one value of a header; real ones have some hundred bytes.
inline constexpr size_t kMaxPiece = size_t{64} << 20;

}  // namespace ridgeline::profiles
