// A sweep on a cluster of its own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "artifacts/sweep_manifest.h"
#include "run/playground.h"
#include "slurm/cluster.h"

namespace ridgeline::slurm {

class SlurmSweep : public run::Playground {
 protected:
  // Skips the test with one line where Slurm cannot run.
  void SetUp() override;

  // `ridgeline run -m` of this command, in `sweep`, submitted to Slurm.
  std::vector<std::string> Arguments(const std::vector<std::string>& command,
                                     const std::vector<std::string>& more);

  artifacts::SweepManifest Read(const std::string& sweep = "sweep");
  std::filesystem::path Path(const std::string& below) { return directory() / below; }

  // Sweep of the workload `./work`, which notes each of its starts, and is to end once a
  // job: "starts" must have every number once.
  std::map<std::string, int> Starts();

  // Nothing of the sweep is in Slurm any more.
  void ExpectEmptyQueue();

  Cluster cluster_;
  Cluster::Settings settings_;
};

std::string Text(artifacts::State state);

}  // namespace ridgeline::slurm
