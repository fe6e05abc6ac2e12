#include "models/deepseek_ocr/page_markdown.h"

#include <gtest/gtest.h>

namespace ridgeline::models::deepseek_ocr {
namespace {

std::string Markdown(const std::string& text) {
  return PageMarkdown(text, ParseGroundings(text));
}

TEST(PageMarkdown, IsTheTextThatTheModelsAuthorsSave) {
  EXPECT_EQ(Markdown("<|ref|>title<|/ref|><|det|>[[60, 30, 900, 80]]<|/det|>\n"
                     "# Sums\n\n"
                     "<|ref|>image<|/ref|><|det|>[[60, 100, 900, 400]]<|/det|>\n"
                     "<|ref|>text<|/ref|><|det|>[[60, 420, 900, 500]]<|/det|>\n"
                     "Let \\( a \\coloneqq b \\) and \\( c \\eqqcolon d \\).\n"
                     "<|ref|>image<|/ref|><|det|>[[60, 600, 900, 700]]<|/det|>"),
            "\n# Sums\n\n"
            "![](images/0.jpg)\n\n"
            "\nLet \\( a := b \\) and \\( c =: d \\).\n"
            "![](images/1.jpg)\n");
}

TEST(PageMarkdown, ChangesOnlyWhatIsATag) {
  struct Case {
    const char* what;
    std::string text;
    std::string want;
  };
  const Case cases[] = {
      {"no text", "", ""},
      {"no tags: commands stay", "a \\coloneqq b", "a \\coloneqq b"},
      {"only images: commands stay",
       "<|ref|>image<|/ref|><|det|>[[1,2,3,4]]<|/det|>\\eqqcolon",
       "![](images/0.jpg)\n\\eqqcolon"},
      {"commands before the first tag too",
       "\\coloneqq<|ref|>x<|/ref|><|det|>[[1,2,3,4]]<|/det|>", ":="},
      {"a broken tag stays, and is no reason to replace commands",
       "<|ref|>x<|/ref|><|det|>oops<|/det|>\\coloneqq",
       "<|ref|>x<|/ref|><|det|>oops<|/det|>\\coloneqq"},
      {"each box of an image has its link",
       "<|ref|>image<|/ref|><|det|>[[1,2,3,4],[5,6,7,8]]<|/det|>",
       "![](images/0.jpg)\n![](images/1.jpg)\n"},
      {"a box without area keeps its number",
       "<|ref|>image<|/ref|><|det|>[[5,5,5,5]]<|/det|>"
       "<|ref|>image<|/ref|><|det|>[[1,2,3,4]]<|/det|>",
       "![](images/0.jpg)\n![](images/1.jpg)\n"},
      {"an image without boxes", "a<|ref|>image<|/ref|><|det|>[]<|/det|>b", "ab"},
      {"other labels that hold the word",
       "<|ref|>image_caption<|/ref|><|det|>[[1,2,3,4]]<|/det|>Fig. 1", "Fig. 1"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Markdown(c.text), c.want);
  }
}

}  // namespace
}  // namespace ridgeline::models::deepseek_ocr
