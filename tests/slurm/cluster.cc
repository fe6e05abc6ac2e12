#include "slurm/cluster.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "os/command.h"
#include "os/files.h"
#include "os/process_runner.h"
#include "os/testing/eventually.h"

namespace ridgeline::slurm {

// Below the ports that the kernel gives to connections, and not those of other processes
// of tests: a daemon that cannot have its port never becomes a node.
std::string FreePort() {
  constexpr int kFirst = 10'000;
  constexpr int kCount = 20'000;
  static int next = static_cast<int>(::getpid()) * 16;
  for (int tried = 0; tried < kCount; ++tried) {
    const int port = kFirst + next++ % kCount;
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    address.sin_port = htons(static_cast<uint16_t>(port));
    const bool is_free =
        ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(fd);
    if (is_free) return std::to_string(port);
  }
  return "0";
}

std::string WhyNoSlurm() {
  if (::geteuid() != 0) return "Slurm is not tested: its daemons need root";
  for (const char* program :
       {"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "unshare"}) {
    if (os::FindProgram(std::string(program)).ok()) continue;
    return std::string("Slurm is not tested: no ") + program +
           " (scripts/setup.sh slurm installs it)";
  }
  return "";
}

std::string Cluster::Start(const Settings& settings) {
  Result<os::ScratchDirectory> scratch = os::ScratchDirectory::Make("rl-slurm");
  if (!scratch.ok()) return scratch.error().message();
  scratch_.emplace(std::move(scratch).value());
  os::Command command;
  command.argv = {std::string(RIDGELINE_TESTS_DIR) + "/slurm/cluster.sh",
                  directory().string(),
                  FreePort(),
                  FreePort(),
                  FreePort(),
                  FreePort()};
  command.environment = {
      {"RIDGELINE_SLURMD_TIMEOUT", std::to_string(settings.slurmd_timeout_s)},
      {"RIDGELINE_MAX_ARRAY_SIZE", std::to_string(settings.max_array_size)},
      {"RIDGELINE_PREEMPT_MODE", settings.preempt_mode},
      {"RIDGELINE_LIMIT_MEMORY", settings.limits_memory ? "1" : ""}};
  // Its keeper ends the daemons and all jobs, also when this program is killed.
  processes_ = std::thread([command, log = directory() / "cluster.log"] {
    os::ProcessOptions options;
    options.log_file = log;
    const auto ended = os::SystemProcessRunner().Run(command, options);
    static_cast<void>(ended.ok());
  });
  const bool is_up = os::Eventually([this] {
    return os::Exists(configuration()) &&
           Ask("sinfo -h -t idle -o %D").find_first_of("123456789") !=
               std::string::npos &&
           Ask("sinfo -h -N -p cpu,apart -t idle -o %N") == "n1\nn2\nn3\n";
  });
  return is_up ? "" : "Slurm does not start:\n" + Ask("sinfo 2>&1");
}

Cluster::~Cluster() {
  if (!processes_.joinable()) return;
  std::ofstream(directory() / "stop").put('\n');
  processes_.join();
  // What slurmd leaves; another cluster may still use it.
  Ask("cd /sys/fs/cgroup/memory && rmdir slurm_n?/uid_0 slurm_n? 2>/dev/null");
}

void Cluster::Kill(const std::string& daemon) const {
  std::ifstream file(directory() / (daemon + ".pid"));
  pid_t pid = 0;
  if (file >> pid) ::kill(pid, SIGKILL);
}

void Cluster::StartAgain(const std::string& daemon) const {
  std::ofstream(directory() / ("start-" + daemon)).put('\n');
}

std::string Cluster::Ask(const std::string& command) const {
  os::Command shell;
  shell.argv = {"sh", "-c", command};
  shell.environment = {{"SLURM_CONF", configuration().string()}, {"LC_ALL", "C"}};
  const auto ran = os::SystemProcessRunner().Run(shell, {});
  return ran.ok() ? ran.value().output : ran.error().message();
}

}  // namespace ridgeline::slurm
