#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "model_io/images/image.h"
#include "model_io/images/testing/encode_png.h"
#include "os/files.h"

namespace ridgeline::predictions {

// A test with its own empty folder for pages.
class ScratchTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (std::filesystem::path(testing::TempDir()) / "ridgeline-predictions-XXXXXX")
            .string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    scratch_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(scratch_); }

  // A PNG of one colour.
  std::filesystem::path MakePage(const std::string& name, images::Colour colour) const {
    const std::filesystem::path path = scratch_ / name;
    EXPECT_TRUE(os::WriteFileAtomically(
                    path, images::EncodePng(images::Filled(200, 100, colour)).value())
                    .ok());
    return path;
  }

  std::filesystem::path scratch_;
};

}  // namespace ridgeline::predictions
