// nsys_cases DIR [PART_OF_A_NAME]: imports the files of nsys that DIR/reference/ has
// answers for (nsys_sqlite.json, nsys_kernel_summary_csv.json) and compares every field.
#include <filesystem>
#include <string>

#include "tests/nsys/as_reference.h"
#include "tests/reference/cases.h"
#include "tests/reference/imported.h"

namespace {

namespace fs = std::filesystem;
using namespace ridgeline::reference;
using ridgeline::analysis::AnalyzedExport;
using ridgeline::analysis::AnalyzedSummary;
using ridgeline::nsys_cases::ExportAsReference;
using ridgeline::nsys_cases::SummaryAsReference;

// What is found in a file, in the form of its answers.
template <typename Kind>
Comparison Check(const fs::path& path, Json (*as_reference)(const Kind&),
                 const Json& want) {
  const auto analyzed = Imported<Kind>(path);
  if (!analyzed.ok()) return {.wrong = {analyzed.error().message()}};
  return Compare(as_reference(analyzed.value()), want);
}

void CheckAll(const fs::path& folder, Tally& tally) {
  const Json exports = Answers(folder, "nsys_sqlite.json");
  for (const auto& [name, want] : exports.items()) {
    if (!tally.Wants(name)) continue;
    const std::string file = want.at("file");
    tally.Add(file, Check<AnalyzedExport>(folder / "nsys_sqlite" / file,
                                          ExportAsReference, want));
  }
  const Json summaries = Answers(folder, "nsys_kernel_summary_csv.json");
  for (const auto& [name, want] : summaries.items()) {
    if (tally.Wants(name))
      tally.Add(name, Check<AnalyzedSummary>(folder / name, SummaryAsReference, want));
  }
}

}  // namespace

// A folder that changes under our hands may end the program.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  return Main(argc, argv, {"nsys_cases", "reference/ and nsys_sqlite/", CheckAll});
}
