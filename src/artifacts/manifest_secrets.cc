#include "artifacts/manifest.h"
#include "base/secrets.h"

namespace ridgeline::artifacts {
namespace {

void Redact(std::string& text) { text = WithoutSecrets(text); }

// Each is a sentence or a shell line.
void RedactEach(std::vector<std::string>& texts) {
  for (std::string& text : texts) Redact(text);
}

void RedactStage(StageRecord& stage) {
  Redact(stage.reason);
  Redact(stage.parity_detail);
  RedactEach(stage.commands);
  RedactEach(stage.notes);
  stage.retry_overrides = WithoutSecrets(stage.retry_overrides);
  for (ProcessRecord& process : stage.processes) {
    process.argv = WithoutSecrets(process.argv);
    Redact(process.ended);
  }
  for (RankRecord& rank : stage.ranks) Redact(rank.last_line);
}

}  // namespace

// Paths are kept: they must refer to the files.
void RemoveSecrets(Manifest& manifest) {
  Redact(manifest.reason);
  Redact(manifest.workload);
  manifest.arguments = WithoutSecrets(manifest.arguments);
  for (StageRecord& stage : manifest.stages) RedactStage(stage);
}

}  // namespace ridgeline::artifacts
