// nsys_cases DIR [PART_OF_A_NAME]: imports the files of nsys that DIR/reference/ has
// answers for (nsys_sqlite.json, nsys_kernel_summary_csv.json) and compares every field.
#include <filesystem>
#include <string>

#include "app/import/import_json.h"
#include "app/import/nsys_file.h"
#include "tests/nsys/as_reference.h"
#include "tests/reference/cases.h"

namespace {

namespace fs = std::filesystem;
using namespace ridgeline::reference;
using ridgeline::nsys_cases::ExportAsReference;
using ridgeline::nsys_cases::SummaryAsReference;

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

void CheckAll(const fs::path& folder, Tally& tally) {
  const Json exports = Answers(folder, "nsys_sqlite.json");
  for (const auto& [name, want] : exports.items()) {
    if (!tally.Wants(name)) continue;
    const std::string file = want.at("file");
    tally.Add(file, CheckExport(folder / "nsys_sqlite" / file, want));
  }
  const Json summaries = Answers(folder, "nsys_kernel_summary_csv.json");
  for (const auto& [name, want] : summaries.items()) {
    if (tally.Wants(name)) tally.Add(name, CheckSummary(folder / name, want));
  }
}

}  // namespace

// A folder that changes under our hands may end the program.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  return Main(argc, argv, {"nsys_cases", "reference/ and nsys_sqlite/", CheckAll});
}
