#include "stages/shared/model_end.h"

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "os/files.h"

namespace ridgeline::stages {
namespace {

using SortedJson = nlohmann::json;

// Exit code of ridgeline-model if the output differs from the reference.
constexpr int kDiffers = 3;

// Reads the verdict from parity.json, which the model writes if it has a reference.
Status NoteParity(pipeline::StageContext& context) {
  const std::filesystem::path receipt = context.place().directory / "parity.json";
  if (!os::Exists(receipt)) return Ok();
  RIDGELINE_TRY(const std::string text, os::ReadFile(receipt));
  const SortedJson json = ParseJson<SortedJson>(text);
  if (!json.is_object() || !json.contains("parity") || !json.contains("summary")) {
    return Error(ErrorCode::kParse, receipt.string() + ": not a parity file");
  }
  const bool passed = json["parity"] == ToText(artifacts::Parity::kPassed);
  context.NoteParity(passed ? artifacts::Parity::kPassed : artifacts::Parity::kFailed,
                     json["summary"]);
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
