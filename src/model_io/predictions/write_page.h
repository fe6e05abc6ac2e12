// The folder of one page: result_with_boxes.jpg, result.mmd, images/<k>.jpg, info.json.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "base/result.h"
#include "model_io/images/image.h"
#include "model_io/predictions/page_boxes.h"
#include "model_io/predictions/predictions_file.h"

namespace ridgeline::predictions {

inline constexpr const char* kPicturePath = "result_with_boxes.jpg";
inline constexpr const char* kMarkdownPath = "result.mmd";
inline constexpr const char* kInfoPath = "info.json";
inline constexpr int kJpegQuality = 90;

struct LoadedPage {
  std::string md5;  // Of the file: the same page has the same folder everywhere.
  images::Image image;
};

Result<LoadedPage> LoadPage(const std::filesystem::path& path);

// Names the folders of a run. A page that is repeated, in another epoch or as a copy, has
// the same MD5 and gets a separate folder: "<md5>", "<md5>-2", "<md5>-3".
class PageFolderNames {
 public:
  std::string Next(const std::string& md5);

 private:
  std::map<std::string, int> uses_;
};

struct WrittenPage {
  images::Image picture;  // The page with its boxes.
  size_t boxes = 0;       // Number of boxes shown.
};

// Replaces `folder` atomically: it is never visible half written, except after a system
// crash. Its parent must exist. An error other than kIo is specific to the page, such as
// one too large to draw on.
Result<WrittenPage> WritePage(const std::filesystem::path& folder, const LoadedPage& page,
                              const Prediction& prediction);

// Data of one page for its directory.
struct PageFacts {
  const Prediction& prediction;
  std::string image_md5;
  int width = 0;  // Of the image, in pixels.
  int height = 0;
  const GroundedText& grounded;
  const PageBoxes& boxes;
};

// Text of info.json: the source, its size, every box in the model's units and in pixels
// with its colour and crop, counts, tokens and times.
std::string PageInfoJson(const PageFacts& facts);

// The page with all boxes that have an area: an outline just inside the box, a
// translucent fill, and the label, all in the label's colour. Fills are below outlines,
// outlines below labels. The same fonts and libraries give the same pixels.
//
// Fails if a side exceeds cairo's limit of 32767 pixels.
Result<images::Image> DrawBoxes(const images::Image& page,
                                std::span<const PageBox> boxes);

// In pixels, for a page of this size.
int OutlineWidth(int page_width, int page_height);

// Weight of the label's colour in a fill.
inline constexpr double kFillOpacity = 0.2;

}  // namespace ridgeline::predictions
