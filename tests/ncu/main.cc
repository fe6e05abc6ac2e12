// ncu_cases DIR [PART_OF_A_NAME]: imports the files of ncu that DIR/reference/ncu.json
// has answers for and compares every field; files of other locales have to hold what
// their twins of the locale C hold, and reports what their pages hold.
#include <filesystem>
#include <string>

#include "tests/ncu/as_reference.h"
#include "tests/ncu/report_files.h"
#include "tests/ncu/rtx5090.h"
#include "tests/reference/cases.h"
#include "tests/reference/imported.h"

namespace {

namespace fs = std::filesystem;
using namespace ridgeline::reference;
using ridgeline::ncu_cases::CheckReports;
using ridgeline::ncu_cases::CheckRtx5090;
using ridgeline::ncu_cases::Comparable;
using ridgeline::ncu_cases::FileAsReference;

Comparison CheckFile(const fs::path& path, Json want) {
  const auto imported = Imported<ridgeline::analysis::AnalyzedNcu>(path);
  if (!imported.ok()) return {.wrong = {imported.error().message()}};
  double duration_ns = 0;
  for (Json& kernel : want.at("kernels")) {
    kernel = Comparable(kernel);
    if (kernel.at("duration_ns").is_number()) {
      duration_ns += kernel.at("duration_ns").get<double>();
    }
  }
  if (want.at("total_duration_ns").is_null()) want["total_duration_ns"] = duration_ns;
  return Compare(FileAsReference(imported.value()), want);
}

// ncu2022_details_de_DE.csv has the answers of ncu2022_details_C.csv.
const Json* AnswersOfTwin(const Json& files, const std::string& name) {
  for (const char* const locale : {"_de_DE.csv", "_en_US.csv", "_fr_FR.csv"}) {
    if (!name.ends_with(locale)) continue;
    const std::string twin = name.substr(0, name.size() - 10) + "_C.csv";
    if (files.contains(twin)) return &files.at(twin);
  }
  return nullptr;
}

void CheckFolder(const fs::path& folder, const Json& files, Tally& tally) {
  for (const auto& [name, want] : files.items()) {
    const std::string label = folder.filename().string() + "/" + name;
    if (tally.Wants(label)) tally.Add(label, CheckFile(folder / name, want));
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    const std::string label = folder.filename().string() + "/" + name;
    const Json* const twin = AnswersOfTwin(files, name);
    if (twin != nullptr && tally.Wants(label)) {
      tally.Add(label, CheckFile(entry.path(), *twin));
    }
  }
}

void CheckAll(const fs::path& folder, Tally& tally) {
  const Json answers = Answers(folder, "ncu.json");
  for (const auto& [name, files] : answers.items()) {
    CheckFolder(folder / "ncu_csv" / name, files, tally);
  }
  for (const auto& [name, comparison] : CheckReports(folder)) {
    if (tally.Wants(name)) tally.Add(name, comparison);
  }
  const Json rtx5090 = Answers(folder, "anchor_ncu-v2.json");
  if (rtx5090.empty()) return;
  for (const auto& [name, comparison] :
       CheckRtx5090(folder / "anchor_rtx5090" / "ncu-v2", rtx5090,
                    fs::path(RIDGELINE_GOLDEN_DIR) / "rtx5090")) {
    if (tally.Wants(name)) tally.Add(name, comparison);
  }
}

}  // namespace

// A folder that changes under our hands may end the program.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  return Main(argc, argv, {"ncu_cases", "reference/ and ncu_csv/", CheckAll});
}
