#include "model_io/predictions/label_colour.h"

#include <gtest/gtest.h>

#include <set>

namespace ridgeline::predictions {
namespace {

// Images of different runs are compared side by side, so these must never change.
TEST(LabelColour, IsTheSameEverywhere) {
  EXPECT_EQ(ToHex(LabelColour("image")), "#104070");
  EXPECT_EQ(ToHex(LabelColour("text")), "#1ad1ff");
  EXPECT_EQ(ToHex(LabelColour("title")), "#ff1aba");
  EXPECT_EQ(ToHex(LabelColour("\xe8\xa1\xa8")), ToHex(LabelColour("\xe8\xa1\xa8")));
}

TEST(LabelColour, TellsTheModelsLabelsApart) {
  std::set<std::string> colours;
  const char* labels[] = {"image",    "text",          "title",         "sub_title",
                          "table",    "table_caption", "image_caption", "formula",
                          "equation", "header",        "footer",        "page_number"};
  for (const char* label : labels) colours.insert(ToHex(LabelColour(label)));
  EXPECT_EQ(colours.size(), std::size(labels));
}

TEST(LabelColour, UsesTheWholePalette) {
  std::set<std::string> colours;
  for (int i = 0; i < 500; ++i) {
    colours.insert(ToHex(LabelColour("label " + std::to_string(i))));
  }
  EXPECT_EQ(colours.size(), 16U);
}

}  // namespace
}  // namespace ridgeline::predictions
