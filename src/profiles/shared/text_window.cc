#include "profiles/shared/text_window.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "profiles/shared/json_scan.h"

namespace ridgeline::profiles {
namespace {

// Fits into the L2 cache of current CPUs.
constexpr size_t kFirstBytes = size_t{256} << 10;

}  // namespace

TextWindow::TextWindow(ByteSource& source)
    : source_(source), buffer_(kFirstBytes + kScanPadding) {}

Status TextWindow::More(const char* keep) {
  assert(keep >= begin() && keep <= end() && !is_last_);
  const auto kept = static_cast<size_t>(end() - keep);
  if (kept > kMaxPiece) {
    return Error(ErrorCode::kParse, "byte " + std::to_string(OffsetOf(keep)) +
                                        ": a single event or value has more than " +
                                        std::to_string(kMaxPiece >> 20) + " MiB");
  }
  offset_ = OffsetOf(keep);
  std::memmove(buffer_.data(), keep, kept);
  // A piece that fills half of the buffer is larger than expected; doubling keeps the
  // cost of rescanning it below twice its size.
  if (kept * 2 > buffer_.size()) buffer_.resize((kept * 2) + kFirstBytes + kScanPadding);
  const std::span<char> free =
      std::span(buffer_).subspan(kept, buffer_.size() - kept - kScanPadding);
  RIDGELINE_TRY(const size_t count, source_.Read(free));
  is_last_ = count == 0;
  size_ = kept + count;
  std::fill_n(buffer_.data() + size_, kScanPadding, '\0');
  return Ok();
}

}  // namespace ridgeline::profiles
