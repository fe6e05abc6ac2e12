// nsys_cases DIR [PART_OF_A_NAME]: imports the files of nsys that DIR/reference/ has
// answers for (nsys_sqlite.json, nsys_kernel_summary_csv.json) and compares every field.
// Ends with 1 if anything differs, with 2 if there is nothing to compare.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "app/import/nsys_file.h"
#include "app/import/nsys_json.h"
#include "tests/nsys/as_reference.h"
#include "tests/reference/compare.h"

namespace {

namespace fs = std::filesystem;
using namespace ridgeline::nsys_cases;
using ridgeline::reference::Compare;
using ridgeline::reference::Comparison;

// As text and back, as whoever reads the program's output.
Json Printed(const Json& json) { return Json::parse(json.dump()); }

Comparison CheckExport(const fs::path& path, const Json& want) {
  const auto imported = ridgeline::app::ImportExport(path);
  if (!imported.ok()) return {.wrong = {imported.error().message()}};
  const Json json = Printed(ridgeline::app::ExportToJson(imported.value(), 10));
  return Compare(ExportAsReference(json), want);
}

Comparison CheckSummary(const fs::path& path, const Json& want) {
  const auto imported = ridgeline::app::ImportSummary(path);
  if (!imported.ok()) return {.wrong = {imported.error().message()}};
  const Json json = Printed(ridgeline::app::SummaryToJson(imported.value(), 10));
  return Compare(SummaryAsReference(json), want);
}

struct Count {
  int cases = 0;
  int equal = 0;
  int checks = 0;
};

void Add(const std::string& name, const Comparison& comparison, Count& count) {
  const bool is_equal = comparison.wrong.empty();
  ++count.cases;
  count.equal += is_equal ? 1 : 0;
  count.checks += comparison.checks;
  std::cout << (is_equal ? "equal   " : "DIFFERS ") << name << " (" << comparison.checks
            << " values)\n";
  for (const std::string& line : comparison.wrong) std::cout << "    " << line << '\n';
}

Json Answers(const fs::path& folder, const char* name) {
  std::ifstream file(folder / "reference" / name);
  Json json = Json::parse(file, nullptr, false);
  return json.is_object() ? json : Json::object();
}

int CheckAll(const fs::path& folder, const std::string& part) {
  Count count;
  const Json exports = Answers(folder, "nsys_sqlite.json");
  for (const auto& [name, want] : exports.items()) {
    if (name.find(part) == std::string::npos) continue;
    const std::string file = want.at("file");
    Add(file, CheckExport(folder / "nsys_sqlite" / file, want), count);
  }
  const Json summaries = Answers(folder, "nsys_kernel_summary_csv.json");
  for (const auto& [name, want] : summaries.items()) {
    if (name.find(part) == std::string::npos) continue;
    Add(name, CheckSummary(folder / name, want), count);
  }
  std::cout << count.equal << " of " << count.cases << " files equal, " << count.checks
            << " values\n";
  if (count.cases == 0) return 2;
  return count.equal == count.cases ? 0 : 1;
}

}  // namespace

// A folder that changes under our hands may end the program.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  if (argc < 2 || argc > 3 || !fs::exists(fs::path(argv[1]) / "reference")) {
    std::cerr << "usage: nsys_cases DIR [PART_OF_A_NAME], where DIR has reference/ and "
                 "nsys_sqlite/\n";
    return 2;
  }
  return CheckAll(argv[1], argc > 2 ? argv[2] : "");
}
