// ncu_cases DIR [PART_OF_A_NAME]: imports the files of ncu that DIR/reference/ncu.json
// has answers for and compares every field; files of other locales have to hold what
// their twins of the locale C hold, and reports what their pages hold. Ends with 1 if
// anything differs, with 2 if there is nothing to compare.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <string>

#include "app/import/ncu_file.h"
#include "app/import/ncu_json.h"
#include "tests/ncu/as_reference.h"
#include "tests/ncu/report_files.h"
#include "tests/ncu/rtx5090.h"
#include "tests/reference/compare.h"

namespace {

namespace fs = std::filesystem;
using ridgeline::ncu_cases::CheckReports;
using ridgeline::ncu_cases::CheckRtx5090;
using ridgeline::ncu_cases::Comparable;
using ridgeline::ncu_cases::FileAsReference;
using ridgeline::ncu_cases::Json;
using ridgeline::reference::Compare;
using ridgeline::reference::Comparison;

constexpr size_t kAll = std::numeric_limits<size_t>::max();

// As text and back, as whoever reads the program's output.
Json Printed(const nlohmann::ordered_json& json) { return Json::parse(json.dump()); }

Comparison CheckFile(const fs::path& path, Json want) {
  const auto imported = ridgeline::app::ImportNcu(path);
  if (!imported.ok()) return {.wrong = {imported.error().message()}};
  double duration_ns = 0;
  for (Json& kernel : want.at("kernels")) {
    kernel = Comparable(kernel);
    if (kernel.at("duration_ns").is_number()) {
      duration_ns += kernel.at("duration_ns").get<double>();
    }
  }
  if (want.at("total_duration_ns").is_null()) want["total_duration_ns"] = duration_ns;
  return Compare(
      FileAsReference(Printed(ridgeline::app::NcuToJson(imported.value(), kAll))), want);
}

struct Count {
  int cases = 0;
  int equal = 0;
  int checks = 0;
};

void Add(const std::string& name, const Comparison& comparison, Count& count) {
  constexpr size_t kShown = 12;
  const bool is_equal = comparison.wrong.empty();
  ++count.cases;
  count.equal += is_equal ? 1 : 0;
  count.checks += comparison.checks;
  std::cout << (is_equal ? "equal   " : "DIFFERS ") << name << " (" << comparison.checks
            << " values)\n";
  for (size_t i = 0; i < comparison.wrong.size() && i < kShown; ++i) {
    std::cout << "    " << comparison.wrong[i] << '\n';
  }
}

// A kernel's duration may be nan in the file, and is NaN in the answers, which JSON does
// not have; here it is null.
Json Answers(const fs::path& folder, const char* name) {
  std::ifstream file(folder / "reference" / name);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  for (size_t at = text.find(": NaN"); at != text.npos; at = text.find(": NaN", at)) {
    text.replace(at, 5, ": null");
  }
  Json json = Json::parse(text, nullptr, false);
  return json.is_object() ? json : Json::object();
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

void CheckFolder(const fs::path& folder, const Json& files, const std::string& part,
                 Count& count) {
  for (const auto& [name, want] : files.items()) {
    const std::string label = folder.filename().string() + "/" + name;
    if (label.find(part) == std::string::npos) continue;
    Add(label, CheckFile(folder / name, want), count);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    const Json* const twin = AnswersOfTwin(files, name);
    if (twin == nullptr || name.find(part) == std::string::npos) continue;
    Add(folder.filename().string() + "/" + name, CheckFile(entry.path(), *twin), count);
  }
}

int CheckAll(const fs::path& folder, const std::string& part) {
  Count count;
  const Json answers = Answers(folder, "ncu.json");
  for (const auto& [name, files] : answers.items()) {
    CheckFolder(folder / "ncu_csv" / name, files, part, count);
  }
  for (const auto& [name, comparison] : CheckReports(folder)) {
    if (name.find(part) != std::string::npos) Add(name, comparison, count);
  }
  const Json rtx5090 = Answers(folder, "anchor_ncu-v2.json");
  if (!rtx5090.empty()) {
    for (const auto& [name, comparison] :
         CheckRtx5090(folder / "anchor_rtx5090" / "ncu-v2", rtx5090,
                      fs::path(RIDGELINE_GOLDEN_DIR) / "rtx5090")) {
      if (name.find(part) != std::string::npos) Add(name, comparison, count);
    }
  }
  std::cout << count.equal << " of " << count.cases << " cases equal, " << count.checks
            << " values\n";
  if (count.cases == 0) return 2;
  return count.equal == count.cases ? 0 : 1;
}

}  // namespace

// A folder that changes under our hands may end the program.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  if (argc < 2 || argc > 3 || !fs::exists(fs::path(argv[1]) / "reference")) {
    std::cerr << "usage: ncu_cases DIR [PART_OF_A_NAME], where DIR has reference/ and "
                 "ncu_csv/\n";
    return 2;
  }
  return CheckAll(argv[1], argc > 2 ? argv[2] : "");
}
