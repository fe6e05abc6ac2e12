// pages.jsonl: the pages of a model's run as they finish, so that a killed run can
// continue after the last one. One JSON object per line:
//   {"identity": "5e88...", "metrics": {...}}                    the run; always first
//   {"profiled": {...}, "tokens": "9e10..."}                     the profiled page
//   {"sample": {...}, "tokens": "9e10...", "predictions_bytes": 812, "gallery_bytes": 0,
//    "gallery_pages": 0, "folder": "", "peak_rss_bytes": 210000000}  a page that was read
//   {"failure": {"image": "b.png", "reason": "..."}}             one that was not
//   {"resumed": true}                                            a new process
// The line of a page is written after all its other output, so a page without a line is
// read again, and the other files are truncated to the sizes given in the last line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profiles/model_metrics.h"

namespace ridgeline::profiles {

inline constexpr const char* kPageJournalFile = "pages.jsonl";
inline constexpr const char* kPredictionsFile = "predictions.jsonl";
inline constexpr const char* kGalleryFile = "predictions.md";

// Ends of the outputs.
struct OutputMarks {
  int64_t predictions_bytes = 0;
  int64_t gallery_bytes = 0;
  int64_t gallery_pages = 0;
  std::string folder;  // Of the last page, or empty.

  bool operator==(const OutputMarks&) const = default;
};

struct PageJournal {
  std::string identity;  // Of configuration and pages; must match to continue.
  // Of all pages so far, without statistics.
  ModelMetrics metrics;
  // Digests of the generated tokens, for comparing passes: of each of metrics.samples,
  // and of metrics.profiled.
  std::vector<std::string> tokens;
  std::string profiled_tokens;

  int64_t samples_done = 0;          // Read or not.
  bool is_resumed = false;           // No sample since.
  OutputMarks marks;                 // After the last page read.
  std::vector<std::string> folders;  // Of all pages.
  int64_t bytes = 0;                 // Size of its valid lines.
};

// Lines, each with a newline.
std::string HeadLine(const PageJournal& journal);
std::string ProfiledLine(const ModelSample& sample, std::string_view tokens);
std::string SampleLine(const ModelSample& sample, std::string_view tokens,
                       const OutputMarks& marks, int64_t peak_rss_bytes);
std::string FailureLine(const PageFailure& failure);
std::string ResumedLine();

// Ignores an incomplete last line.
Result<PageJournal> ParsePageJournal(std::string_view text);

// The files that a run appends to; empty: not written. They are not in the journal
// because their directories may come from an environment variable, which is not recorded.
struct OutputFiles {
  std::filesystem::path predictions;
  std::filesystem::path gallery;
};

// The same for the file in `directory`. Also ignores lines of pages whose output did not
// reach the disk because of a system crash. kNotFound: no journal.
Result<PageJournal> ReadPageJournal(const std::filesystem::path& directory,
                                    const OutputFiles& outputs);

}  // namespace ridgeline::profiles
