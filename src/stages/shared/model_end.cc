#include "stages/shared/model_end.h"

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "os/files.h"

namespace ridgeline::stages {
namespace {

using SortedJson = nlohmann::json;

// What ridgeline-model ends with if it did all, but did not say what a reference says.
constexpr int kDiffers = 3;

// Takes the verdict of the receipt that the model wrote, if it had a reference.
Status NoteParity(pipeline::StageContext& context) {
  const std::filesystem::path receipt = context.place().directory / "parity.json";
  if (!os::Exists(receipt)) return Ok();
  RIDGELINE_TRY(const std::string text, os::ReadFile(receipt));
  const SortedJson json = ParseJson<SortedJson>(text);
  if (!json.is_object() || !json.contains("verdict") || !json.contains("summary")) {
    return Error(ErrorCode::kParse, receipt.string() + ": is no parity receipt");
  }
  context.NoteParity(json["verdict"] == "valid", json["summary"]);
  return Ok();
}

}  // namespace

Status CheckModelEnd(pipeline::StageContext& context,
                     const pipeline::PlannedCommand& command,
                     const os::ProcessResult& ended) {
  if (ended.exit_code != kDiffers) {
    RIDGELINE_RETURN_IF_ERROR(context.CheckEnd(command, ended));
  }
  return NoteParity(context);
}

}  // namespace ridgeline::stages
