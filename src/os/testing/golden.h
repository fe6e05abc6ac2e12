#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "os/env.h"
#include "os/files.h"

namespace ridgeline::os {

// Compares with tests/golden/<name>; RIDGELINE_UPDATE_GOLDEN=1 rewrites it.
inline void ExpectGolden(const std::string& name, const std::string& text) {
  const std::filesystem::path path =
      std::filesystem::path(RIDGELINE_TESTS_DIR) / "golden" / name;
  if (os::GetEnv("RIDGELINE_UPDATE_GOLDEN")) {
    ASSERT_TRUE(os::WriteFileAtomically(path, text).ok()) << path;
    return;
  }
  const Result<std::string> want = os::ReadFile(path);
  ASSERT_TRUE(want.ok()) << want.error().message();
  EXPECT_EQ(text, want.value()) << path;
}

}  // namespace ridgeline::os
