// torch_trace_cases DIR [PART_OF_A_NAME]: imports the traces that
// DIR/reference/torch.json has answers for, from DIR/torch/, and compares every field.
// Ends with 1 if anything differs, with 2 if there is nothing to compare.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "app/import/import_file.h"
#include "app/import/import_json.h"
#include "tests/reference/compare.h"
#include "tests/torch_trace/as_reference.h"

namespace {

namespace fs = std::filesystem;
using namespace ridgeline::trace_cases;
using ridgeline::reference::Compare;
using ridgeline::reference::Comparison;

Comparison CheckTrace(const fs::path& path, const Json& want) {
  const auto trace = ridgeline::app::ImportTrace(path);
  if (!trace.ok()) return {.wrong = {trace.error().message()}};
  // As text and back, as whoever reads the program's output.
  const Json printed =
      Json::parse(ridgeline::app::ImportToJson(trace.value(), 10).dump());
  return Compare(AsReference(printed), want);
}

int CheckAll(const fs::path& folder, const std::string& part) {
  std::ifstream file(folder / "reference" / "torch.json");
  const Json reference = Json::parse(file, nullptr, false);
  int cases = 0;
  int equal = 0;
  int checks = 0;
  for (const auto& [name, want] : reference.items()) {
    if (name.find(part) == std::string::npos) continue;
    const Comparison comparison = CheckTrace(folder / "torch" / name, want);
    const bool is_equal = comparison.wrong.empty();
    ++cases;
    equal += is_equal ? 1 : 0;
    checks += comparison.checks;
    std::cout << (is_equal ? "equal   " : "DIFFERS ") << name << " (" << comparison.checks
              << " values)\n";
    for (const std::string& line : comparison.wrong) std::cout << "    " << line << '\n';
  }
  std::cout << equal << " of " << cases << " traces equal, " << checks << " values\n";
  if (cases == 0) return 2;
  return equal == cases ? 0 : 1;
}

}  // namespace

// A folder that changes under our hands may end the program.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  if (argc < 2 || argc > 3 || !fs::exists(fs::path(argv[1]) / "reference/torch.json")) {
    std::cerr << "usage: torch_trace_cases DIR [PART_OF_A_NAME], where DIR has "
                 "reference/torch.json and torch/\n";
    return 2;
  }
  return CheckAll(argv[1], argc > 2 ? argv[2] : "");
}
