// Runs a fuzz target over files and over the files of directories: the seeds, and the
// inputs that once crashed it. Not being killed is passing.
//
//   fuzz_replay <target> tests/fuzz/corpus/<target> tests/fuzz/crashes/<target>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "tests/fuzz/fuzz.h"

namespace {

namespace fs = std::filesystem;
using ridgeline::fuzz::Target;

std::map<std::string, Target, std::less<>>& Targets() {
  static std::map<std::string, Target, std::less<>> targets;
  return targets;
}

std::set<fs::path> Inputs(int argc, char** argv) {
  std::set<fs::path> inputs;
  for (int i = 2; i < argc; ++i) {
    if (fs::is_regular_file(argv[i])) inputs.insert(argv[i]);
    if (!fs::is_directory(argv[i])) continue;  // Most targets have no crashes.
    for (const auto& entry : fs::directory_iterator(argv[i])) inputs.insert(entry.path());
  }
  return inputs;
}

void Replay(Target target, const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  const std::string bytes = text.str();
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libFuzzer's bytes.
  target(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

bool ridgeline::fuzz::AddTarget(std::string_view name, Target run) {
  return Targets().emplace(name, run).second;
}

// A file system that fails under our hands may end the program.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  const auto target = Targets().find(argc > 1 ? argv[1] : "");
  if (target == Targets().end()) {
    std::cerr << "no such fuzz target\n";
    return 1;
  }
  const std::set<fs::path> inputs = Inputs(argc, argv);
  for (const fs::path& input : inputs) {
    std::cout << input.string() << std::endl;  // Flushed: the last one is the culprit.
    Replay(target->second, input);
  }
  if (inputs.empty()) std::cerr << "no inputs to replay\n";
  return inputs.empty() ? 1 : 0;
}
