#include "tests/reference/cases.h"

#include <fstream>
#include <iostream>
#include <iterator>

namespace ridgeline::reference {

namespace fs = std::filesystem;

Json Answers(const fs::path& folder, const std::string& name) {
  std::ifstream file(folder / "reference" / name);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  for (size_t at = text.find(": NaN"); at != text.npos; at = text.find(": NaN", at)) {
    text.replace(at, 5, ": null");
  }
  Json json = Json::parse(text, nullptr, false);
  return json.is_object() ? json : Json::object();
}

void Tally::Add(const std::string& name, const Comparison& comparison) {
  constexpr size_t kShown = 12;
  const bool is_equal = comparison.wrong.empty();
  ++cases_;
  equal_ += is_equal ? 1 : 0;
  checks_ += comparison.checks;
  std::cout << (is_equal ? "equal   " : "DIFFERS ") << name << " (" << comparison.checks
            << " values)\n";
  for (size_t i = 0; i < comparison.wrong.size() && i < kShown; ++i) {
    std::cout << "    " << comparison.wrong[i] << '\n';
  }
}

int Tally::End() const {
  std::cout << equal_ << " of " << cases_ << " cases equal, " << checks_ << " values\n";
  if (cases_ == 0) return 2;
  return equal_ == cases_ ? 0 : 1;
}

int Main(int argc, char** argv, const Program& program) {
  if (argc < 2 || argc > 3 || !fs::exists(fs::path(argv[1]) / "reference")) {
    std::cerr << "usage: " << program.name << " DIR [PART_OF_A_NAME], where DIR has "
              << program.needs << '\n';
    return 2;
  }
  Tally tally(argc > 2 ? argv[2] : "");
  program.check(argv[1], tally);
  return tally.End();
}

}  // namespace ridgeline::reference
