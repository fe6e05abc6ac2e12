// hydra_cases compose|overrides|sweep FILE.jsonl
//
// Runs the cases of a parity corpus and prints for each line what happened here:
//   {"id": "ov-0001", "expect": {"ok": true, ...}}
// so that the output can be compared with the corpus line by line.
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "parity/compose_cases.h"
#include "parity/override_cases.h"
#include "parity/sweep_cases.h"

namespace {

using Json = nlohmann::ordered_json;

struct Corpus {
  std::string_view name;
  Json (*observe)(const Json& test_case);
};

constexpr Corpus kCorpora[] = {
    {"compose", ridgeline::parity::ObserveCompose},
    {"overrides", ridgeline::parity::ObserveOverride},
    {"sweep", ridgeline::parity::ObserveSweep},
};

int PrintObserved(const Corpus& corpus, const char* path) {
  std::ifstream file(path);
  if (!file) {
    std::cerr << "hydra_cases: cannot read " << path << "\n";
    return 1;
  }
  for (std::string line; std::getline(file, line);) {
    const Json test_case = Json::parse(line);
    const Json shown = {{"id", test_case.at("id")},
                        {"expect", corpus.observe(test_case)}};
    // Text that is not UTF-8 must not stop the others.
    std::cout << shown.dump(-1, ' ', true, Json::error_handler_t::replace) << "\n";
  }
  return 0;
}

}  // namespace

// A corpus that is not JSON may end the program.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  if (argc == 3) {
    for (const Corpus& corpus : kCorpora) {
      if (corpus.name == argv[1]) return PrintObserved(corpus, argv[2]);
    }
  }
  std::cerr << "usage: hydra_cases compose|overrides|sweep FILE.jsonl\n";
  return 2;
}
