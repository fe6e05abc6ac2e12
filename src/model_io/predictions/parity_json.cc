// Formats a comparison as one sentence and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "model_io/predictions/parity.h"

namespace ridgeline::predictions {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kParityVersion = 2;

const char* Verdict(bool passed) { return passed ? "passed" : "failed"; }

const char* Verdict(const Parity& parity) {
  return parity.failed() || parity.passed() ? Verdict(parity.passed()) : "not_checked";
}

std::string Count(size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string Token(const std::optional<int64_t>& id) {
  return id ? fmt::format("{}", *id) : "nothing";
}

std::string SayDifference(const Parity& parity) {
  const TokenDifference& first = *parity.first_difference;
  return fmt::format(
      "tokens differ in {} of {}, first in {} (epoch {}) at token {}: got {}, reference "
      "{}",
      parity.samples_mismatched, Count(parity.pages_compared, "page"), first.image,
      first.epoch, first.index, Token(first.candidate), Token(first.reference));
}

std::vector<std::string> Reasons(const Parity& parity) {
  std::vector<std::string> reasons;
  if (parity.first_difference) reasons.push_back(SayDifference(parity));
  if (!parity.pages_missing.empty()) {
    reasons.push_back(fmt::format("{} of the reference missing, e.g. {}",
                                  Count(parity.pages_missing.size(), "page"),
                                  parity.pages_missing.front()));
  }
  if (!parity.pages_extra.empty()) {
    reasons.push_back(fmt::format("{} not in the reference, e.g. {}",
                                  Count(parity.pages_extra.size(), "page"),
                                  parity.pages_extra.front()));
  }
  if (parity.logits && !(parity.logits->difference_max <= parity.logits->tolerance)) {
    reasons.push_back(fmt::format(
        "logits differ by {:.6g} in {}, more than {:.6g}", parity.logits->difference_max,
        parity.logits->difference_max_image, parity.logits->tolerance));
  }
  if (parity.logits && !parity.logits->logits_shape_mismatches.empty()) {
    reasons.push_back(fmt::format("different number of logits in {}",
                                  parity.logits->logits_shape_mismatches.front()));
  }
  if (!parity.passes_mismatched.empty()) {
    reasons.push_back(fmt::format("tokens differ from the first pass in {}",
                                  fmt::join(parity.passes_mismatched, ", ")));
  }
  if (reasons.empty()) reasons.emplace_back("no pages compared");
  return reasons;
}

// JSON cannot represent others.
Json FiniteOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json DifferenceJson(const TokenDifference& difference) {
  const auto id = [](const std::optional<int64_t>& token) {
    return token ? Json(*token) : Json();
  };
  return {{"image", difference.image},
          {"epoch", difference.epoch},
          {"token_index", difference.index},
          {"candidate", id(difference.candidate)},
          {"reference", id(difference.reference)}};
}

Json LogitsJson(const LogitsComparison& logits) {
  return {{"parity", Verdict(logits.passed())},
          {"pages_compared", logits.pages_compared},
          {"values_compared", logits.values_compared},
          {"difference_max", FiniteOrNull(logits.difference_max)},
          {"difference_max_image", logits.difference_max_image},
          {"tolerance", logits.tolerance},
          {"logits_shape_mismatches", logits.logits_shape_mismatches}};
}

}  // namespace

std::string Summary(const Parity& parity) {
  if (parity.failed()) {
    return fmt::format("failed: {}", fmt::join(Reasons(parity), "; "));
  }
  if (!parity.passed()) {
    return fmt::format(
        "not comparable: {} of {} cut off by the token limit of the capture; the first "
        "{} match",
        parity.pages_truncated, Count(parity.pages_compared, "page"),
        Count(parity.tokens_compared, "token"));
  }
  std::string sentence =
      fmt::format("passed: {} and {} match", Count(parity.pages_compared, "page"),
                  Count(parity.tokens_compared, "token"));
  if (parity.logits) {
    sentence +=
        fmt::format(", {} within {:.6g}", Count(parity.logits->values_compared, "logit"),
                    parity.logits->difference_max);
  }
  if (!parity.passes_compared.empty()) {
    sentence += fmt::format(" (also {})", fmt::join(parity.passes_compared, ", "));
  }
  return sentence;
}

std::string ToJson(const Parity& parity) {
  const Json json = {
      {"schema_version", kParityVersion},
      {"parity", Verdict(parity)},
      {"summary", Summary(parity)},
      {"pages_compared", parity.pages_compared},
      {"pages_truncated", parity.pages_truncated},
      {"samples_mismatched", parity.samples_mismatched},
      {"passes_compared", parity.passes_compared},
      {"passes_mismatched", parity.passes_mismatched},
      {"pages_missing", parity.pages_missing},
      {"pages_extra", parity.pages_extra},
      {"tokens_compared", parity.tokens_compared},
      {"first_difference",
       parity.first_difference ? DifferenceJson(*parity.first_difference) : Json()},
      {"logits", parity.logits ? LogitsJson(*parity.logits) : Json()}};
  return DumpJson(json, 2) + "\n";
}

}  // namespace ridgeline::predictions
