// A Slurm of two nodes, and one apart, for a test: starts with it and ends with it.
#pragma once

#include <filesystem>
#include <string>
#include <thread>

#include "os/scratch_directory.h"

namespace ridgeline::slurm {

// Why Slurm cannot run here; empty: it can.
std::string WhyNoSlurm();

// A port of this machine that is free now.
std::string FreePort();

class Cluster {
 public:
  struct Settings {
    int slurmd_timeout_s = 300;  // Until a node that does not answer is down.
    int max_array_size = 1001;
    std::string preempt_mode = "CANCEL";  // Or "REQUEUE".
    bool limits_memory = false;           // With memory cgroups, version 1.
  };
  // Empty: the controller and all nodes are ready. Else what is wrong.
  std::string Start(const Settings& settings);
  // Ends every process of it.
  ~Cluster();

  std::filesystem::path configuration() const { return directory() / "slurm.conf"; }
  // A directory that node n3 does not see.
  std::filesystem::path private_directory() const { return directory() / "private"; }

  // `daemon` is slurmctld, n1, n2 or n3.
  void Kill(const std::string& daemon) const;
  void StartAgain(const std::string& daemon) const;

  // Output of a command of Slurm's.
  std::string Ask(const std::string& command) const;

 private:
  std::filesystem::path directory() const { return scratch_->path(); }

  std::optional<os::ScratchDirectory> scratch_;
  std::thread processes_;
};

}  // namespace ridgeline::slurm
