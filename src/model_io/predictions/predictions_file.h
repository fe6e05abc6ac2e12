// predictions.jsonl: the predictions of a model, one JSON line per page and epoch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model_io/images/grounding.h"

namespace ridgeline::predictions {

// Time in one part of the model: "vision", "prefill", "decode", "sam", ...
struct PhaseTime {
  std::string name;
  double seconds = 0;

  bool operator==(const PhaseTime&) const = default;
};

struct Prediction {
  std::filesystem::path image;
  int64_t epoch = 0;
  std::string text;        // With special tokens, without the end of text.
  std::string text_clean;  // Without special tokens.
  // Contents of the model's tags in `text`, if any; not in predictions.jsonl.
  images::GroundedText grounded;
  std::optional<std::string> markdown;  // nullopt: `text` is already Markdown.
  std::vector<int64_t> ids;
  bool reached_end = false;  // As opposed to the token limit.
  std::optional<int64_t> prompt_tokens;
  std::vector<PhaseTime> phases;  // Unique names.
  std::optional<double> preprocess_s;
  // First phase whose logits are NaN, so that the text is meaningless; empty: none. Not
  // in predictions.jsonl.
  std::string nan_phase;
  // For comparisons; few runs keep them. One row per token, starting with the first;
  // there may be fewer rows than ids.
  std::optional<std::vector<std::vector<double>>> logits;

  bool operator==(const Prediction&) const = default;
};

std::optional<double> SecondsOf(const Prediction& prediction, std::string_view phase);

// One line with a newline. Unknown times and numbers are null, except for phases other
// than vision, prefill and decode, whose keys are absent. Invalid UTF-8 is replaced.
std::string ToJsonLine(const Prediction& prediction);

// Reads lines written by ToJsonLine. So that other programs can write a reference, only
// image and ids are required and unknown keys are ignored; a duplicate key, a wrong type
// or an empty line is an error:
//   "reference.jsonl:3: 'ids': not an array of whole numbers".
Result<std::vector<Prediction>> ParsePredictions(std::string_view lines,
                                                 std::string_view origin);

Result<std::vector<Prediction>> ReadPredictions(const std::filesystem::path& path);

inline constexpr int kPredictionsVersion = 2;

// Values of finish_reason.
inline constexpr const char* kStop = "stop";      // The model ended its output.
inline constexpr const char* kLength = "length";  // The token limit was reached.

// One line of predictions.jsonl, without a newline. Errors do not name the place.
Result<Prediction> ParsePrediction(std::string_view line);

}  // namespace ridgeline::predictions
