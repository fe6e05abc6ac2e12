#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace ridgeline::hardware {

struct Disk {
  std::filesystem::path wanted;       // The directory that was asked about...
  std::filesystem::path existing;     // ...and it or the nearest one above that exists.
  bool is_writable = false;           // Whether we may create something in `existing`.
  std::optional<int64_t> free_bytes;  // For us, not for root.
};

// Nothing is created. `directory` is absolute.
Disk LookAtDisk(const std::filesystem::path& directory);

}  // namespace ridgeline::hardware
