#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "hardware/tools.h"

namespace ridgeline::hardware {
namespace {

namespace fs = std::filesystem;

// A temporary directory tree with programs.
class NsysImporterTest : public testing::Test {
 protected:
  NsysImporterTest()
      : root_(fs::path(testing::TempDir()) /
              ("nsys_importer_test." + std::to_string(::getpid()))) {
    fs::create_directories(root_);
    root_ = fs::canonical(root_);
  }
  ~NsysImporterTest() override { fs::remove_all(root_); }

  void Install(const fs::path& program) {
    fs::create_directories((root_ / program).parent_path());
    std::ofstream(root_ / program) << "x";
  }
  void Link(const fs::path& link, const fs::path& target) {
    fs::create_directories((root_ / link).parent_path());
    fs::create_symlink(root_ / target, root_ / link);
  }

  fs::path root_;
};

TEST_F(NsysImporterTest, FindsTheImporterOfNvidiasPackageInPlace) {
  Install("opt/nvidia/nsight-systems/2024.1.1/target-linux-x64/nsys");
  Install("opt/nvidia/nsight-systems/2024.1.1/host-linux-x64/QdstrmImporter");
  Link("usr/local/bin/nsys", "opt/nvidia/nsight-systems/2024.1.1/target-linux-x64/nsys");
  const NsysImporter found =
      FindNsysImporter(root_ / "usr/local/bin/nsys", SystemFiles(root_));
  EXPECT_TRUE(found.is_in_place);
  EXPECT_EQ(found.expected,
            root_ / "opt/nvidia/nsight-systems/2024.1.1/host-linux-x64/QdstrmImporter");
}

TEST_F(NsysImporterTest, FindsTheImporterThatDebianPutsWhereNsysDoesNotLook) {
  Install("usr/lib/x86_64-linux-gnu/nsight-systems/target-linux-x64/nsys");
  Install("usr/lib/nsight-systems/host-linux-x64/QdstrmImporter");
  Link("usr/bin/nsys", "usr/lib/x86_64-linux-gnu/nsight-systems/target-linux-x64/nsys");
  const NsysImporter found = FindNsysImporter(root_ / "usr/bin/nsys", SystemFiles(root_));
  EXPECT_FALSE(found.is_in_place);
  EXPECT_EQ(found.expected, root_ /
                                "usr/lib/x86_64-linux-gnu/nsight-systems/"
                                "host-linux-x64/QdstrmImporter");
  EXPECT_EQ(found.elsewhere, "/usr/lib/nsight-systems/host-linux-x64/QdstrmImporter");
}

TEST_F(NsysImporterTest, FindsNoneWhereOnlyTheCommandLineToolIsInstalled) {
  Install("usr/lib/nsight-systems/target-linux-x64/nsys");
  const NsysImporter found = FindNsysImporter(
      root_ / "usr/lib/nsight-systems/target-linux-x64/nsys", SystemFiles(root_));
  EXPECT_FALSE(found.is_in_place);
  EXPECT_TRUE(found.expected);
  EXPECT_EQ(found.elsewhere, std::nullopt);
}

TEST_F(NsysImporterTest, DoesNotGuessBehindAScriptThatStartsNsys) {
  Install("usr/local/cuda/bin/nsys");
  const NsysImporter found =
      FindNsysImporter(root_ / "usr/local/cuda/bin/nsys", SystemFiles(root_));
  EXPECT_EQ(found.expected, std::nullopt);
  EXPECT_FALSE(found.is_in_place);
}

}  // namespace
}  // namespace ridgeline::hardware
