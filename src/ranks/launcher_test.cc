#include "ranks/launcher.h"

#include <gtest/gtest.h>

namespace ridgeline::ranks {
namespace {

RankOptions Options(Launcher launcher, std::vector<std::string> args = {}) {
  RankOptions options;
  options.count = 4;
  options.launcher = launcher;
  options.args = std::move(args);
  return options;
}

TEST(LauncherTest, StartsTheWrapperOncePerRank) {
  RankOptions two_nodes = Options(Launcher::kSrun, {"--cpu-bind=cores"});
  two_nodes.nodes = 2;
  RankOptions own_python = Options(Launcher::kTorchrun, {"--rdzv_backend=c10d"});
  own_python.python = "/opt/python";
  const struct {
    RankOptions options;
    const char* line;
  } cases[] = {
      {Options(Launcher::kLocal), "/bin/ridgeline rank-exec --all /p.json"},
      {Options(Launcher::kTorchrun),
       "python3 -m torch.distributed.run --nproc_per_node=4 --no_python --standalone "
       "/bin/ridgeline rank-exec /p.json"},
      {own_python,
       "/opt/python -m torch.distributed.run --nproc_per_node=4 --no_python "
       "--rdzv_backend=c10d /bin/ridgeline rank-exec /p.json"},
      {Options(Launcher::kSrun),
       "srun --ntasks=4 --kill-on-bad-exit=1 /bin/ridgeline rank-exec /p.json"},
      {two_nodes,
       "srun --ntasks=4 --kill-on-bad-exit=1 --nodes=2 --cpu-bind=cores /bin/ridgeline "
       "rank-exec /p.json"},
      {Options(Launcher::kMpirun, {"--oversubscribe"}),
       "mpirun -n 4 --oversubscribe /bin/ridgeline rank-exec /p.json"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(LauncherCommand(c.options, "/bin/ridgeline", "/p.json").ToShellString(),
              c.line);
  }
}

TEST(LauncherTest, TellsARankByTheVariablesOfItsLauncherAlone) {
  // Like mpirun in a Slurm batch job: SLURM_PROCID is the script's.
  const std::map<std::string, std::string> environment = {
      {"SLURM_PROCID", "0"},
      {"SLURM_NTASKS", "1"},
      {"OMPI_COMM_WORLD_RANK", "3"},
      {"OMPI_COMM_WORLD_SIZE", "4"},
      {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}};
  const auto mpi = IdentityOf(Launcher::kMpirun, environment);
  ASSERT_TRUE(mpi.ok());
  EXPECT_EQ(mpi.value(), (RankIdentity{3, 1, 4}));
  const auto slurm = IdentityOf(Launcher::kSrun, environment);
  ASSERT_TRUE(slurm.ok());
  EXPECT_EQ(slurm.value(), (RankIdentity{0, std::nullopt, 1}));
  const auto none = IdentityOf(Launcher::kTorchrun, environment);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message(), "no rank in the environment: torchrun sets RANK");
  EXPECT_FALSE(IdentityOf(Launcher::kTorchrun, {{"RANK", "-1"}}).ok());
  EXPECT_FALSE(IdentityOf(Launcher::kTorchrun, {{"RANK", "2x"}}).ok());
}

TEST(LauncherTest, KeepsVariablesThatPlaceARankWithoutSecrets) {
  const auto kept = RankVariables({{"RANK", "1"},
                                   {"NCCL_DEBUG", "INFO"},
                                   {"CUDA_VISIBLE_DEVICES", "2"},
                                   {"NCCL_TOKEN", "abcdefghijkl"},
                                   {"HOME", "/root"}});
  EXPECT_EQ(kept.size(), 4U);
  EXPECT_EQ(kept.at("NCCL_DEBUG"), "INFO");
  EXPECT_EQ(kept.at("NCCL_TOKEN").find("abcdef"), std::string::npos);
  EXPECT_FALSE(kept.contains("HOME"));
}

TEST(LauncherTest, NamesFilesByRank) {
  EXPECT_EQ(RankFile("workload.log", 3), "workload.rank3.log");
  EXPECT_EQ(RankFile("workload.2.log", 3), "workload.2.rank3.log");
  EXPECT_TRUE(IsOfRank("nsys/run.rank3.node1.sqlite", 3));
  EXPECT_TRUE(IsOfRank("torch_profiler/python/rank3/process-7.jsonl", 3));
  EXPECT_TRUE(IsOfRank("nsys/ranks/rank3.json", 3));
  EXPECT_FALSE(IsOfRank("nsys/run.rank30.node1.sqlite", 3));
  EXPECT_FALSE(IsOfRank("nsys/run.crank3.sqlite", 3));
}

}  // namespace
}  // namespace ridgeline::ranks
