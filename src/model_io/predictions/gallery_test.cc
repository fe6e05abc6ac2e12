#include "model_io/predictions/gallery.h"

#include <gtest/gtest.h>

namespace ridgeline::predictions {
namespace {

TEST(Gallery, ShowsEachPageWithItsPictureAndText) {
  const Prediction first = {.image = "pages/my_page.png",
                            .epoch = 1,
                            .text = "# Title\n```\ncode\n```\n",
                            .ids = {5, 6, 1},
                            .reached_end = true,
                            .prompt_tokens = 283,
                            .phases = {{"vision", 0.5}, {"decode", 1.2345}},
                            .preprocess_s = 0.125};
  const Prediction second = {.image = "gone.png", .text = "b"};
  const GalleryPage pages[] = {
      {.prediction = first, .text = first.text, .folder = "0123", .boxes = 4},
      {.prediction = second,
       .text = second.text,
       .problem = "gone.png: No such file or directory"}};
  const std::vector<std::string> failures = {"c_1.png: not an image"};
  EXPECT_EQ(GalleryHead(2, 5) + GallerySection(pages[0], 1) +
                GallerySection(pages[1], 2) + GalleryFailures(failures),
            R"(# Predictions

2 of 5 pages; 3 omitted (`max_images` is 2).

## 1. my\_page.png

[![my\_page.png](0123/thumbnail.jpg)](0123/result_with_boxes.jpg)

- Files: [image with boxes](0123/result_with_boxes.jpg), [result.mmd](0123/result.mmd), [info.json](0123/info.json)
- Boxes: 4
- Image: pages/my\_page.png, epoch 1
- Tokens: 283 in the prompt, 3 generated, ended by the end-of-text token
- Times: preprocess 125 ms, vision 500 ms, decode 1.23 s

````text
# Title
```
code
```
````

## 2. gone.png

No image: gone.png\: No such file or directory

- Image: gone.png, epoch 0
- Tokens: 0 generated, stopped at the token limit
- Times: not measured

```text
b
```

## Pages that could not be read: 1

- c\_1.png\: not an image
)");
}

TEST(Gallery, SaysHowManyPagesThereAre) {
  EXPECT_EQ(GalleryHead(0, 0), "# Predictions\n\n0 pages.\n");
  EXPECT_EQ(GalleryHead(0, 3),
            "# Predictions\n"
            "\n"
            "0 of 3 pages; 3 omitted (`max_images` is 0).\n");
  EXPECT_EQ(GalleryFailures({}), "");
}

TEST(Gallery, ThumbnailsAreScaledDownAndNeverUp) {
  struct Case {
    int width, height, wanted, got_width, got_height;
  };
  const Case cases[] = {
      {1000, 500, 480, 480, 240}, {1000, 1, 480, 480, 1}, {100, 50, 480, 100, 50},
      {480, 333, 480, 480, 333},  {3, 2000, 1, 1, 667},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::Message() << c.width << "x" << c.height);
    const images::Image thumbnail =
        Thumbnail(images::Filled(c.width, c.height, {9, 8, 7}), c.wanted);
    EXPECT_EQ(thumbnail.width, c.got_width);
    EXPECT_EQ(thumbnail.height, c.got_height);
    EXPECT_EQ(thumbnail.rgb[0], 9);
  }
}

}  // namespace
}  // namespace ridgeline::predictions
