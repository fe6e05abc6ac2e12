#include "model_io/predictions/write_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model_io/images/encode.h"
#include "os/files.h"
#include "os/stale_files.h"

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

Status WriteThumbnail(const fs::path& folder, const images::Image& picture, int width) {
  RIDGELINE_TRY(const std::string jpeg,
                images::EncodeJpeg(Thumbnail(picture, width), kJpegQuality));
  return os::WriteFileAtomically(folder / kThumbnailPath, jpeg);
}

// "<md5>-2" -> "<md5>"
std::string Md5Of(const std::string& folder) {
  return folder.substr(0, folder.find('-'));
}

}  // namespace

Result<OutputWriter> OutputWriter::Continue(const OutputOptions& options,
                                            size_t pages_planned, const Done& done) {
  RIDGELINE_RETURN_IF_ERROR(CheckOptions(options));
  OutputWriter writer(options, pages_planned);
  writer.marks_ = done.marks;
  if (options.prediction_enable) RIDGELINE_RETURN_IF_ERROR(writer.OpenPredictions());
  if (options.visualization_enable) RIDGELINE_RETURN_IF_ERROR(writer.OpenGallery(done));
  return writer;
}

profiles::OutputFiles FilesOf(const OutputOptions& options) {
  profiles::OutputFiles files;
  if (options.prediction_enable) {
    files.predictions = options.prediction_dir / profiles::kPredictionsFile;
  }
  if (options.visualization_enable) {
    files.gallery = options.visualization_dir / profiles::kGalleryFile;
  }
  return files;
}

Status OutputWriter::OpenPredictions() {
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(options_.prediction_dir));
  RIDGELINE_TRY(predictions_, os::AppendFile::Open(FilesOf(options_).predictions,
                                                   marks_.predictions_bytes));
  return Ok();
}

Status OutputWriter::OpenGallery(const Done& done) {
  const fs::path& directory = options_.visualization_dir;
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(directory));
  RIDGELINE_RETURN_IF_ERROR(os::RemoveStaleFiles(directory));
  RIDGELINE_TRY(gallery_,
                os::AppendFile::Open(FilesOf(options_).gallery, marks_.gallery_bytes));
  for (const std::string& folder : done.folders) names_.Next(Md5Of(folder));
  if (marks_.gallery_bytes > 0) return Ok();
  RIDGELINE_RETURN_IF_ERROR(gallery_->Append(GalleryHead(GallerySize(), pages_planned_)));
  marks_.gallery_bytes = gallery_->size();
  return Ok();
}

size_t OutputWriter::GallerySize() const {
  const auto all = static_cast<int64_t>(pages_planned_);
  return static_cast<size_t>(std::min(options_.max_images.value_or(all), all));
}

Status OutputWriter::Add(const Prediction& prediction) {
  problem_.clear();
  marks_.folder.clear();
  if (predictions_) RIDGELINE_RETURN_IF_ERROR(AddPrediction(prediction));
  if (gallery_) RIDGELINE_RETURN_IF_ERROR(AddPage(prediction));
  return Ok();
}

Status OutputWriter::AddPrediction(const Prediction& prediction) {
  Prediction written = prediction;
  if (options_.strip_special_tokens) written.text = written.text_clean;
  RIDGELINE_RETURN_IF_ERROR(predictions_->Append(ToJsonLine(written)));
  marks_.predictions_bytes = predictions_->size();
  return Ok();
}

Status OutputWriter::AddPage(const Prediction& prediction) {
  GalleryPage shown{
      .prediction = prediction,
      .text = options_.strip_special_tokens ? prediction.text_clean : prediction.text};
  const Result<LoadedPage> page = LoadPage(prediction.image);
  if (page.ok()) {
    RIDGELINE_RETURN_IF_ERROR(WriteFolder(page.value(), shown));
  } else {
    problem_ = page.error().message();
  }
  shown.problem = problem_;
  const auto in_gallery = static_cast<size_t>(marks_.gallery_pages);
  if (in_gallery >= GallerySize()) return Ok();
  RIDGELINE_RETURN_IF_ERROR(gallery_->Append(GallerySection(shown, in_gallery + 1)));
  marks_.gallery_bytes = gallery_->size();
  ++marks_.gallery_pages;
  return Ok();
}

Status OutputWriter::WriteFolder(const LoadedPage& page, GalleryPage& shown) {
  const std::string name = names_.Next(page.md5);
  const fs::path folder = options_.visualization_dir / name;
  Result<WrittenPage> written = WritePage(folder, page, shown.prediction);
  if (!written.ok()) {
    if (written.error().code() == ErrorCode::kIo) return std::move(written).error();
    problem_ = written.error().message();
    return Ok();
  }
  marks_.folder = name;
  shown.folder = name;
  shown.boxes = written.value().boxes;
  if (static_cast<size_t>(marks_.gallery_pages) >= GallerySize()) return Ok();
  return WriteThumbnail(folder, written.value().picture, options_.thumbnail_width);
}

Status OutputWriter::Finish(std::span<const std::string> failures) {
  if (gallery_) RIDGELINE_RETURN_IF_ERROR(gallery_->Append(GalleryFailures(failures)));
  return Sync();
}

Status OutputWriter::Sync() const {
  if (predictions_) RIDGELINE_RETURN_IF_ERROR(predictions_->Sync());
  if (gallery_) RIDGELINE_RETURN_IF_ERROR(gallery_->Sync());
  return Ok();
}

}  // namespace ridgeline::predictions
