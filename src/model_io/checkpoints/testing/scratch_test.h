// Shared by the tests of this module: an empty directory, and files to put there.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "os/files.h"

namespace ridgeline::checkpoints {

class ScratchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (std::filesystem::path(::testing::TempDir()) / "ridgeline-checkpoints-XXXXXX")
            .string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }

  const std::filesystem::path& dir() const { return dir_; }

  // Creates parent directories, too.
  std::filesystem::path Write(const std::filesystem::path& name, std::string_view bytes) {
    std::filesystem::path path = dir_ / name;
    std::filesystem::create_directories(path.parent_path());
    EXPECT_TRUE(os::WriteFileAtomically(path, bytes).ok());
    return path;
  }

 private:
  std::filesystem::path dir_;
};

inline std::string_view AsText(std::span<const std::byte> bytes) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes as characters.
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A .safetensors file with this header and data, valid or not.
inline std::string SafetensorsBytes(std::string_view header, std::string_view data) {
  const uint64_t header_bytes = header.size();
  std::string file(sizeof(header_bytes), '\0');
  std::memcpy(file.data(), &header_bytes, sizeof(header_bytes));
  return file.append(header).append(data);
}

}  // namespace ridgeline::checkpoints
