#include <gmock/gmock.h>

#include "artifacts/manifest.h"
#include "os/files.h"
#include "os/scratch_directory.h"
#include "serve/headline_cache.h"

namespace ridgeline::serve {
namespace {

using testing::HasSubstr;
using OrderedJson = nlohmann::ordered_json;

namespace fs = std::filesystem;

class RunSummaryTest : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& text) {
    const fs::path file = root_ / path;
    ASSERT_TRUE(os::CreateDirectories(file.parent_path()).ok());
    ASSERT_TRUE(os::WriteFileAtomically(file, text).ok());
  }
  void AddRun(const std::string& path, const std::string& started) {
    const artifacts::Manifest manifest = {
        .run_id = path,
        .state = artifacts::State::kDone,
        .host = "somewhere",
        .started = started,
        .arguments = {"+experiment=demo"},
        .workload = "a program",
        .stages = {
            {.name = "nsys", .state = artifacts::State::kSkipped, .reason = "no nsys"}}};
    Write(path + "/manifest.json", ToJson(manifest));
  }

  os::ScratchDirectory scratch_ = os::ScratchDirectory::Make("run-summary").value();
  fs::path root_ = scratch_.path();
  HeadlineCache cache_;
};

TEST_F(RunSummaryTest, SaysWhatTheManifestAndTheMetricsSay) {
  AddRun("a", "2026-11-16T12:00:00.000+00:00");
  Write("a/metrics.json", R"({"kernels": [{"name": "k", "total_s": 1}]})");
  Write("a/report.md", "");
  const OrderedJson run = SummaryOfRun(root_, "a", cache_);
  EXPECT_EQ(run["id"], "a");
  EXPECT_EQ(run["state"], "done");
  EXPECT_EQ(run["parity"], "not_checked");
  EXPECT_EQ(run["workload"], "a program");
  EXPECT_EQ(run["host"], "somewhere");
  EXPECT_EQ(run["arguments"], OrderedJson({"+experiment=demo"}));
  EXPECT_EQ(run["stages"][0]["reason"], "no nsys");
  EXPECT_EQ(run["kernel"]["name"], "k");
  EXPECT_EQ(run["report"], "report.md");
  EXPECT_EQ(run["has_report"], true);
  EXPECT_TRUE(run["problems"].empty());
  Write("a/report.html", "");
  EXPECT_EQ(SummaryOfRun(root_, "a", cache_)["report"], "report.html");
}

TEST_F(RunSummaryTest, ListsRunsWhoseFilesHaveTheNamesOfEarlierVersions) {
  const fs::path saved = fs::path(RIDGELINE_TESTS_DIR) / "data/runs";
  const OrderedJson all = SummaryOfRuns(saved, cache_);
  ASSERT_EQ(all["runs"].size(), 2U);
  const OrderedJson& demo =
      all["runs"][0]["id"] == "demo_v1" ? all["runs"][0] : all["runs"][1];
  EXPECT_EQ(demo["state"], "done");
  EXPECT_EQ(demo["parity"], "not_checked");
  EXPECT_TRUE(demo["phases"]["end_to_end"]["mean_s"].is_number());
  EXPECT_TRUE(demo["phases"]["decode"]["tokens_per_s"].is_number());
  EXPECT_TRUE(demo["problems"].empty()) << demo["problems"];
  const OrderedJson interrupted = SummaryOfRun(saved, "interrupted_v1", cache_);
  EXPECT_EQ(interrupted["state"], "interrupted");
  EXPECT_EQ(interrupted["reason"], "signal 15");
}

TEST_F(RunSummaryTest, ABrokenRunIsListedWithWhatIsWrong) {
  Write("broken/manifest.json", "{");
  Write("broken/metrics.json", "{]");
  const OrderedJson run = SummaryOfRun(root_, "broken", cache_);
  EXPECT_EQ(run["id"], "broken");
  EXPECT_EQ(run["state"], nullptr);
  EXPECT_EQ(run["has_report"], false);
  ASSERT_EQ(run["problems"].size(), 2U);
  EXPECT_THAT(run["problems"][0].get<std::string>(), HasSubstr("manifest.json"));
  EXPECT_THAT(run["problems"][1].get<std::string>(), HasSubstr("ridgeline report"));
}

TEST_F(RunSummaryTest, ReadsNothingThatLiesOutside) {
  Write("outside.json", R"({"kernels": [{"name": "secret", "total_s": 1}]})");
  AddRun("runs/a", "2026-11-16T12:00:00.000+00:00");
  ASSERT_TRUE(os::MakeLink("../../outside.json", root_ / "runs/a/metrics.json").ok());
  const OrderedJson run = SummaryOfRun(root_ / "runs", "a", cache_);
  EXPECT_EQ(run["kernel"], nullptr);
  ASSERT_EQ(run["problems"].size(), 1U);
}

TEST_F(RunSummaryTest, TheLastStartedComesFirstAndBrokenOnesLast) {
  AddRun("a", "2026-11-16T12:00:00.000+00:00");
  AddRun("b", "2026-11-16T13:00:00.000+00:00");
  Write("broken/manifest.json", "");
  const OrderedJson all = SummaryOfRuns(root_, cache_);
  EXPECT_EQ(all["schema_version"], 2);
  ASSERT_EQ(all["runs"].size(), 3U);
  EXPECT_EQ(all["runs"][0]["id"], "b");
  EXPECT_EQ(all["runs"][1]["id"], "a");
  EXPECT_EQ(all["runs"][2]["id"], "broken");
}

TEST_F(RunSummaryTest, TheRootItselfIsNamedByItsDirectory) {
  AddRun("a", "2026-11-16T12:00:00.000+00:00");
  const OrderedJson all = SummaryOfRuns(root_ / "a", cache_);
  ASSERT_EQ(all["runs"].size(), 1U);
  EXPECT_EQ(all["runs"][0]["id"], "a");
  EXPECT_EQ(all["runs"][0]["path"], ".");
}

}  // namespace
}  // namespace ridgeline::serve
