// deepseek_ocr_cases DIR [PART_OF_A_NAME]: compares the built-in DeepSeek-OCR with
// everything that a folder in the layout of the golden data has recorded, and prints per
// case what differs, and by how much. With a second argument only cases whose name holds
// it. Ends with 1 if anything differs, with 2 if there is nothing to compare.
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "inference/device.h"
#include "tests/deepseek_ocr/page_cases.h"
#include "tests/deepseek_ocr/part_cases.h"
#include "tests/deepseek_ocr/unit_cases.h"

namespace {

namespace fs = std::filesystem;
using namespace ridgeline::ocr_cases;
using ridgeline::Result;
using ridgeline::Status;

class Report {
 public:
  explicit Report(std::string part) : part_(std::move(part)) {}

  bool Wants(const std::string& name) const {
    return name.find(part_) != std::string::npos;
  }

  void Add(const std::string& name, const Findings& findings) {
    const bool is_equal = findings.wrong().empty();
    ++cases_;
    equal_ += is_equal ? 1 : 0;
    checks_ += findings.checks();
    largest_ = std::max(largest_, findings.largest());
    std::cout << fmt::format("{} {} ({} checks, largest difference {:.2g})\n",
                             is_equal ? "equal  " : "DIFFERS", name, findings.checks(),
                             findings.largest());
    for (const std::string& line : findings.wrong()) std::cout << "    " << line << '\n';
    std::cout << std::flush;
  }

  int End() const {
    std::cout << fmt::format(
        "{} of {} cases equal, {} checks, largest difference {:.2g}\n", equal_, cases_,
        checks_, largest_);
    if (cases_ == 0) return 2;
    return equal_ == cases_ ? 0 : 1;
  }

 private:
  std::string part_;
  int cases_ = 0;
  int equal_ = 0;
  int checks_ = 0;
  double largest_ = 0;
};

using CheckEntry = Findings (*)(const fs::path&, const Model&, const Tensors&,
                                const Json&);

// All entries of golden/<name>.json with golden/<name>.safetensors.
Status RunPages(const fs::path& folder, const fs::path& checkpoint,
                const std::string& name, CheckEntry check, Report& report) {
  const auto file = ReadJson(folder / "golden" / (name + ".json"));
  if (!file || checkpoint.empty()) return ridgeline::Ok();
  RIDGELINE_TRY(const Tensors recorded,
                Tensors::Open(folder / "golden" / (name + ".safetensors")));
  RIDGELINE_TRY(const Model model, Model::Load(checkpoint));
  for (const Json& entry : file->at("cases")) {
    const std::string id = name + "/" + entry.at("id").get<std::string>();
    if (report.Wants(id)) report.Add(id, check(folder, model, recorded, entry));
  }
  return ridgeline::Ok();
}

Status RunUnits(const fs::path& folder, const Checkpoints& checkpoints, Report& report) {
  const auto file = ReadJson(folder / "golden/units.json");
  if (!file) return ridgeline::Ok();
  RIDGELINE_TRY(const Tensors recorded,
                Tensors::Open(folder / "golden/units.safetensors"));
  for (const fs::path& checkpoint : {checkpoints.plain, checkpoints.sharded}) {
    const std::string name = "units/" + checkpoint.filename().string();
    if (checkpoint.empty() || !report.Wants(name)) continue;
    RIDGELINE_TRY(const Model model, Model::Load(checkpoint));
    report.Add(name, CheckUnits(model.network, *file, recorded));
  }
  return ridgeline::Ok();
}

Status RunPrompts(const fs::path& folder, const fs::path& checkpoint, Report& report) {
  const auto file = ReadJson(folder / "golden/prompt_ids.json");
  if (!file || !report.Wants("prompt_ids")) return ridgeline::Ok();
  RIDGELINE_TRY(const Model model, Model::Load(checkpoint));
  for (const Json& row : file->at("rows")) {
    report.Add("prompt_ids " + row.at("prompt").dump(),
               CheckPromptIds(folder, model, *file, row));
  }
  return ridgeline::Ok();
}

// tokenizer_NAME.json belongs to NAME/tokenizer.json; NAME may be shorter than the
// folder's.
Status RunTokenizers(const fs::path& folder, const Checkpoints& checkpoints,
                     Report& report) {
  for (const auto& entry : fs::directory_iterator(folder / "golden")) {
    const std::string name = entry.path().stem();
    if (!name.starts_with("tokenizer_") || !report.Wants(name)) continue;
    fs::path place = folder / name.substr(std::string("tokenizer_").size());
    if (!fs::exists(place / "tokenizer.json")) place = checkpoints.plain;
    RIDGELINE_TRY(const ridgeline::tokenizers::Tokenizer tokenizer,
                  ridgeline::tokenizers::Tokenizer::Load(place / "tokenizer.json"));
    report.Add(name, CheckTokenizer(tokenizer, *ReadJson(entry.path())));
  }
  return ridgeline::Ok();
}

Status RunParts(const fs::path& golden, Report& report) {
  if (report.Wants("layout") && fs::exists(golden / "layout.safetensors")) {
    RIDGELINE_TRY(const Tensors recorded, Tensors::Open(golden / "layout.safetensors"));
    report.Add("layout", CheckLayouts(recorded));
  }
  const auto grids = ReadJson(golden / "crop_grid.json");
  if (grids && report.Wants("crop_grid")) report.Add("crop_grid", CheckCropGrids(*grids));
  const auto bans = ReadJson(golden / "no_repeat_ngram.json");
  if (bans && report.Wants("no_repeat_ngram")) {
    report.Add("no_repeat_ngram", CheckNgramBans(*bans));
  }
  const auto sizes = ReadJson(golden / "resize.json");
  if (sizes && report.Wants("resize")) {
    RIDGELINE_TRY(const Tensors recorded, Tensors::Open(golden / "resize.safetensors"));
    report.Add("resize", CheckResizing(*sizes, recorded));
  }
  return ridgeline::Ok();
}

Status RunAll(const fs::path& folder, Report& report) {
  const Checkpoints checkpoints = FindCheckpoints(folder);
  RIDGELINE_RETURN_IF_ERROR(RunParts(folder / "golden", report));
  RIDGELINE_RETURN_IF_ERROR(RunTokenizers(folder, checkpoints, report));
  RIDGELINE_RETURN_IF_ERROR(RunPrompts(folder, checkpoints.plain, report));
  RIDGELINE_RETURN_IF_ERROR(RunUnits(folder, checkpoints, report));
  RIDGELINE_RETURN_IF_ERROR(
      RunPages(folder, checkpoints.bf16, "cases_bf16", CheckBf16Page, report));
  return RunPages(folder, checkpoints.plain, "cases", CheckPage, report);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3 || !fs::is_directory(fs::path(argv[1]) / "golden")) {
    std::cerr
        << "usage: deepseek_ocr_cases DIR [PART_OF_A_NAME], where DIR has golden/\n";
    return 2;
  }
  const c10::InferenceMode no_gradients;
  ridgeline::inference::PrepareCpu();
  Report report(argc > 2 ? argv[2] : "");
  const Status ran = RunAll(argv[1], report);
  if (!ran.ok()) {
    std::cerr << "deepseek_ocr_cases: " << ran.error().message() << '\n';
    return 2;
  }
  return report.End();
}
