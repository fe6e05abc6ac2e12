#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "model_io/predictions/predictions_file.h"

namespace ridgeline::predictions {
namespace {

using Json = nlohmann::ordered_json;

Error Problem(std::string_view key, std::string_view what) {
  return {ErrorCode::kParse, fmt::format("'{}': {}", key, what)};
}

// A key from a file, for error messages.
std::string Shown(std::string_view key) {
  constexpr size_t kShown = 60;
  return std::string(key.substr(0, kShown)) + (key.size() > kShown ? "..." : "");
}

// Observes the parser, which by itself accepts duplicate keys and any depth.
class Watch {
 public:
  const std::string& problem() const { return problem_; }

  // Returns whether the parser should keep the value.
  bool See(int depth, Json::parse_event_t event, const Json& value) {
    constexpr int kDepthMax = 32;
    if (depth > kDepthMax) return Fail("nesting too deep");
    if (event != Json::parse_event_t::key || depth > 1) return true;
    const auto& key = value.get_ref<const std::string&>();
    if (keys_.insert(key).second) return true;
    return Fail(fmt::format("duplicate key '{}'", Shown(key)));
  }

 private:
  bool Fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return false;
  }

  std::set<std::string> keys_;  // Of the top-level object, the only ones used.
  std::string problem_;
};

Result<Json> ParseObject(std::string_view line) {
  // The parser would stop there and ignore the rest.
  if (line.find('\0') != std::string_view::npos) {
    return Error(ErrorCode::kParse, "not JSON: contains a NUL byte");
  }
  try {
    Watch watch;
    Json json = Json::parse(
        line, [&watch](int depth, Json::parse_event_t event, const Json& value) {
          return watch.See(depth, event, value);
        });
    if (!watch.problem().empty()) return Error(ErrorCode::kParse, watch.problem());
    if (!json.is_object()) return Error(ErrorCode::kParse, "not a JSON object");
    return json;
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error
    // while ...; last read: '...'": without the name of the library and the line, which
    // is always 1, and without the text read, which may be everything.
    std::string_view what = error.what();
    what = what.substr(0, what.find("; last read"));
    const size_t column = what.find("column ");
    if (column != std::string_view::npos) what.remove_prefix(column);
    return Error(ErrorCode::kParse, fmt::format("not JSON: {}", what));
  }
}

std::optional<int64_t> ToInteger(const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t{INT64_MAX}) {
    return std::nullopt;
  }
  return value.get<int64_t>();
}

Result<int64_t> ReadCount(std::string_view key, const Json& value) {
  const std::optional<int64_t> count = ToInteger(value);
  if (!count || *count < 0) return Problem(key, "not an integer >= 0");
  return *count;
}

Result<std::string> ReadText(std::string_view key, const Json& value) {
  if (!value.is_string()) return Problem(key, "not a string");
  return value.get<std::string>();
}

Result<std::optional<double>> ReadSeconds(std::string_view key, const Json& value) {
  if (value.is_null()) return std::optional<double>();
  if (!value.is_number() || value.get<double>() < 0) {
    return Problem(key, "not null or a number >= 0");
  }
  return std::optional(value.get<double>());
}

using Taken = Status (*)(const Json&, Prediction&);

Status TakeVersion(const Json& value, Prediction& /*prediction*/) {
  const int64_t version = ToInteger(value).value_or(0);
  if (version >= 1 && version <= kPredictionsVersion) return Ok();
  return Problem("schema_version", fmt::format("expected 1 to {}", kPredictionsVersion));
}

Status TakeImage(const Json& value, Prediction& prediction) {
  RIDGELINE_TRY(std::string image, ReadText("image", value));
  if (image.empty()) return Problem("image", "empty");
  prediction.image = std::move(image);
  return Ok();
}

Status TakeEpoch(const Json& value, Prediction& prediction) {
  RIDGELINE_TRY(prediction.epoch, ReadCount("epoch", value));
  return Ok();
}

Status TakeText(const Json& value, Prediction& prediction) {
  RIDGELINE_TRY(prediction.text, ReadText("text", value));
  return Ok();
}

Status TakeTextClean(const Json& value, Prediction& prediction) {
  RIDGELINE_TRY(prediction.text_clean, ReadText("text_clean", value));
  return Ok();
}

Status TakeIds(const Json& value, Prediction& prediction) {
  constexpr std::string_view kWrong = "not an array of integers";
  if (!value.is_array()) return Problem("ids", kWrong);
  prediction.ids.reserve(value.size());
  for (const Json& element : value) {
    const std::optional<int64_t> id = ToInteger(element);
    if (!id) return Problem("ids", kWrong);
    prediction.ids.push_back(*id);
  }
  return Ok();
}

Status TakeFinishReason(const Json& value, Prediction& prediction) {
  if (!value.is_string()) return Problem("finish_reason", "not a string");
  prediction.reached_end = value == kStop;
  return Ok();
}

