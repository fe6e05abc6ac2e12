// The report of a sweep, of real jobs.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;

class SweepReport : public Playground {
 protected:
  // Three jobs; the second takes longer and the third fails.
  ProgramEnd RunSweep(const std::vector<std::string>& more = {}) {
    MakeScript("work", "[ $N != 2 ] || sleep 0.2\n[ $N != 3 ]\n");
    std::vector<std::string> arguments = Direct({"./work"});
    arguments.insert(arguments.begin() + 1, "--multirun");
    arguments.insert(arguments.end(), {"+pipeline.workload.env.N=1,2,3", "run.repeats=3",
                                       "hydra.sweep.dir=sweep"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Ridgeline(arguments);
  }
  fs::path Out(const std::string& file) { return directory() / "sweep" / file; }
};

TEST_F(SweepReport, IsWrittenAtTheEndAndRebuilt) {
  const ProgramEnd end = RunSweep();
  ASSERT_EQ(end.exit_code, 1) << end.err;
  EXPECT_THAT(end.err, HasSubstr("sweep.html"));
  EXPECT_THAT(end.err, HasSubstr("Wall time"));
  const Json report = Json::parse(ReadFile(Out("sweep_report.json")));
  ASSERT_EQ(report["jobs"].size(), 3u);
  EXPECT_EQ(report["parameters"][0]["key"], "pipeline.workload.env.N");
  EXPECT_EQ(report["jobs"][2]["state"], "failed");
  EXPECT_THAT(report["jobs"][2]["reason"].get<std::string>(),
              HasSubstr("direct_inference: workload: exit code 1"));
  EXPECT_GE(report["jobs"][1]["metrics"][0]["value"].get<double>(), 0.2);
  EXPECT_EQ(report["metrics"][0]["id"], "wall_s");
  EXPECT_EQ(report["metrics"][0]["best_jobs"][0], 0);
  EXPECT_TRUE(fs::exists(Out(report["jobs"][0]["report"].get<std::string>())));
  EXPECT_THAT(ReadFile(Out("sweep.md")), HasSubstr("| pipeline.workload.env.N |"));

  const std::string page = ReadFile(Out("sweep.html"));
  for (const char* const name :
       {"sweep.html", "sweep.md", "sweep.csv", "sweep_report.json"}) {
    fs::remove(Out(name));
  }
  const ProgramEnd again = Ridgeline({"report", "sweep"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.out, fs::canonical(Out("sweep.html")).string() + "\n");
  EXPECT_TRUE(ReadFile(Out("sweep.html")) == page);
  EXPECT_THAT(ReadFile(Out("sweep.csv")), HasSubstr("wall_s_ci95_low"));

  const ProgramEnd chosen = Ridgeline({"report", "sweep", "--metrics", "user_s"});
  ASSERT_EQ(chosen.exit_code, 0) << chosen.err;
  EXPECT_EQ(Json::parse(ReadFile(Out("sweep_report.json")))["metrics"][0]["id"],
            "user_s");
  const ProgramEnd wrong = Ridgeline({"report", "sweep", "--metrics", "wal_s"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("no job has the metric 'wal_s'"));
  const ProgramEnd run = Ridgeline({"report", "sweep/0", "--metrics", "wall_s"});
  EXPECT_EQ(run.exit_code, 2);
}

TEST_F(SweepReport, HasTheMetricsOfTheConfiguration) {
  ASSERT_EQ(RunSweep({"run.sweep_metrics=[peak_rss_bytes]", "-q"}).exit_code, 1);
  const Json report = Json::parse(ReadFile(Out("sweep_report.json")));
  ASSERT_EQ(report["metrics"].size(), 1u);
  EXPECT_EQ(report["metrics"][0]["id"], "peak_rss_bytes");
}

}  // namespace
}  // namespace ridgeline::run
