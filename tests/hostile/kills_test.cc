// Runs, sweeps and the processes that watch over them, killed at random moments: nothing
// lives on, no file is half, no manifest lies, and everything can be resumed.
#include <unistd.h>

#include <csignal>

#include "hostile/hostile.h"
#include "os/testing/eventually.h"

namespace ridgeline::hostile {
namespace {

class Kills : public Hostile {
 protected:
  // The processes with this name that we started, however far removed.
  std::vector<pid_t> Named(const std::string& name) const {
    std::vector<pid_t> found;
    for (const pid_t pid : Descendants()) {
      if (ReadFile("/proc/" + std::to_string(pid) + "/comm") == name + "\n") {
        found.push_back(pid);
      }
    }
    return found;
  }
  void KillWithin(pid_t program, int most_us) {
    ::usleep(static_cast<useconds_t>(Random(random_, most_us)));
    ::kill(program, SIGKILL);
    End(program);
    CountLeaks();
  }

  std::mt19937 random_{1};
};

TEST_F(Kills, OfARun) {
  for (int round = 0; round < Rounds(); ++round) {
    const Trial trial;
    const std::string out = "run" + std::to_string(round);
    KillWithin(Start(Arguments("hydra.run.dir=" + out)), 900'000);
    CheckRun(directory() / out);
  }
}

TEST_F(Kills, OfASweep) {
  for (int round = 0; round < Rounds(); ++round) {
    const Trial trial;
    const std::string out = "sweep" + std::to_string(round);
    std::vector<std::string> arguments = Arguments("hydra.sweep.dir=" + out);
    arguments.insert(arguments.begin() + 1, "-m");
    arguments.insert(arguments.end(), {"run.repeats=1,2,3", "hydra/launcher=local",
                                       "hydra.launcher.n_jobs=3"});
    KillWithin(Start(arguments), 1'500'000);
    for (const char* job : {"0", "1", "2"}) CheckRun(directory() / out / job);
  }
}

// Either of them can go alone.
TEST_F(Kills, OfAKeeperOrItsWarden) {
  for (int round = 0; round < Rounds(); ++round) {
    for (const std::string name : {"ridgeline-keep", "ridgeline-ward"}) {
      const Trial trial;
      const std::string out = name + std::to_string(round);
      const pid_t program = Start(Arguments("hydra.run.dir=" + out));
      os::Eventually([&] { return !Named(name).empty(); });
      ::usleep(static_cast<useconds_t>(Random(random_, 150'000)));
      for (const pid_t pid : Named(name)) ::kill(pid, SIGKILL);
      End(program);
      CountLeaks();
      CheckRun(directory() / out);
    }
  }
}

}  // namespace
}  // namespace ridgeline::hostile