// Version 1.
Status TakeReachedEnd(const Json& value, Prediction& prediction) {
  if (!value.is_boolean()) return Problem("reached_end", "not a boolean");
  prediction.reached_end = value.get<bool>();
  return Ok();
}

Status TakePreprocess(const Json& value, Prediction& prediction) {
  RIDGELINE_TRY(prediction.preprocess_s, ReadSeconds("preprocess_s", value));
  return Ok();
}

Status TakePromptTokens(const Json& value, Prediction& prediction) {
  if (value.is_null()) return Ok();
  RIDGELINE_TRY(prediction.prompt_tokens, ReadCount("prompt_tokens", value));
  return Ok();
}

// Both are derived from other keys; only their types are checked here.
Status TakeGeneratedTokens(const Json& value, Prediction& /*prediction*/) {
  RIDGELINE_TRY([[maybe_unused]] const int64_t count,
                ReadCount("generated_tokens", value));
  return Ok();
}

Status TakeTokensPerSecond(const Json& value, Prediction& /*prediction*/) {
  RIDGELINE_TRY([[maybe_unused]] const std::optional<double> speed,
                ReadSeconds("decode_tokens_per_s", value));
  return Ok();
}

Result<std::vector<double>> ReadRow(const Json& value) {
  std::vector<double> row;
  for (const Json& logit : value) {
    if (!logit.is_number()) {
      return Problem("logits", "not an array of numbers or of arrays of numbers");
    }
    row.push_back(logit.get<double>());
  }
  return row;
}

// One array per token, or a single array of numbers for the first token.
Status TakeLogits(const Json& value, Prediction& prediction) {
  if (!value.is_array()) return Problem("logits", "not an array");
  std::vector<std::vector<double>> rows;
  if (!value.empty() && value.front().is_number()) {
    RIDGELINE_TRY(rows.emplace_back(), ReadRow(value));
  } else {
    for (const Json& element : value) {
      if (!element.is_array()) {
        return Problem("logits", "not an array of numbers or of arrays of numbers");
      }
      RIDGELINE_TRY(rows.emplace_back(), ReadRow(element));
    }
  }
  prediction.logits = std::move(rows);
  return Ok();
}

struct Key {
  std::string_view name;
  Taken take;
};

constexpr std::array kKeys = {Key{"schema_version", TakeVersion},
                              Key{"image", TakeImage},
                              Key{"epoch", TakeEpoch},
                              Key{"text", TakeText},
                              Key{"text_clean", TakeTextClean},
                              Key{"ids", TakeIds},
                              Key{"finish_reason", TakeFinishReason},
                              Key{"reached_end", TakeReachedEnd},
                              Key{"preprocess_s", TakePreprocess},
                              Key{"prompt_tokens", TakePromptTokens},
                              Key{"generated_tokens", TakeGeneratedTokens},
                              Key{"decode_tokens_per_s", TakeTokensPerSecond},
                              Key{"logits", TakeLogits}};

// All other keys are times of phases, such as "sam_s", or unknown.
Status TakePhase(std::string_view key, const Json& value, Prediction& prediction) {
  const bool is_phase =
      key.size() > 2 && key.ends_with("_s") && (value.is_number() || value.is_null());
  if (!is_phase) return Ok();
  RIDGELINE_TRY(const std::optional<double> seconds, ReadSeconds(Shown(key), value));
  if (!seconds) return Ok();
  prediction.phases.push_back({std::string(key.substr(0, key.size() - 2)), *seconds});
  return Ok();
}

Status CheckWhole(const Json& json, const Prediction& prediction) {
  for (const std::string_view needed : {"image", "ids"}) {
    if (!json.contains(needed)) return Problem(needed, "missing");
  }
  const auto tokens = json.find("generated_tokens");
  if (tokens != json.end() && tokens->get<uint64_t>() != prediction.ids.size()) {
    return Problem("generated_tokens",
                   fmt::format("{}, but 'ids' has {} entries", tokens->get<uint64_t>(),
                               prediction.ids.size()));
  }
  return Ok();
}

}  // namespace

Result<Prediction> ParsePrediction(std::string_view line) {
  RIDGELINE_TRY(const Json json, ParseObject(line));
  Prediction prediction;
  for (const auto& [key, value] : json.items()) {
    const auto* known = std::find_if(
        kKeys.begin(), kKeys.end(), [&key = key](const Key& k) { return k.name == key; });
    RIDGELINE_RETURN_IF_ERROR(known != kKeys.end() ? known->take(value, prediction)
                                                   : TakePhase(key, value, prediction));
  }
  RIDGELINE_RETURN_IF_ERROR(CheckWhole(json, prediction));
  return prediction;
}

}  // namespace ridgeline::predictions
