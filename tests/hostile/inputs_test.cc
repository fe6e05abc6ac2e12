// Seeds of the fuzz targets of all importers, mutated, given to the whole program: it
// reads them or says why not, and never dies or hangs.
#include <fstream>

#include "hostile/hostile.h"

namespace ridgeline::hostile {
namespace {

namespace fs = std::filesystem;

std::string Mutated(std::string bytes, std::mt19937& random) {
  const int last = static_cast<int>(bytes.size());
  switch (Random(random, 3)) {
    case 0:
      return bytes.substr(0, static_cast<size_t>(Random(random, last)));
    case 1:
      return bytes.insert(static_cast<size_t>(Random(random, last)),
                          static_cast<size_t>(Random(random, 64)),
                          static_cast<char>(Random(random, 255)));
    case 2:
      return bytes + bytes;
    default:
      break;
  }
  for (int i = Random(random, 20); i >= 0 && last > 0; --i) {
    bytes[static_cast<size_t>(Random(random, last - 1))] =
        static_cast<char>(Random(random, 255));
  }
  return bytes;
}

class Inputs : public Hostile {};

TEST_F(Inputs, AreReadOrRefused) {
  std::mt19937 random(1);
  for (const char* target : {"ncu_csv_fuzz", "ncu_report_fuzz", "nsys_csv_fuzz",
                             "nsys_sqlite_fuzz", "torch_trace_fuzz", "profile_fuzz"}) {
    const fs::path seeds = fs::path(RIDGELINE_TESTS_DIR) / "fuzz/corpus" / target;
    for (const auto& seed : fs::directory_iterator(seeds)) {
      const std::string bytes = ReadFile(seed.path());
      for (int round = 0; round < Rounds(); ++round) {
        const Trial trial;
        WriteFile(directory() / "input", Mutated(bytes, random));
        const run::ProgramEnd end = End(Start({"import", "input"}));
        const bool is_silent = end.exit_code == 0 ? end.out.empty() : end.err.empty();
        if (end.exit_code <= 2 && !is_silent) continue;
        ADD_FAILURE() << seed.path() << ": exit code " << end.exit_code << end.err;
        Count(end.exit_code <= 2 ? Harm::kLied : Harm::kLost);
      }
    }
  }
}

}  // namespace
}  // namespace ridgeline::hostile
