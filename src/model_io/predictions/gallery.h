// predictions.md: the pages of a run to look through, each with its picture and its text.
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
  std::string_view text;  // With special tokens or without, as the user wants it.
  std::string folder;     // Beside predictions.md; empty if the page has none...
  std::string problem;    // ...for this reason.
  size_t boxes = 0;
};

// The text of predictions.md grows page by page: its head, which says how many of the
// planned pages it shows, a section for each of those, and, if there are any, the pages
// that could not be read. Whatever the names and texts are, each is shown as it is.
std::string GalleryHead(size_t pages_shown, size_t pages_planned);
std::string GallerySection(const GalleryPage& page, size_t number);
std::string GalleryFailures(std::span<const std::string> reasons);

// Scaled down to this width (1 or more), bicubic; a picture that is narrower stays as it
// is.
images::Image Thumbnail(const images::Image& picture, int width);

// Words of others within Markdown of ours.

// A name that shows as it is, in one line: nothing in it is markup, a link or HTML.
std::string EscapeMarkdown(std::string_view name);

// A block that shows the text as it is. Its fence is longer than any that the text holds,
// so the block ends where the text does. Ends with a newline.
std::string FencedBlock(std::string_view text);

}  // namespace ridgeline::predictions
