// Run directories written before keys were renamed (tests/data/runs) stay usable.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::State;
using Json = nlohmann::json;

class OldRuns : public Playground {
 protected:
  static fs::path Saved(const std::string& name) {
    return fs::path(RIDGELINE_TESTS_DIR) / "data/runs" / name;
  }
};

TEST_F(OldRuns, AreReportedUnderTheNamesOfToday) {
  fs::copy(Saved("demo_v1"), directory() / "demo", fs::copy_options::recursive);
  const Json before = Json::parse(ReadFile(directory() / "demo/metrics.json"));
  const ProgramEnd end = Ridgeline({"report", "demo"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const Json report = Json::parse(ReadFile(directory() / "demo/metrics.json"));
  EXPECT_EQ(report["schema_version"], 3);
  EXPECT_EQ(report["run"]["cwd"], "/home/ada/project");
  EXPECT_EQ(report["verdict"]["parity"], "not_checked");
  EXPECT_EQ(report["dropped"], Json::array()) << "every file was read";
  // Old names on the left, those of today on the right.
  ASSERT_EQ(report["phases"].size(), before["phases"].size());
  for (size_t i = 0; i < report["phases"].size(); ++i) {
    const std::string was = before["phases"][i]["phase"];
    EXPECT_EQ(report["phases"][i]["phase"], was == "page" ? "end_to_end" : was);
    EXPECT_EQ(report["phases"][i]["mean_s"], before["phases"][i]["mean_s"]);
  }
  const Json& ledger = report["ledger"]["phases"];
  ASSERT_EQ(ledger.size(), before["ledger"]["phases"].size());
  ASSERT_FALSE(ledger.empty());
  for (size_t i = 0; i < ledger.size(); ++i) {
    const Json& was = before["ledger"]["phases"][i];
    EXPECT_EQ(ledger[i]["roofline_s"], was["least_s"]);
    EXPECT_EQ(ledger[i]["roofline_slowdown"], was["distance"]);
    EXPECT_EQ(ledger[i]["mfu_useful"], was["mfu_ideal"]);
  }
  EXPECT_EQ(report["memory"]["weights_read_bytes"],
            before["memory"]["weights_read_bytes"]);
}

// The configuration of the program of today, the manifest of the one before.
TEST_F(OldRuns, AreResumed) {
  MakeScript("work", "[ -e go ]\n");
  std::vector<std::string> arguments = Direct({"./work"});
  arguments.emplace_back("hydra.run.dir=out");
  ASSERT_EQ(Ridgeline(arguments).exit_code, 1);
  const fs::path file = directory() / "out/manifest.json";
  Json manifest = Json::parse(ReadFile(Saved("interrupted_v1") / "manifest.json"));
  ASSERT_EQ(manifest["schema_version"], 1);
  ASSERT_EQ(manifest["state"], "interrupted");
  manifest["directory"] = (directory() / "out").string();
  manifest["invoked_in"] = directory().string();
  manifest["config_sha256"] = ManifestOf(directory() / "out").config_sha256;
  WriteFile(file, manifest.dump());
  WriteFile(directory() / "go", "");

  const ProgramEnd end = Ridgeline({"run", "--resume", "out"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const artifacts::Manifest resumed = ManifestOf(directory() / "out");
  EXPECT_EQ(resumed.state, State::kDone);
  EXPECT_EQ(resumed.attempts, 2);
  EXPECT_EQ(Json::parse(ReadFile(file))["schema_version"], 2);
}

}  // namespace
}  // namespace ridgeline::run
