#include "model_io/predictions/write_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model_io/images/encode.h"
#include "model_io/predictions/gallery.h"
#include "model_io/predictions/write_page.h"
#include "os/files.h"

namespace ridgeline::predictions {
namespace {

namespace fs = std::filesystem;

Status CheckOptions(const OutputOptions& options) {
  if (!options.visualization_enable) return Ok();
  if (options.thumbnail_width < 1) {
    return Error(
        ErrorCode::kConfig,
        fmt::format("thumbnail_width: {} is less than 1 pixel", options.thumbnail_width));
  }
  if (options.max_images.value_or(0) < 0) {
    return Error(ErrorCode::kConfig,
                 fmt::format("max_images: {} is less than 0", *options.max_images));
  }
  return Ok();
}

Status WritePredictions(const OutputOptions& options,
                        std::span<const Prediction> predictions) {
  std::string lines;
  for (const Prediction& prediction : predictions) {
    if (!options.strip_special_tokens) {
      lines += ToJsonLine(prediction);
      continue;
    }
    Prediction stripped = prediction;
    stripped.text = stripped.text_clean;
    lines += ToJsonLine(stripped);
  }
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(options.prediction_dir));
  return os::WriteFileAtomically(options.prediction_dir / "predictions.jsonl", lines);
}

Status WriteThumbnail(const fs::path& folder, const images::Image& picture, int width) {
  RIDGELINE_TRY(const std::string jpeg,
                images::EncodeJpeg(Thumbnail(picture, width), kJpegQuality));
  return os::WriteFileAtomically(folder / kThumbnailPath, jpeg);
}

// Writes the folders of pages one after the other and remembers what the gallery shows.
class Visualization {
 public:
  Visualization(const OutputOptions& options, size_t pages_total)
      : options_(options), pages_total_(pages_total) {
    const auto all = static_cast<int64_t>(pages_total);
    gallery_size_ = static_cast<size_t>(std::min(options.max_images.value_or(all), all));
  }

  Status Add(const Prediction& prediction) {
    GalleryPage shown{
        .prediction = prediction,
        .text = options_.strip_special_tokens ? prediction.text_clean : prediction.text};
    const Result<LoadedPage> page = LoadPage(prediction.image);
    if (page.ok()) {
      RIDGELINE_RETURN_IF_ERROR(WriteFolder(page.value(), shown));
    } else {
      NoteProblem(page.error(), shown);
    }
    if (InGallery()) gallery_.push_back(std::move(shown));
    return Ok();
  }

  Result<WrittenOutputs> Finish() && {
    written_.pages_in_gallery = gallery_.size();
    RIDGELINE_RETURN_IF_ERROR(
        os::WriteFileAtomically(options_.visualization_dir / "predictions.md",
                                GalleryMarkdown(gallery_, pages_total_)));
    return std::move(written_);
  }

 private:
  bool InGallery() const { return gallery_.size() < gallery_size_; }

  Status WriteFolder(const LoadedPage& page, GalleryPage& shown) {
    const std::string name = names_.Next(page.md5);
    const fs::path folder = options_.visualization_dir / name;
    Result<WrittenPage> written = WritePage(folder, page, shown.prediction);
    if (!written.ok()) {
      if (written.error().code() == ErrorCode::kIo) return std::move(written).error();
      NoteProblem(written.error(), shown);
      return Ok();
    }
    shown.folder = name;
    shown.boxes = written.value().boxes;
    ++written_.pages_with_folder;
    if (!InGallery()) return Ok();
    return WriteThumbnail(folder, written.value().picture, options_.thumbnail_width);
  }

  void NoteProblem(const Error& error, GalleryPage& shown) {
    shown.problem = error.message();
    written_.problems.push_back(error.message());
  }

  const OutputOptions& options_;
  size_t pages_total_;
  size_t gallery_size_ = 0;
  PageFolderNames names_;
  std::vector<GalleryPage> gallery_;
  WrittenOutputs written_;
};

}  // namespace

Result<WrittenOutputs> WriteOutputs(const OutputOptions& options,
                                    std::span<const Prediction> predictions) {
  RIDGELINE_RETURN_IF_ERROR(CheckOptions(options));
  if (options.prediction_enable) {
    RIDGELINE_RETURN_IF_ERROR(WritePredictions(options, predictions));
  }
  if (!options.visualization_enable) return WrittenOutputs{};
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(options.visualization_dir));
  Visualization visualization(options, predictions.size());
  for (const Prediction& prediction : predictions) {
    RIDGELINE_RETURN_IF_ERROR(visualization.Add(prediction));
  }
  return std::move(visualization).Finish();
}

}  // namespace ridgeline::predictions
