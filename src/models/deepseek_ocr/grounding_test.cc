#include "models/deepseek_ocr/grounding.h"

#include <gtest/gtest.h>

namespace ridgeline::models::deepseek_ocr {
namespace {

std::string Tag(const std::string& label, const std::string& boxes) {
  return "<|ref|>" + label + "<|/ref|><|det|>" + boxes + "<|/det|>";
}

TEST(Grounding, FindsLabelsBoxesAndPlaces) {
  const std::string text = "a" + Tag("title", "[[1,2,3,4]]") + "\nb" +
                           Tag("image", " [ [5, 6,7 ,8],\n[ 0,0,999,999 ] ] ");
  const GroundedText grounded = ParseGroundings(text);
  ASSERT_EQ(grounded.groundings.size(), 2U);
  EXPECT_EQ(grounded.tags_malformed, 0U);
  EXPECT_EQ(grounded.groundings[0].label, "title");
  EXPECT_EQ(grounded.groundings[0].boxes, (std::vector<ModelBox>{{1, 2, 3, 4}}));
  EXPECT_EQ(text.substr(0, grounded.groundings[0].begin), "a");
  EXPECT_EQ(text.substr(grounded.groundings[0].end, 2), "\nb");
  EXPECT_EQ(grounded.groundings[1].label, "image");
  EXPECT_EQ(grounded.groundings[1].boxes,
            (std::vector<ModelBox>{{5, 6, 7, 8}, {0, 0, 999, 999}}));
  EXPECT_EQ(grounded.groundings[1].end, text.size());
}

TEST(Grounding, ReadsWhatIsWellFormedAndCountsTheRest) {
  struct Case {
    const char* what;
    std::string text;
    size_t groundings;
    size_t malformed;
  };
  const std::string good = Tag("x", "[[1,2,3,4]]");
  const Case cases[] = {
      {"no text", "", 0, 0},
      {"no tag", "a < b <| c |> <|grounding|>", 0, 0},
      {"an empty label", Tag("", "[[1,2,3,4]]"), 1, 0},
      {"no boxes", Tag("x", "[]"), 1, 0},
      {"an empty box", Tag("x", "[[]]"), 0, 1},
      {"a flat list", Tag("x", "[1,2,3,4]"), 0, 1},
      {"three numbers", Tag("x", "[[1,2,3]]"), 0, 1},
      {"five numbers", Tag("x", "[[1,2,3,4,5]]"), 0, 1},
      {"words", Tag("x", "[[a,b,c,d]]"), 0, 1},
      {"a fraction", Tag("x", "[[1.5,2,3,4]]"), 0, 1},
      {"code", Tag("x", "__import__('os')"), 0, 1},
      {"something after the list", Tag("x", "[[1,2,3,4]] 5"), 0, 1},
      {"a list that goes on", Tag("x", "[[1,2,3,4],]"), 0, 1},
      {"brackets without end", Tag("x", std::string(100'000, '[')), 0, 1},
      {"broken off in the label", "<|ref|>x", 0, 1},
      {"broken off after the label", "<|ref|>x<|/ref|>", 0, 1},
      {"broken off in the boxes", "<|ref|>x<|/ref|><|det|>[[1,2", 0, 1},
      {"broken off in a mark", good + "<|ref|>x<|/ref", 1, 1},
      {"text between label and boxes", "<|ref|>x<|/ref|> <|det|>[]<|/det|>", 0, 2},
      {"a tag within a label", "<|ref|>" + good + "<|/ref|>", 1, 2},
      {"a tag within the boxes", "<|ref|>y<|/ref|><|det|>" + good, 1, 1},
      {"only an end", "<|/det|>", 0, 1},
      {"good after broken", "<|det|>" + good, 1, 1},
      {"a mark within half a mark", "<<|<|ref" + good, 1, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const GroundedText grounded = ParseGroundings(c.text);
    EXPECT_EQ(grounded.groundings.size(), c.groundings);
    EXPECT_EQ(grounded.tags_malformed, c.malformed);
  }
}

TEST(Grounding, KeepsOddNumbersWithinAMillion) {
  const GroundedText grounded =
      ParseGroundings(Tag("x", "[[-5,1000,99999999999999999999999,007]]"));
  ASSERT_EQ(grounded.groundings.size(), 1U);
  EXPECT_EQ(grounded.groundings[0].boxes,
            (std::vector<ModelBox>{{-5, 1000, 1'000'000, 7}}));
}

// Each of these takes minutes if any part of the parser backtracks or restarts.
TEST(Grounding, TakesTimeInProportionToTheText) {
  for (const char* part :
       {"<|ref|>", "<|", "<|ref|>x<|/ref|><|det|>[[", "<|ref|>x<|/ref|>",
        "<|ref|>x<|/ref|><|det|>[[1,2,3,4]]<|/det|>"}) {
    SCOPED_TRACE(part);
    std::string text;
    while (text.size() < 4'000'000) text += part;
    const GroundedText grounded = ParseGroundings(text);
    EXPECT_LE(grounded.groundings.size() + grounded.tags_malformed, text.size());
  }
}

}  // namespace
}  // namespace ridgeline::models::deepseek_ocr
