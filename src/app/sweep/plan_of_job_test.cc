#include "app/sweep/plan_of_job.h"

#include <gmock/gmock.h>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::app {
namespace {

artifacts::SweepManifest SweepOfTwo(const std::string& root) {
  artifacts::SweepManifest sweep;
  sweep.launcher = "slurm";
  sweep.arguments = {"-m", "run.repeats=1,2"};
  sweep.directory = root;
  sweep.job_script = root + "/job.sh";
  for (const int number : {0, 1}) {
    artifacts::SweepJob job;
    job.number = number;
    job.overrides = {"run.repeats=" + std::to_string(number + 1)};
    job.directory = root + "/" + std::to_string(number);
    job.arguments = {"run", "--sweep-job", "x='a b'"};
    sweep.jobs.push_back(job);
  }
  return sweep;
}

TEST(ReadPlanOfJobTest, AJobReadsItsOwnPlanOnly) {
  const auto scratch = os::ScratchDirectory::Make("plan").value();
  const artifacts::SweepDir directory(scratch.path());
  const artifacts::SweepManifest sweep = SweepOfTwo(scratch.path().string());
  ASSERT_TRUE(artifacts::WriteSweep(directory, sweep).ok());
  for (const size_t number : {0, 1}) {
    const auto plan = ReadPlanOfJob(directory, static_cast<int>(number));
    ASSERT_TRUE(plan.ok()) << plan.error().message();
    artifacts::SweepManifest expected = sweep;
    expected.jobs = {sweep.jobs[number]};
    EXPECT_EQ(plan.value(), expected);
  }
}

TEST(ReadPlanOfJobTest, SaysWhatIsWrong) {
  const auto scratch = os::ScratchDirectory::Make("plan").value();
  const artifacts::SweepDir directory(scratch.path());
  const artifacts::SweepManifest sweep = SweepOfTwo(scratch.path().string());
  ASSERT_TRUE(artifacts::WriteSweep(directory, sweep).ok());
  const auto missing = ReadPlanOfJob(directory, 2);
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error().message(), testing::EndsWith(": has no job 2"));
  ASSERT_TRUE(os::WriteFile(directory.manifest(), R"({"jobs": [{"num)").ok());
  const auto damaged = ReadPlanOfJob(directory, 0);
  ASSERT_FALSE(damaged.ok());
  EXPECT_THAT(damaged.error().message(), testing::EndsWith("sweep.json: is not JSON"));
}

}  // namespace
}  // namespace ridgeline::app
