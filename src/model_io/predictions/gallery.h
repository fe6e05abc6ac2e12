// predictions.md: browsable pages of a run, each with its image and text.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "model_io/images/image.h"
#include "model_io/predictions/predictions_file.h"

namespace ridgeline::predictions {

inline constexpr const char* kThumbnailPath = "thumbnail.jpg";

struct GalleryPage {
  const Prediction& prediction;
  std::string_view text;  // With or without special tokens, as configured.
  std::string folder;     // Next to predictions.md; empty if there is none...
  std::string problem;    // ...for this reason.
  size_t boxes = 0;
};

// predictions.md grows page by page: a head with the number of planned pages and those
// shown, a section for each of the latter, and, if there are any, the pages that could
// not be read. Names and texts are shown literally, whatever they contain.
std::string GalleryHead(size_t pages_shown, size_t pages_planned);
std::string GallerySection(const GalleryPage& page, size_t number);
std::string GalleryFailures(std::span<const std::string> reasons);

// Scales down to this width (1 or more), bicubic; narrower images stay unchanged.
images::Image Thumbnail(const images::Image& picture, int width);

// Embeds untrusted text in our Markdown.

// Shows a name literally on one line: nothing in it is markup, a link or HTML.
std::string EscapeMarkdown(std::string_view name);

// A block that shows the text literally. Its fence is longer than any in the text, so the
// block ends where the text does. Ends with a newline.
std::string FencedBlock(std::string_view text);

}  // namespace ridgeline::predictions
