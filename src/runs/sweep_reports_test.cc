#include "runs/sweep_reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "artifacts/sweep_manifest.h"
#include "os/files.h"
#include "os/testing/golden.h"
#include "runs/sweep_metrics.h"

namespace ridgeline::runs {
namespace {

namespace fs = std::filesystem;
using artifacts::Attempt;
using artifacts::State;
using artifacts::SweepDir;
using testing::HasSubstr;

class SweepReportsTest : public testing::Test {
 protected:
  SweepReportsTest()
      : root_(fs::path(testing::TempDir()) /
              ("ridgeline-sweep-reports-" + std::to_string(::getpid()))) {
    fs::remove_all(root_);
    fs::create_directories(root_);
    root_ = fs::canonical(root_);
    sweep_.launcher = "local";
    sweep_.created = "2026-11-18T14:03:22+00:00";
    sweep_.directory = root_.string();
  }
  ~SweepReportsTest() override { fs::remove_all(root_); }

  void AddJob(std::vector<std::string> overrides) {
    const int number = static_cast<int>(sweep_.jobs.size());
    sweep_.jobs.push_back({.number = number,
                           .overrides = std::move(overrides),
                           .directory = (root_ / std::to_string(number)).string()});
  }
  void WriteJobs() {
    const Status written = artifacts::WriteSweep(SweepDir(root_), sweep_);
    ASSERT_TRUE(written.ok()) << written.error().message();
  }
  void EndJob(int job, State state, const std::string& reason = "",
              const std::string& outcome = "") {
    Attempt attempt = {.host = "node1", .started = "2026-11-18T14:03:23+00:00"};
    ASSERT_TRUE(artifacts::BeginAttempt(SweepDir(root_), job, attempt).ok());
    attempt.state = state;
    attempt.reason = reason;
    attempt.outcome = outcome;
    attempt.exit_code = state == State::kDone ? 0 : 1;
    attempt.wall_s = 2.5;
    attempt.ended = "2026-11-18T14:03:26+00:00";
    ASSERT_TRUE(artifacts::EndAttempt(SweepDir(root_), job, attempt).ok());
  }
  // A run with this mean and a CI of +-10 %.
  void WriteMetrics(int job, double mean_s) {
    const fs::path directory = root_ / std::to_string(job);
    fs::create_directories(directory);
    const std::string source = "direct_inference/metrics.json";
    const nlohmann::json json = {
        {"verdict", {{"parity", "not_checked"}}},
        {"phases",
         {{{"source", source},
           {"profiled", false},
           {"phase", "end_to_end"},
           {"mean_s", mean_s},
           {"samples", 5},
           {"mean_ci95_s", {0.9 * mean_s, 1.1 * mean_s}},
           {"tokens_per_s", nullptr}},
          {{"source", source},
           {"profiled", false},
           {"phase", "decode"},
           {"mean_s", mean_s / 2},
           {"samples", 5},
           {"mean_ci95_s", {0.45 * mean_s, 0.55 * mean_s}},
           {"tokens_per_s", 100 / mean_s}},
          {{"source", source},
           {"profiled", true},
           {"phase", "end_to_end"},
           {"mean_s", 9}}}},
        {"memory",
         {{"peak_rss", {{{"source", "direct_inference: run"}, {"bytes", 2e8}}}}}},
        {"kernels_total", {{"total_s", mean_s / 4}}}};
    std::ofstream(directory / "manifest.json") << "{}";
    std::ofstream(directory / "metrics.json") << json.dump();
    std::ofstream(directory / "report.html") << "<!doctype html>";
  }
  std::string Read(const char* name) { return os::ReadFile(root_ / name).value(); }
  std::string WithoutPlace(std::string text) {
    for (size_t at = text.find(root_.string()); at != text.npos;
         at = text.find(root_.string())) {
      text.replace(at, root_.string().size(), "/sweep");
    }
    for (size_t at = text.find(root_.filename().string()); at != text.npos;
         at = text.find(root_.filename().string())) {
      text.replace(at, root_.filename().string().size(), "sweep");
    }
    return text;
  }

