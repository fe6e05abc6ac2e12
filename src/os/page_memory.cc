#include "os/page_memory.h"

#include <sys/mman.h>

namespace ridgeline::os {

PageMemory::PageMemory(size_t bytes) {
  void* const begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (begin == MAP_FAILED) return;
  begin_ = begin;
  bytes_ = bytes;
}

PageMemory::~PageMemory() {
  if (begin_ != nullptr) munmap(begin_, bytes_);
}

}  // namespace ridgeline::os
