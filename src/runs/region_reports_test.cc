#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "os/files.h"
#include "profiles/testing/ncu_report_bytes.h"
#include "runs/run_reports.h"

namespace ridgeline::runs {
namespace {

namespace fs = std::filesystem;
namespace bytes = profiles::ncu_report_bytes;
using testing::Contains;
using testing::HasSubstr;

TEST(RegionReportsTest, LieBesideTheReportOfEachRegion) {
  const fs::path root = fs::path(testing::TempDir()) /
                        ("ridgeline-region-reports-" + std::to_string(::getpid()));
  fs::remove_all(root);
  for (const char* label : {"decode", "broken"}) {
    fs::create_directories(root / "ncu/regions" / label);
  }
  std::ofstream(root / "ncu/regions/decode/run.ncu-rep")
      << bytes::Report(7, bytes::Range(), 7);
  std::ofstream(root / "ncu/regions/broken/run.ncu-rep") << "nothing";
  artifacts::Manifest manifest;
  manifest.stages.resize(1);
  manifest.stages[0].name = "ncu";
  manifest.stages[0].state = artifacts::State::kDone;

  RunProfiles profiles;
  const Status written = WriteRegionReports(manifest, artifacts::RunDir(root), profiles);
  ASSERT_TRUE(written.ok()) << written.error().message();
  const auto json = nlohmann::json::parse(
      os::ReadFile(root / "ncu/regions/decode/report.json").value());
  EXPECT_EQ(json["sources"][0]["file"], "ncu/regions/decode/run.ncu-rep");
  EXPECT_THAT(os::ReadFile(root / "ncu/regions/decode/report.md").value(),
              HasSubstr("5.00 us"));
  EXPECT_THAT(manifest.stages[0].artifacts, Contains("ncu/regions/decode/report.md"));
  EXPECT_THAT(manifest.stages[0].notes,
              Contains(HasSubstr("no report of region broken")));
  EXPECT_FALSE(os::Exists(root / "ncu/regions/broken/report.json"));
  fs::remove_all(root);
}

}  // namespace
}  // namespace ridgeline::runs