  fs::path root_;
  artifacts::SweepManifest sweep_;
};

TEST_F(SweepReportsTest, CompareTheJobs) {
  for (const char* const batch : {"1", "2", "4", "8", "16"}) {
    AddJob({"model.batch=" + std::string(batch), "dtype=bf16"});
  }
  WriteJobs();
  WriteMetrics(0, 0.4);
  WriteMetrics(1, 0.2);
  WriteMetrics(2, 0.21);
  EndJob(0, State::kDone);
  EndJob(1, State::kDone);
  EndJob(2, State::kDone);
  EndJob(3, State::kFailed, "stage direct_inference: exit code 1", "OutOfMemory");
  const auto document = WriteSweepReports(root_, {});
  ASSERT_TRUE(document.ok()) << document.error().message();
  std::string text = report::ToTerminal(document.value()) + "\n-- sweep.md --\n" +
                     Read("sweep.md") + "\n-- sweep.csv --\n" + Read("sweep.csv");
  os::ExpectGolden("reports/sweep.txt", WithoutPlace(text));
  auto json = nlohmann::json::parse(Read("sweep_report.json"));
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["jobs"][4]["state"], "pending");
  EXPECT_EQ(json["jobs"][1]["report"], "1/report.html");
  EXPECT_EQ(json["jobs"][3]["report"], nullptr);
  EXPECT_EQ(json["metrics"][0]["verdict"], "tied");
  EXPECT_THAT(Read("sweep.html"), HasSubstr("model.batch=16"));
  // The same files give the same bytes, wherever the sweep is.
  const std::string page = Read("sweep.html");
  ASSERT_TRUE(WriteSweepReports(root_, {}).ok());
  EXPECT_TRUE(Read("sweep.html") == page);
}

TEST_F(SweepReportsTest, HaveTheMetricsThatWereChosen) {
  AddJob({"a=1"});
  AddJob({"a=2"});
  WriteJobs();
  WriteMetrics(0, 0.4);
  WriteMetrics(1, 0.2);
  EndJob(0, State::kDone);
  EndJob(1, State::kDone);
  std::ofstream(root_ / "0/config.yaml") << "run:\n  sweep_metrics: [decode_s]\n";
  auto document = WriteSweepReports(root_, {});
  ASSERT_TRUE(document.ok());
  ASSERT_EQ(document.value().metrics.size(), 1U);
  EXPECT_EQ(document.value().metrics[0].id, "decode_s");

  document =
      WriteSweepReports(root_, {"decode_tokens_per_s", "/kernels_total/total_s:higher"});
  ASSERT_TRUE(document.ok()) << document.error().message();
  EXPECT_EQ(document.value().metrics[0].better, report::Better::kHigher);
  // The CI of a rate is derived from that of its time.
  EXPECT_NEAR((*document.value().jobs[0].metrics[0].ci95)[0], 250 / 1.1, 1e-9);
  EXPECT_EQ(document.value().metrics[1].better, report::Better::kHigher);
  EXPECT_EQ(document.value().metrics[1].best_jobs, std::vector<int64_t>{0});

  for (const char* const wrong : {"decode_ss", "/nothing/there", "/a~b"}) {
    const auto unknown = WriteSweepReports(root_, {wrong});
    ASSERT_FALSE(unknown.ok());
    EXPECT_THAT(unknown.error().message(), HasSubstr("choose from decode_s, "));
  }
}

TEST_F(SweepReportsTest, AreMadeOfWhatThereIs) {
  AddJob({"a=1"});
  AddJob({"a=2"});
  WriteJobs();
  // Before anything has run.
  auto document = WriteSweepReports(root_, {});
  ASSERT_TRUE(document.ok()) << document.error().message();
  EXPECT_TRUE(document.value().metrics.empty());
  EndJob(0, State::kDone);
  WriteMetrics(1, 0.2);
  std::ofstream(root_ / "1/metrics.json") << "{";
  EndJob(1, State::kDone);
  document = WriteSweepReports(root_, {});
  ASSERT_TRUE(document.ok());
  ASSERT_EQ(document.value().notes.size(), 2U);
  EXPECT_THAT(document.value().notes[0], HasSubstr("job 0: "));
  EXPECT_THAT(document.value().notes[1], HasSubstr("not a JSON object"));
  EXPECT_FALSE(WriteSweepReports(root_ / "1", {}).ok());
}

TEST_F(SweepReportsTest, FindTheJobsOfASweepThatWasMoved) {
  AddJob({"a=1"});
  sweep_.directory = "/somewhere/else";
  sweep_.jobs[0].directory = "/somewhere/else/0";
  WriteJobs();
  WriteMetrics(0, 0.4);
  EndJob(0, State::kDone);
  const auto document = WriteSweepReports(root_, {});
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(document.value().jobs[0].report, "0/report.html");
  EXPECT_EQ(document.value().jobs[0].metrics[0].value, 0.4);
}

}  // namespace
}  // namespace ridgeline::runs
