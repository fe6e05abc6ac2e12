// TextWindow: the part of a long text that is in memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_source.h"
#include "base/result.h"

namespace ridgeline::profiles {

// begin() to end() is a piece of what the source gives, followed by kScanPadding zeros.
// More() moves it forward; pointers into it are gone then.
class TextWindow {
 public:
  explicit TextWindow(ByteSource& source);

  const char* begin() const { return buffer_.data(); }
  const char* end() const { return buffer_.data() + size_; }
  // end() is also the end of the text.
  bool is_last() const { return is_last_; }
  // How many bytes of the text lie before `place`.
  int64_t OffsetOf(const char* place) const { return offset_ + (place - begin()); }

  // Forgets what lies before `keep`, which becomes begin(), and reads on behind it. What
  // is kept may not have more than kMaxPiece bytes.
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
