#include "model_io/predictions/write_page.h"

#include <fmt/format.h>

#include <utility>

#include "base/digest.h"
#include "model_io/images/decode.h"
#include "model_io/images/encode.h"
#include "model_io/predictions/page_boxes.h"
#include "os/atomic_directory.h"
#include "os/files.h"

namespace ridgeline::predictions {
namespace {

namespace fs = std::filesystem;

Status WriteJpeg(const fs::path& path, const images::Image& image) {
  RIDGELINE_TRY(const std::string jpeg, images::EncodeJpeg(image, kJpegQuality));
  return os::WriteFile(path, jpeg);
}

Status WriteCrops(const fs::path& folder, const images::Image& page,
                  const PageBoxes& boxes) {
  for (const PageBox& box : boxes.boxes) {
    if (!box.crop || box.pixels.degenerate()) continue;
    const fs::path path = folder / images::CropPath(*box.crop);
    RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(path.parent_path()));
    RIDGELINE_RETURN_IF_ERROR(WriteJpeg(path, images::Crop(page, box.pixels.area())));
  }
  return Ok();
}

Result<WrittenPage> FillFolder(const fs::path& folder, const LoadedPage& page,
                               const Prediction& prediction) {
  const GroundedText& grounded = prediction.grounded;
  const PageBoxes boxes = BoxesOnPage(grounded, page.image.width, page.image.height);
  RIDGELINE_TRY(images::Image picture, DrawBoxes(page.image, boxes.boxes));
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(folder));
  RIDGELINE_RETURN_IF_ERROR(WriteJpeg(folder / kPicturePath, picture));
  RIDGELINE_RETURN_IF_ERROR(WriteCrops(folder, page.image, boxes));
  RIDGELINE_RETURN_IF_ERROR(os::WriteFile(folder / kMarkdownPath,
                                          prediction.markdown.value_or(prediction.text)));
  RIDGELINE_RETURN_IF_ERROR(
      os::WriteFile(folder / kInfoPath, PageInfoJson({.prediction = prediction,
                                                      .image_md5 = page.md5,
                                                      .width = page.image.width,
                                                      .height = page.image.height,
                                                      .grounded = grounded,
                                                      .boxes = boxes})));
  return WrittenPage{.picture = std::move(picture),
                     .boxes = boxes.boxes.size() - boxes.degenerate};
}

}  // namespace

Result<LoadedPage> LoadPage(const fs::path& path) {
  const images::DecodeLimits limits;
  RIDGELINE_TRY(const int64_t size, os::FileSize(path));
  if (!os::IsRegularFile(path) || size > limits.file_bytes_max) {
    return Error(ErrorCode::kUnsupported,
                 fmt::format("{}: not a file of at most {} bytes", path.string(),
                             limits.file_bytes_max));
  }
  RIDGELINE_TRY(const std::string bytes, os::ReadFile(path));
  RIDGELINE_TRY(images::Image image, images::DecodeImage(bytes, path.string(), limits));
  return LoadedPage{.md5 = Md5(bytes), .image = std::move(image)};
}

std::string PageFolderNames::Next(const std::string& md5) {
  const int use = ++uses_[md5];
  return use == 1 ? md5 : fmt::format("{}-{}", md5, use);
}

Result<WrittenPage> WritePage(const fs::path& folder, const LoadedPage& page,
                              const Prediction& prediction) {
  // Pages of an earlier run are replaced, other directories with that name are not.
  RIDGELINE_TRY(os::AtomicDirectory unfinished,
                os::AtomicDirectory::Make(folder, {kInfoPath, "\"image_md5\""}));
  Result<WrittenPage> written = FillFolder(unfinished.path(), page, prediction);
  if (!written.ok()) return std::move(written).error().While(prediction.image.string());
  RIDGELINE_RETURN_IF_ERROR(unfinished.Commit());
  return written;
}

}  // namespace ridgeline::predictions
