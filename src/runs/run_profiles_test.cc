#include "runs/run_profiles.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace ridgeline::runs {
namespace {

namespace fs = std::filesystem;

class RunProfilesTest : public testing::Test {
 protected:
  ~RunProfilesTest() override { fs::remove(path_); }

  // Other tests run concurrently.
  const fs::path path_ =
      fs::path(testing::TempDir()) /
      ("ridgeline-run-profiles-" + std::to_string(::getpid()) + ".csv");
  RunProfiles profiles_;
};

TEST_F(RunProfilesTest, ReadAFileOnceUntilItIsTaken) {
  std::ofstream(path_)
      << "Time (%),Total Time (ns),Instances,Avg (ns),Min (ns),Max (ns),Name\n"
         "100.0,30,2,15.0,10,20,gemm\n";
  ASSERT_TRUE(profiles_.Get(path_).ok()) << profiles_.Get(path_).error().message();
  fs::remove(path_);
  const auto& again = profiles_.Get(path_);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(analysis::KernelsOf(again.value()).size(), 1);
  const auto taken = profiles_.Take(path_);
  ASSERT_TRUE(taken.ok());
  EXPECT_EQ(
      analysis::NamesOf(taken.value()).text(analysis::KernelsOf(taken.value())[0].name),
      "gemm");
  EXPECT_FALSE(profiles_.Get(path_).ok());  // Not cached, and the file is deleted.
}

TEST_F(RunProfilesTest, KeepErrors) {
  EXPECT_FALSE(profiles_.Get(path_).ok());
  std::ofstream(path_) << "{}";
  EXPECT_THAT(profiles_.Get(path_).error().message(),
              testing::HasSubstr("No such file or directory"));
  EXPECT_FALSE(profiles_.Take(path_).ok());
}

}  // namespace
}  // namespace ridgeline::runs
