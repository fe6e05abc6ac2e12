// Checks an Nsight Systems --nvtx-capture expression against the ranges opened by a
// program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "collectors/nvtx/listing.h"

namespace ridgeline::nvtx {

// A range in the default domain ("decode"), in a named one ("decode@vllm") or in any
// ("decode@*").
struct Expression {
  std::string label;
  std::string domain;  // Empty: the default domain.
  bool any_domain = false;

  // In nsys syntax, which has no escape for an @ in a name.
  std::string ToString() const;

  bool operator==(const Expression&) const = default;
};

Result<Expression> ParseExpression(std::string_view text);

enum class Verdict {
  kOpened,        // With a registered string, which nsys matches by default.
  kUnregistered,  // Opened, but only with plain strings, which nsys ignores.
  kWide,          // Opened, but only with wide strings, which nsys 2022.4 ignores.
  kOnlyMarks,     // Marks have no duration.
  kOtherDomain,   // The label exists, but in other domains.
  kNeverOpened,
  kNoRanges,  // No ranges at all.
};

struct Resolution {
  Verdict verdict = Verdict::kNoRanges;
  int64_t opened_registered = 0;
  int64_t opened_unregistered = 0;
  int64_t opened_wide = 0;  // Registered or not; not in the other counts.
  std::string nearest;      // Expression that was probably meant; may be empty.
  std::string sentence;     // The verdict as a sentence.
  std::string fix;          // Advice; empty: not needed.

  // Whether the range is opened at all.
  bool Matches() const {
    return verdict == Verdict::kOpened || verdict == Verdict::kUnregistered ||
           verdict == Verdict::kWide;
  }
};

// "opened", "unregistered", "wide", "only_marks", "other_domain", "never_opened",
// "no_ranges"
std::string_view Word(Verdict verdict);

Resolution Resolve(const Expression& expression, const Listing& listing);

}  // namespace ridgeline::nvtx
