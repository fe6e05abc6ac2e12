// Compares the output of a run with its reference: a run whose output changed is not
// faster, it is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model_io/predictions/predictions_file.h"
#include "profiles/page_journal.h"

namespace ridgeline::predictions {

struct TokenDifference {
  std::string image;  // As named by our run.
  int64_t epoch = 0;
  size_t index = 0;                  // Index of the first generated token that differs.
  std::optional<int64_t> candidate;  // nullopt: ended before.
  std::optional<int64_t> reference;

  bool operator==(const TokenDifference&) const = default;
};

// Over pages for which both sides have logits.
struct LogitsComparison {
  size_t pages_compared = 0;
  size_t values_compared = 0;
  double difference_max = 0;  // Absolute.
  std::string difference_max_image;
  double tolerance = 0;
  // Both have logits, but of different sizes. The common part was compared.
  std::vector<std::string> logits_shape_mismatches;

  bool passed() const {
    return difference_max <= tolerance && logits_shape_mismatches.empty();
  }
};

// The part of its reference that a run must match.
struct ParityScope {
  double logits_tolerance = 0;
  // A capture reads some of the pages and truncates each after this many tokens. Then
  // pages may be missing, and a truncated one is compared up to its end. nullopt:
  // everything.
  std::optional<int64_t> capture_tokens;
};

struct Parity {
  size_t pages_compared = 0;
  size_t samples_mismatched = 0;
  size_t pages_truncated = 0;              // By capture_tokens; match up to there.
  size_t tokens_compared = 0;              // Up to the end of the shorter side, per page.
  std::vector<std::string> pages_missing;  // Only in the reference.
  std::vector<std::string> pages_extra;    // Only in our run.
  std::optional<TokenDifference> first_difference;  // In the order of our run.
  std::optional<LogitsComparison> logits;           // nullopt: no page has both.
  // Passes after the first, and the profiled one: "pass 2", "the profiled pass".
  std::vector<std::string> passes_compared;
  std::vector<std::string> passes_mismatched;  // "pass 2 of a.png (epoch 0)"

  // The same pages, each equally often, with the same ids in every pass and, if there are
  // any, logits within the tolerance. Two runs without pages prove nothing and do not
  // pass; a truncated run neither passes nor fails.
  bool passed() const { return !failed() && pages_truncated == 0; }
  bool failed() const;
};

// Pages are paired by the path of their image; if only one side has it, by file name, if
// that is unique on both sides. Equal paths (epochs) are paired in the order of their
// epochs, and surplus pages are missing or extra.
Parity Compare(std::span<const Prediction> reference,
               std::span<const Prediction> candidate, const ParityScope& scope = {});

// Identifies generated tokens in the journal of a run.
std::string TokensDigest(std::span<const int64_t> ids);

// Adds the other passes of a run from its journal: each page must have the tokens of the
// first pass, `first`; the profiled one may have generated fewer.
void ComparePasses(const profiles::PageJournal& journal,
                   std::span<const Prediction> first, Parity& parity);

// One sentence, without a newline: "passed: 12 pages and 3456 tokens match".
std::string Summary(const Parity& parity);

// With schema_version; ends with a newline.
std::string ToJson(const Parity& parity);

}  // namespace ridgeline::predictions
