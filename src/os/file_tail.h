#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace ridgeline::os {

// Follows a file that another process appends to.
class FileTail {
 public:
  explicit FileTail(std::filesystem::path path) : path_(std::move(path)) {}

  // The data appended since the last call, at most 1 MiB; the rest comes with the next
  // calls. Empty while the file cannot be read, e.g. because it does not exist yet.
  std::string ReadNew();

 private:
  std::filesystem::path path_;
  int64_t offset_bytes_ = 0;
};

}  // namespace ridgeline::os
