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
  std::string text_clean;  // Without any.
  // What the model's tags in `text` say, if it writes any; not in predictions.jsonl.
  images::GroundedText grounded;
  std::optional<std::string> markdown;  // Nothing: `text` is Markdown already.
  std::vector<int64_t> ids;
  bool reached_end = false;  // Rather than the limit of tokens.
  std::optional<int64_t> prompt_tokens;
  std::vector<PhaseTime> phases;  // Each name once.
  std::optional<double> preprocess_s;
  // For comparisons; few runs keep them. One row per token, from the first one on; there
  // may be fewer rows than ids.
  std::optional<std::vector<std::vector<double>>> logits;

  bool operator==(const Prediction&) const = default;
};

std::optional<double> SecondsOf(const Prediction& prediction, std::string_view phase);

// One line with its newline. A time or number that is not known is null, except that of
// phases beside vision, prefill and decode, whose keys are then absent. What is not UTF-8
// is replaced.
std::string ToJsonLine(const Prediction& prediction);

// Reads lines that ToJsonLine writes. So that other programs can write a reference, only
// image and ids must be there and keys that are not ours are passed over; a key twice, a
// wrong type or an empty line is an error:
//   "reference.jsonl:3: 'ids': not an array of whole numbers".
Result<std::vector<Prediction>> ParsePredictions(std::string_view lines,
                                                 std::string_view origin);

Result<std::vector<Prediction>> ReadPredictions(const std::filesystem::path& path);

inline constexpr int kPredictionsVersion = 2;

// Values of finish_reason.
inline constexpr const char* kStop = "stop";      // The model ended its answer.
inline constexpr const char* kLength = "length";  // It was cut off.

// One line of predictions.jsonl, without its newline. The error does not name the place.
Result<Prediction> ParsePrediction(std::string_view line);

}  // namespace ridgeline::predictions
