#include "slurm/slurm_sweep.h"

#include <sstream>

#include "os/testing/eventually.h"

namespace ridgeline::slurm {

void SlurmSweep::SetUp() {
  const std::string missing = WhyNoSlurm();
  if (!missing.empty()) GTEST_SKIP() << missing;
  const std::string problem = cluster_.Start(settings_);
  ASSERT_EQ(problem, "");
  AddVariable("SLURM_CONF=" + cluster_.configuration().string());
}

std::vector<std::string> SlurmSweep::Arguments(const std::vector<std::string>& command,
                                               const std::vector<std::string>& more) {
  std::vector<std::string> arguments = Direct(command);
  arguments.insert(arguments.begin() + 1, "--multirun");
  arguments.emplace_back("hydra/launcher=slurm");
  arguments.emplace_back("hydra.sweep.dir=sweep");
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

artifacts::SweepManifest SlurmSweep::Read(const std::string& sweep) {
  Result<artifacts::SweepManifest> read = artifacts::ReadSweep(directory() / sweep);
  EXPECT_TRUE(read.ok()) << read.error().message();
  return read.ok() ? std::move(read).value() : artifacts::SweepManifest();
}

std::map<std::string, int> SlurmSweep::Starts() {
  std::map<std::string, int> starts;
  std::istringstream lines(ReadFile(directory() / "starts"));
  for (std::string line; std::getline(lines, line);) ++starts[line];
  return starts;
}

void SlurmSweep::ExpectEmptyQueue() {
  EXPECT_TRUE(os::Eventually([this] { return cluster_.Ask("squeue -h").empty(); }))
      << cluster_.Ask("squeue");
}

std::string Text(artifacts::State state) { return std::string(ToText(state)); }

}  // namespace ridgeline::slurm
