#include "models/deepseek_ocr/prompt.h"

#include <gtest/gtest.h>

namespace ridgeline::models::deepseek_ocr {
namespace {

// Each byte is its own token.
std::vector<int32_t> Bytes(std::string_view text) {
  std::vector<int32_t> ids;
  for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
  return ids;
}

TEST(PromptTest, PutsThePlaceholdersWhereTheImageStands) {
  struct Case {
    const char* what;
    const char* text;
    std::vector<int64_t> want;
  };
  const Case cases[] = {
      {"in front", "<image>\nab", {0, 9, 9, '\n', 'a', 'b'}},
      {"blanks at the end are gone", "<image>a. ", {0, 9, 9, 'a', '.'}},
      {"also Unicode's", "\xe3\x80\x80<image>a\xc2\xa0", {0, 9, 9, 'a'}},
      {"in the middle", "a<image> b", {0, 'a', 9, 9, ' ', 'b'}},
      {"twice: what is between vanishes", "a<image>b<image>c", {0, 'a', 9, 9, 'c'}},
      {"not at all: the text stands on both sides", "ab", {0, 'a', 'b', 9, 9, 'a', 'b'}},
      {"alone", "<image>", {0, 9, 9}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(BuildPrompt(c.text, {.bos_id = 0, .image_id = 9, .placeholders = 2}, Bytes),
              c.want);
  }
}

}  // namespace
}  // namespace ridgeline::models::deepseek_ocr
