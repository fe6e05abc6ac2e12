#include "bench/start_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ridgeline::bench {
namespace {

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// The exit code, -1 if there is none.
int RunSilently(std::vector<std::string> argv, std::vector<std::string> environment) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawn(&child, argv[0].c_str(), &actions, nullptr,
                                 Pointers(argv).data(), Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

}  // namespace

void StartProgram(benchmark::State& state, const std::vector<std::string>& arguments,
                  const std::vector<std::string>& environment) {
  std::vector<std::string> argv = {RIDGELINE_PROGRAM};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  for (auto _ : state) {
    if (RunSilently(argv, environment) != 0) {
      state.SkipWithError("the program failed");
      break;
    }
  }
}

}  // namespace ridgeline::bench
