#pragma once

#include <cstddef>
#include <utility>

namespace ridgeline::os {

// Memory mapped directly from the kernel, so that the heap of a profiled program is not
// disturbed. All pages are faulted in up front. Size 0 if the kernel is out of memory.
class PageMemory {
 public:
  explicit PageMemory(size_t bytes);
  ~PageMemory();
  PageMemory(PageMemory&& other) noexcept
      : begin_(std::exchange(other.begin_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  PageMemory& operator=(PageMemory&& other) noexcept {
    std::swap(begin_, other.begin_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  void* begin() const { return begin_; }
  size_t bytes() const { return bytes_; }

 private:
  void* begin_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace ridgeline::os
