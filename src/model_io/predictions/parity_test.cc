#include "model_io/predictions/parity.h"

#include <gtest/gtest.h>

#include <limits>

namespace ridgeline::predictions {
namespace {

using Pages = std::vector<Prediction>;
using Rows = std::vector<std::vector<double>>;

Prediction Page(const std::string& image, std::vector<int64_t> ids, int64_t epoch = 0) {
  return {.image = image, .epoch = epoch, .ids = std::move(ids)};
}

TEST(Parity, SaysInOneSentenceWhatItFound) {
  struct Case {
    const char* what;
    Pages reference;
    Pages ours;
    const char* want;
  };
  const Case cases[] = {
      {"the same",
       {Page("a", {5, 6, 1}), Page("b", {7})},
       {Page("b", {7}), Page("a", {5, 6, 1})},
       "passed: 2 pages and 4 tokens match"},
      {"other folders",
       {Page("/x/a.png", {5})},
       {Page("y/a.png", {5})},
       "passed: 1 page and 1 token match"},
      {"nothing", {}, {}, "failed: no pages compared"},
      {"another token",
       {Page("a", {5, 6, 1})},
       {Page("a", {5, 7, 1})},
       "failed: tokens differ in 1 of 1 page, first in a (epoch 0) at token 1: got 7, "
       "reference 6"},
      {"ours end early",
       {Page("a", {5, 6, 1})},
       {Page("a", {5, 6})},
       "failed: tokens differ in 1 of 1 page, first in a (epoch 0) at token 2: got "
       "nothing, reference 1"},
      {"theirs end early",
       {Page("a", {})},
       {Page("a", {5, 6})},
       "failed: tokens differ in 1 of 1 page, first in a (epoch 0) at token 0: got 5, "
       "reference nothing"},
      {"a page is missing",
       {Page("a", {5}), Page("b", {6})},
       {Page("a", {5})},
       "failed: 1 page of the reference missing, e.g. b"},
      {"a page is extra",
       {Page("a", {5})},
       {Page("a", {5}), Page("b", {6})},
       "failed: 1 page not in the reference, e.g. b"},
      {"nothing in common",
       {Page("a", {5})},
       {Page("b", {5})},
       "failed: 1 page of the reference missing, e.g. a; 1 page not in the reference, "
       "e.g. b"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Parity parity = Compare(c.reference, c.ours);
    EXPECT_EQ(Summary(parity), c.want);
    EXPECT_EQ(parity.passed(), std::string(c.want).starts_with("passed"));
  }
}

TEST(Parity, PairsByFileNameOnlyWhereThatIsUnique) {
  struct Case {
    const char* what;
    std::vector<std::string> reference;
    std::vector<std::string> ours;
    size_t compared;
    size_t missing;
    size_t extra;
  };
  const Case cases[] = {
      {"two of theirs", {"x/a.png", "y/a.png"}, {"z/a.png"}, 0, 2, 1},
      {"two of ours", {"x/a.png"}, {"y/a.png", "z/a.png"}, 0, 1, 2},
      {"a path before a name", {"x/a.png", "y/a.png"}, {"x/a.png", "z/a.png"}, 1, 1, 1},
      {"each by its name", {"x/a.png", "x/b.png"}, {"y/b.png", "y/a.png"}, 2, 0, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    Pages reference;
    Pages ours;
    for (const std::string& path : c.reference) reference.push_back(Page(path, {5}));
    for (const std::string& path : c.ours) ours.push_back(Page(path, {5}));
    const Parity parity = Compare(reference, ours);
    EXPECT_EQ(parity.pages_compared, c.compared);
    EXPECT_EQ(parity.pages_missing.size(), c.missing);
    EXPECT_EQ(parity.pages_extra.size(), c.extra);
  }
}

TEST(Parity, EpochsOfAPageArePairedInTheirOrder) {
  const Pages reference = {Page("x/a", {5}, 1), Page("x/a", {6}, 0)};
  EXPECT_TRUE(
      Compare(reference, Pages{Page("y/a", {6}, 3), Page("y/a", {5}, 7)}).passed());
  const Parity parity = Compare(
      reference, Pages{Page("x/a", {6}, 0), Page("x/a", {8}, 1), Page("x/a", {5}, 2)});
  EXPECT_EQ(parity.pages_compared, 2U);
  EXPECT_EQ(parity.samples_mismatched, 1U);
  EXPECT_EQ(parity.pages_extra, std::vector<std::string>{"x/a"});
  EXPECT_EQ(parity.first_difference,
            (TokenDifference{
                .image = "x/a", .epoch = 1, .index = 0, .candidate = 8, .reference = 5}));
}

TEST(Parity, ComparesLogitsThatBothHave) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    const char* what;
    Rows reference;
    Rows ours;
    const char* want;
  };
  const Case cases[] = {
      {"near enough",
       {{1, 2}, {3}},
       {{1.25, 2}, {2.5}},
       "passed: 1 page and 1 token match, 3 logits within 0.5"},
      {"too far", {{1, 2}}, {{1, 4}}, "failed: logits differ by 2 in a, more than 0.5"},
      {"not a number",
       {{1, 2, 3}},
       {{kNan, 2, 3}},
       "failed: logits differ by nan in a, more than 0.5"},
      {"fewer rows", {{1}, {2}}, {{1}}, "failed: different number of logits in a"},
      {"a shorter row", {{1, 2}}, {{1}}, "failed: different number of logits in a"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    Pages reference = {Page("a", {5})};
    Pages ours = {Page("a", {5})};
    reference[0].logits = c.reference;
    ours[0].logits = c.ours;
    EXPECT_EQ(Summary(Compare(reference, ours, {.logits_tolerance = 0.5})), c.want);
    reference[0].logits.reset();
    EXPECT_FALSE(Compare(reference, ours, {.logits_tolerance = 0.5}).logits.has_value());
  }
}

// A capture is limited in pages and tokens; beyond that it must match.
TEST(Parity, ACaptureIsComparedAsFarAsItGoes) {
  const Pages reference = {Page("a", {5, 6, 7}), Page("b", {8})};
  struct Case {
    const char* what;
    Pages ours;
    const char* want;
  };
  const Case cases[] = {
      {"a whole page", {Page("b", {8})}, "passed: 1 page and 1 token match"},
      {"cut off by the limit",
       {Page("a", {5, 6})},
       "not comparable: 1 of 1 page cut off by the token limit of the capture; the first "
       "2 tokens match"},
      {"ended before the limit",
       {Page("a", {5})},
       "failed: tokens differ in 1 of 1 page, first in a (epoch 0) at token 1: got "
       "nothing, reference 6"},
      {"another token before the limit",
       {Page("a", {5, 9})},
       "failed: tokens differ in 1 of 1 page, first in a (epoch 0) at token 1: got 9, "
       "reference 6"},
      {"a page that the reference does not have",
       {Page("c", {5, 6})},
       "failed: 1 page not in the reference, e.g. c"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Parity parity = Compare(reference, c.ours, {.capture_tokens = 2});
    EXPECT_EQ(Summary(parity), c.want);
    EXPECT_EQ(parity.failed(), std::string(c.want).starts_with("failed"));
    EXPECT_EQ(parity.passed(), std::string(c.want).starts_with("passed"));
  }
}

TEST(Parity, APassThatDiffersFromTheFirstFails) {
  const Pages pages = {Page("a", {5})};
  Parity parity = Compare(pages, pages);
  parity.passes_compared = {"pass 2"};
  EXPECT_EQ(Summary(parity), "passed: 1 page and 1 token match (also pass 2)");
  parity.passes_mismatched = {"pass 2 of a (epoch 0)"};
  EXPECT_TRUE(parity.failed());
  EXPECT_EQ(Summary(parity),
            "failed: tokens differ from the first pass in pass 2 of a (epoch 0)");
}

TEST(Parity, JsonHasEverything) {
  Pages reference = {Page("a", {5, 6}), Page("b", {7})};
  Pages ours = {Page("a", {5}), Page("c", {7})};
  reference[0].logits = Rows{{0.5}};
  ours[0].logits = Rows{{0.75}};
  EXPECT_EQ(ToJson(Compare(reference, ours, {.logits_tolerance = 0.5})), R"({
  "schema_version": 2,
  "parity": "failed",
  "summary": "failed: tokens differ in 1 of 1 page, first in a (epoch 0) at token 1: got nothing, reference 6; 1 page of the reference missing, e.g. b; 1 page not in the reference, e.g. c",
  "pages_compared": 1,
  "pages_truncated": 0,
  "samples_mismatched": 1,
  "passes_compared": [],
  "passes_mismatched": [],
  "pages_missing": [
    "b"
  ],
  "pages_extra": [
    "c"
  ],
  "tokens_compared": 1,
  "first_difference": {
    "image": "a",
    "epoch": 0,
    "token_index": 1,
    "candidate": null,
    "reference": 6
  },
  "logits": {
    "parity": "passed",
    "pages_compared": 1,
    "values_compared": 1,
    "difference_max": 0.25,
    "difference_max_image": "a",
    "tolerance": 0.5,
    "logits_shape_mismatches": []
  }
}
)");
}

}  // namespace
}  // namespace ridgeline::predictions
