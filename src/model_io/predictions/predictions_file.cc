#include "model_io/predictions/predictions_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json.h"
#include "os/files.h"

namespace ridgeline::predictions {
namespace {

using Json = nlohmann::ordered_json;

// Always present, in this order; others follow in order of appearance.
constexpr std::array<std::string_view, 3> kMainPhases = {"vision", "prefill", "decode"};

bool IsMainPhase(std::string_view name) {
  return std::find(kMainPhases.begin(), kMainPhases.end(), name) != kMainPhases.end();
}

std::string PhaseKey(std::string_view phase) { return fmt::format("{}_s", phase); }

Json PredictionJson(const Prediction& prediction) {
  Json json = {{"schema_version", kPredictionsVersion},
               {"image", prediction.image.string()},
               {"epoch", prediction.epoch},
               {"text", prediction.text},
               {"text_clean", prediction.text_clean},
               {"ids", prediction.ids},
               {"finish_reason", prediction.reached_end ? kStop : kLength},
               {"preprocess_s", OrNull(prediction.preprocess_s)}};
  for (const std::string_view phase : kMainPhases) {
    json[PhaseKey(phase)] = OrNull(SecondsOf(prediction, phase));
  }
  // Prefill generates the first token.
  const auto steps = static_cast<double>(std::max<size_t>(prediction.ids.size(), 1) - 1);
  const double decode_s = SecondsOf(prediction, "decode").value_or(0);
  json["prompt_tokens"] = OrNull(prediction.prompt_tokens);
  json["generated_tokens"] = prediction.ids.size();
  json["decode_tokens_per_s"] =
      steps > 0 && decode_s > 0 ? Json(steps / decode_s) : Json();
  for (const PhaseTime& phase : prediction.phases) {
    if (!IsMainPhase(phase.name)) json[PhaseKey(phase.name)] = phase.seconds;
  }
  if (prediction.logits) json["logits"] = *prediction.logits;
  return json;
}

}  // namespace

std::optional<double> SecondsOf(const Prediction& prediction, std::string_view phase) {
  const auto found =
      std::find_if(prediction.phases.begin(), prediction.phases.end(),
                   [phase](const PhaseTime& time) { return time.name == phase; });
  if (found == prediction.phases.end()) return std::nullopt;
  return found->seconds;
}

std::string ToJsonLine(const Prediction& prediction) {
  return DumpJson(PredictionJson(prediction)) + "\n";
}

Result<std::vector<Prediction>> ParsePredictions(std::string_view lines,
                                                 std::string_view origin) {
  std::vector<Prediction> predictions;
  for (size_t number = 1; !lines.empty(); ++number) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    Result<Prediction> prediction =
        line.empty() ? Error(ErrorCode::kParse, "empty line") : ParsePrediction(line);
    if (!prediction.ok()) {
      return std::move(prediction).error().While(fmt::format("{}:{}", origin, number));
    }
    predictions.push_back(std::move(prediction).value());
  }
  return predictions;
}

Result<std::vector<Prediction>> ReadPredictions(const std::filesystem::path& path) {
  RIDGELINE_TRY(const std::string lines, os::ReadFile(path));
  return ParsePredictions(lines, path.string());
}

}  // namespace ridgeline::predictions
