#include "hostile/hostile.h"

#include <sys/wait.h>

#include <csignal>

#include "artifacts/run_state.h"
#include "os/testing/eventually.h"

namespace ridgeline::hostile {

namespace fs = std::filesystem;
using artifacts::State;

run::ProgramEnd Hostile::End(pid_t program) {
  const bool is_over = os::Eventually([program] {
    siginfo_t info = {};
    const int failed =
        ::waitid(P_PID, static_cast<id_t>(program), &info, WEXITED | WNOHANG | WNOWAIT);
    return failed != 0 || info.si_pid == program;
  });
  if (!is_over) {
    ADD_FAILURE() << "hung";
    Count(Harm::kHung);
    ::kill(program, SIGKILL);
  }
  return Wait(program);
}

void Hostile::CountLeaks() {
  if (os::Eventually([&] { return Descendants().empty(); })) return;
  ADD_FAILURE() << "processes that live on";
  Count(Harm::kLeaked);
  for (const pid_t pid : Descendants()) ::kill(pid, SIGKILL);
}

void Hostile::CheckRun(const fs::path& run) {
  if (!fs::exists(run / "manifest.json")) return;
  const Result<artifacts::Manifest> manifest =
      artifacts::ReadManifestOf(artifacts::RunDir(run));
  if (!manifest.ok()) {
    ADD_FAILURE() << manifest.error().message();
    Count(Harm::kLost);
    return;
  }
  if (manifest.value().state == State::kRunning) {
    ADD_FAILURE() << run << ": running, but nothing runs";
    Count(Harm::kLied);
  }
  if (manifest.value().state == State::kDone) return;
  const run::ProgramEnd end = End(Start({"run", "--resume", run.string()}));
  if (end.exit_code != 0) {
    ADD_FAILURE() << run << "\n" << end.err;
    Count(Harm::kLost);
  }
  for (const auto& entry : fs::directory_iterator(run)) {
    if (!entry.path().filename().string().starts_with(".manifest.json.")) continue;
    ADD_FAILURE() << entry.path();
    Count(Harm::kLeaked);
  }
}

std::vector<std::string> Hostile::Arguments(const std::string& where) {
  MakeScript("work",
             "setsid sh -c 'trap \"\" TERM HUP; sleep 1000' &\n"
             "for i in 1 2 3 4; do sleep 0.05; done\nkill -9 $!\necho worked\n");
  std::vector<std::string> arguments = Direct({"./work"});
  arguments.push_back(where);
  return arguments;
}

int Random(std::mt19937& random, int most) {
  return std::uniform_int_distribution<int>(0, most)(random);
}

}  // namespace ridgeline::hostile
