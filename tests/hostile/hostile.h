// A playground that counts what went wrong.
#pragma once

#include <random>

#include "hostile/counters.h"
#include "run/playground.h"

namespace ridgeline::hostile {

class Hostile : public run::Playground {
 protected:
  // Waits a minute at most; a program that is not over then is killed.
  run::ProgramEnd End(pid_t program);

  // Counts descendants that do not go away, and ends them.
  void CountLeaks();

  // A manifest that is there is whole and tells the truth, now that nothing runs any
  // more. What is not done can be resumed.
  void CheckRun(const std::filesystem::path& run);

  // A run of a script that leaves a child in a session of its own, which ignores SIGTERM.
  std::vector<std::string> Arguments(const std::string& where);
};

int Random(std::mt19937& random, int most);  // 0 to `most`.

}  // namespace ridgeline::hostile
