#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model_io/predictions/gallery.h"
#include "model_io/predictions/predictions_file.h"
#include "model_io/predictions/write_page.h"
#include "os/append_file.h"
#include "profiles/page_journal.h"

namespace ridgeline::predictions {

// Writes the predictions of a stage. Missing directories are created.
struct OutputOptions {
  bool prediction_enable = false;
  std::filesystem::path prediction_dir;  // predictions.jsonl.
  bool visualization_enable = false;
  std::filesystem::path visualization_dir;  // predictions.md and a folder for each page.
  // predictions.jsonl and the gallery have the clean text as their text. Boxes come from
  // the whole text all the same.
  bool strip_special_tokens = false;
  std::optional<int64_t> max_images = 16;  // In the gallery; nothing: all of them.
  int thumbnail_width = 480;               // Pixels, 1 or more.
};

// Writes all that the options ask for, page by page: when Add returns, the prediction is
// a whole line of predictions.jsonl, the page's folder is complete and its section is in
// the gallery. A writer that is killed meanwhile is followed by one that continues after
// the marks of the last page that is known to be complete.
class OutputWriter {
 public:
  // How far an earlier writer came.
  struct Done {
    profiles::OutputMarks marks;
    std::vector<std::string> folders;  // Of all its pages.
  };

  // Missing directories are created, outputs that are there already are replaced.
  static Result<OutputWriter> Open(const OutputOptions& options, size_t pages_planned) {
    return Continue(options, pages_planned, {});
  }
  static Result<OutputWriter> Continue(const OutputOptions& options, size_t pages_planned,
                                       const Done& done);

  // An error if something cannot be written. A page whose image cannot be read or drawn
  // has no folder, and the gallery says why.
  Status Add(const Prediction& prediction);

  // After the last page.
  Status Finish(std::span<const std::string> failures);

  // Where the outputs end.
  const profiles::OutputMarks& marks() const { return marks_; }

  // On the disk, also if the machine stops.
  Status Sync() const;

  // Why the last page has no folder; empty if it has one, or none was asked for.
  const std::string& problem() const { return problem_; }

 private:
  OutputWriter(OutputOptions options, size_t pages_planned)
      : options_(std::move(options)), pages_planned_(pages_planned) {}

  size_t GallerySize() const;
  Status OpenPredictions();
  Status OpenGallery(const Done& done);
  Status AddPrediction(const Prediction& prediction);
  Status AddPage(const Prediction& prediction);
  Status WriteFolder(const LoadedPage& page, GalleryPage& shown);

  OutputOptions options_;
  size_t pages_planned_;
  std::optional<os::AppendFile> predictions_;
  std::optional<os::AppendFile> gallery_;
  PageFolderNames names_;
  profiles::OutputMarks marks_;
  std::string problem_;
};

// The files that the options ask for.
profiles::OutputFiles FilesOf(const OutputOptions& options);

}  // namespace ridgeline::predictions
