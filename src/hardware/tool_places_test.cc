#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "hardware/tools.h"

namespace ridgeline::hardware {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class ToolPlacesTest : public testing::Test {
 protected:
  ToolPlacesTest()
      : root_(fs::path(testing::TempDir()) /
              ("tool_places_test." + std::to_string(::getpid()))) {}
  ~ToolPlacesTest() override { fs::remove_all(root_); }

  void Install(const fs::path& program) {
    fs::create_directories((root_ / program).parent_path());
    std::ofstream(root_ / program) << "x";
  }

  fs::path root_;
};

TEST_F(ToolPlacesTest, FindsTheNewestVersionFirst) {
  Install("opt/nvidia/nsight-systems/2023.9.1/bin/nsys");
  Install("opt/nvidia/nsight-systems/2023.10.1/bin/nsys");
  Install("usr/local/cuda-12.4/bin/nsys");
  EXPECT_THAT(FindOutsideOfPath("nsys", SystemFiles(root_)),
              ElementsAre("/opt/nvidia/nsight-systems/2023.10.1/bin/nsys",
                          "/opt/nvidia/nsight-systems/2023.9.1/bin/nsys",
                          "/usr/local/cuda-12.4/bin/nsys"));
}

TEST_F(ToolPlacesTest, FindsNothingOnAnEmptyMachineOrForAnUnknownTool) {
  EXPECT_THAT(FindOutsideOfPath("ncu", SystemFiles(root_)), IsEmpty());
  Install("usr/bin/git");
  EXPECT_THAT(FindOutsideOfPath("perf", SystemFiles(root_)), IsEmpty());
}

TEST_F(ToolPlacesTest, MatchesAStarWithinOneName) {
  Install("a/x1y/f");
  Install("a/x2y/f");
  Install("a/xy/f");
  Install("a/x3/f");
  Install("a/x4y/g");
  EXPECT_THAT(MatchPaths("/a/x*y/f", SystemFiles(root_)),
              ElementsAre("/a/xy/f", "/a/x1y/f", "/a/x2y/f"));
}

}  // namespace
}  // namespace ridgeline::hardware
