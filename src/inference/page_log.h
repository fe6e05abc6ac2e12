#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/result.h"
#include "model_io/predictions/write_outputs.h"
#include "os/append_file.h"
#include "profiles/page_journal.h"

namespace ridgeline::inference {

// A processed page.
struct Sample {
  int64_t repeat = 0;  // From 0.
  double wall_s = 0;   // From opening the image to the last token.
  predictions::Prediction prediction;
};

// Writes the pages of a run to disk as they finish: predictions and gallery of the first
// pass, and a line of pages.jsonl for each page of each pass. Keeps no pages in memory.
// Added pages survive if the process is killed and, except for the last seconds, a system
// crash.
class PageLog {
 public:
  // Starts with the first page; `head` has no pages. Replaces files of an earlier run.
  static Result<PageLog> Begin(const profiles::PageJournal& head,
                               const predictions::OutputOptions& outputs,
                               const std::filesystem::path& directory);

  // Continues after the last page of `earlier`.
  static Result<PageLog> Continue(const profiles::PageJournal& earlier,
                                  const predictions::OutputOptions& outputs,
                                  const std::filesystem::path& directory);

  int64_t samples_done() const { return samples_done_; }
  bool has_profiled() const { return has_profiled_; }

  Status AddProfiled(const Sample& sample);
  // Returns why the page has no folder in the gallery; empty if it has one or needs none.
  Result<std::string> Add(const Sample& sample);
  Status AddFailure(const profiles::PageFailure& failure);

  // Call after the last page: completes the gallery and returns the metrics of all pages,
  // including those of earlier processes.
  Result<profiles::ModelMetrics> Finish();

 private:
  PageLog(std::filesystem::path directory, os::AppendFile journal,
          predictions::OutputWriter outputs)
      : directory_(std::move(directory)),
        journal_(std::move(journal)),
        outputs_(std::move(outputs)) {}
  Status SyncNowAndThen();

  std::filesystem::path directory_;
  os::AppendFile journal_;
  predictions::OutputWriter outputs_;
  int64_t samples_done_ = 0;
  bool has_profiled_ = false;
  int64_t synced_ns_ = 0;
};

}  // namespace ridgeline::inference
