#pragma once

#include <cstddef>
#include <utility>

namespace ridgeline::os {

// Memory of its own, page by page from the kernel and given back at the end, so that what
// a program that is being watched gets from malloc stays as it was. All of it is there at
// once: using it causes no page fault. Zero bytes where the kernel has no more.
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
