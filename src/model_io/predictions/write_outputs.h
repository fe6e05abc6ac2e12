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
  std::filesystem::path prediction_dir;  // For predictions.jsonl.
  bool visualization_enable = false;
  std::filesystem::path visualization_dir;  // For predictions.md and a folder per page.
  // predictions.jsonl and the gallery contain the clean text. Boxes still come from the
  // whole text.
  bool strip_special_tokens = false;
  std::optional<int64_t> max_images = 16;  // In the gallery; nullopt: all of them.
  int thumbnail_width = 480;               // Pixels, 1 or more.
};

// Writes the configured outputs page by page: when Add returns, the prediction is a
// complete line of predictions.jsonl, and the page's folder and its section in the
// gallery are complete. If a writer is killed, the next one continues at the marks of the
// last page known to be complete.
class OutputWriter {
 public:
  // Progress of an earlier writer.
  struct Done {
    profiles::OutputMarks marks;
    std::vector<std::string> folders;  // Of all its pages.
  };

  // Creates missing directories, replaces existing outputs.
  static Result<OutputWriter> Open(const OutputOptions& options, size_t pages_planned) {
    return Continue(options, pages_planned, {});
  }
  static Result<OutputWriter> Continue(const OutputOptions& options, size_t pages_planned,
                                       const Done& done);

  // Fails if something cannot be written. A page whose image cannot be read or drawn has
  // no folder, and the gallery gives the reason.
  Status Add(const Prediction& prediction);

  // After the last page.
  Status Finish(std::span<const std::string> failures);

  // Ends of the outputs.
  const profiles::OutputMarks& marks() const { return marks_; }

  // Flushes to disk, to survive a system crash.
  Status Sync() const;

  // Why the last page has no folder; empty if it has one, or none was requested.
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

// The files configured by the options.
profiles::OutputFiles FilesOf(const OutputOptions& options);

}  // namespace ridgeline::predictions
