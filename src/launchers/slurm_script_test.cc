#include "launchers/slurm_script.h"

#include <gmock/gmock.h>

namespace ridgeline::launchers {
namespace {

using testing::HasSubstr;
using testing::Not;

const ScriptPlaces kPlaces = {.sweep = "/data/my sweep",
                              .program = "/opt/ridgeline/bin/ridgeline",
                              .folder = "/data/my sweep/.submitit",
                              .working_directory = "/home/me"};

SlurmOptions Named() {
  SlurmOptions options;
  options.name = "run";
  return options;
}

TEST(SlurmScriptTest, HasTheDefaultsOfSubmitit) {
  EXPECT_EQ(JobScript(Named(), kPlaces), R"sh(#!/bin/bash
# The jobs of a sweep. Do not edit: `ridgeline sweep resume` checks it.
#SBATCH --job-name=run
#SBATCH --output='/data/my sweep/.submitit/%A_%a_0_log.out'
#SBATCH --error='/data/my sweep/.submitit/%A_%a_0_log.err'
#SBATCH --open-mode=append
#SBATCH --chdir=/home/me
#SBATCH --time=60
#SBATCH --signal=B:USR2@120
#SBATCH --requeue
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
# $1: number of the submission, $2: job of array index 0
if [ ! -r '/data/my sweep/sweep.json' ]; then
  echo "ridgeline: $(hostname):" '/data/my sweep/sweep.json: cannot be read: is the directory shared?' >&2
  exit 66
fi
if [ ! -x /opt/ridgeline/bin/ridgeline ]; then
  echo "ridgeline: $(hostname):" '/opt/ridgeline/bin/ridgeline: cannot be executed: install ridgeline on all nodes' >&2
  exit 69
fi
exec /opt/ridgeline/bin/ridgeline sweep run-job '/data/my sweep' "$1" "$(($2 + SLURM_ARRAY_TASK_ID))"
)sh");
}

TEST(SlurmScriptTest, HasEveryKey) {
  SlurmOptions options = Named();
  options.timeout_min = 30;
  options.cpus_per_task = 2;
  options.gpus_per_node = 3;
  options.tasks_per_node = 4;
  options.mem_gb = 1.5;
  options.nodes = 5;
  options.stderr_to_stdout = true;
  options.partition = "gpu";
  options.qos = "high";
  options.comment = "it's mine";
  options.constraint = "a100|h100";
  options.exclude = "n[1-3]";
  options.gres = "gpu:1";
  options.cpus_per_gpu = 6;
  options.gpus_per_task = 7;
  options.mem_per_gpu = "8G";
  options.mem_per_cpu = "9";
  options.account = "lab";
  options.signal_delay_s = 10;
  options.additional_parameters = {{"mail-type", "END"}, {"exclusive", std::nullopt}};
  options.setup = {"module load cuda", "export A='b c'"};
  options.srun_args = {"--cpu-bind=none", "a b"};
  const std::string script = JobScript(options, kPlaces);
  for (const char* line : {"#SBATCH --time=30\n",
                           "#SBATCH --cpus-per-task=2\n",
                           "#SBATCH --gpus-per-node=3\n",
                           "#SBATCH --ntasks-per-node=4\n",
                           "#SBATCH --mem=1536M\n",
                           "#SBATCH --nodes=5\n",
                           "#SBATCH --partition=gpu\n",
                           "#SBATCH --qos=high\n",
                           "#SBATCH --comment='it'\\''s mine'\n",
                           "#SBATCH --constraint='a100|h100'\n",
                           "#SBATCH --exclude='n[1-3]'\n",
                           "#SBATCH --gres=gpu:1\n",
                           "#SBATCH --cpus-per-gpu=6\n",
                           "#SBATCH --gpus-per-task=7\n",
                           "#SBATCH --mem-per-gpu=8G\n",
                           "#SBATCH --mem-per-cpu=9\n",
                           "#SBATCH --account=lab\n",
                           "#SBATCH --signal=USR2@10\n",
                           "#SBATCH --mail-type=END\n",
                           "#SBATCH --exclusive\n",
                           "\nmodule load cuda\nexport A='b c'\n",
                           "exec srun --nodes=1 --ntasks=1 --cpu-bind=none 'a b' /opt"}) {
    EXPECT_THAT(script, HasSubstr(line));
  }
  EXPECT_THAT(script, Not(HasSubstr("--error")));
}

TEST(SlurmScriptTest, LeavesOutRequeueWhereItIsRefused) {
  SlurmOptions options = Named();
  options.additional_parameters = {{"no-requeue", std::nullopt}};
  EXPECT_THAT(JobScript(options, kPlaces), Not(HasSubstr("--requeue")));
}

TEST(SlurmScriptTest, AsksToStopAfterTheJobHasBegun) {
  struct Case {
    int64_t timeout_min;
    int64_t delay;
    int64_t want;
  };
  for (const Case& c : {Case{60, 120, 120}, Case{1, 120, 55}, Case{2, 120, 115}}) {
    SlurmOptions options;
    options.timeout_min = c.timeout_min;
    options.signal_delay_s = c.delay;
    EXPECT_EQ(SignalDelay(options), c.want);
  }
}

TEST(SlurmScriptTest, TheFolderOfLogsEndsBeforeWhatSlurmReplaces) {
  EXPECT_EQ(FixedFolder("/a/.submitit/%j"), "/a/.submitit");
  EXPECT_EQ(FixedFolder("/a/%j/logs"), "/a");
  EXPECT_EQ(FixedFolder("/a/b"), "/a/b");
}

TEST(SlurmScriptTest, WritesArraysAsRanges) {
  struct Case {
    std::vector<int> jobs;
    int first;
    const char* want;
  };
  const Case cases[] = {{{0}, 0, "0%256"},
                        {{0, 1, 2}, 0, "0-2%256"},
                        {{1, 3, 4, 9}, 0, "1,3-4,9%256"},
                        {{1000, 1001, 1005}, 1000, "0-1,5%256"}};
  for (const Case& c : cases) EXPECT_EQ(ArrayText(c.jobs, c.first, 256), c.want);
}

TEST(SlurmScriptTest, NoArrayIsLargerThanTheControllerAllows) {
  std::vector<int> jobs;
  for (int i = 0; i < 25; ++i) jobs.push_back(i);
  const auto parts = SplitIntoArrays(jobs, 10);
  ASSERT_EQ(parts.size(), 3u);
  size_t count = 0;
  for (const ArrayPart& part : parts) {
    for (const int job : part.jobs) EXPECT_LT(job - part.first_job, 10);
    count += part.jobs.size();
  }
  EXPECT_EQ(count, 25u);
  EXPECT_EQ(SplitIntoArrays({3, 7}, 10), (std::vector<ArrayPart>{{0, {3, 7}}}));
  EXPECT_EQ(SplitIntoArrays({13, 17}, 10), (std::vector<ArrayPart>{{13, {13, 17}}}));
}

TEST(SlurmScriptTest, NamesTheKeyThatSbatchComplainsAbout) {
  EXPECT_EQ(KeyOfMessage("invalid partition specified: nope"), "partition");
  EXPECT_EQ(KeyOfMessage("Invalid qos specification"), "qos");
  EXPECT_EQ(KeyOfMessage("Requested node configuration is not available"),
            "nodes, cpus_per_task, mem_gb or gres");
  EXPECT_EQ(KeyOfMessage("something else"), "");
}

}  // namespace
}  // namespace ridgeline::launchers
