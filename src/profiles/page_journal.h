// pages.jsonl: the pages of a model's run as they finish, so that a run that is killed
// continues after the last of them. One JSON object per line:
//   {"identity": "5e88...", "metrics": {...}}                    the run; always first
//   {"profiled": {...}, "tokens": "9e10..."}                     the profiled page
//   {"sample": {...}, "tokens": "9e10...", "predictions_bytes": 812, "gallery_bytes": 0,
//    "gallery_pages": 0, "folder": "", "peak_rss_bytes": 210000000}  a page that was read
//   {"failure": {"image": "b.png", "reason": "..."}}             one that was not
//   {"resumed": true}                                            a new process
// A page's line comes after all that is written about it elsewhere, so that a page
// without a line is read again, and the other files are cut to the ends that the last
// line has of them.
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

// How far the outputs are.
struct OutputMarks {
  int64_t predictions_bytes = 0;
  int64_t gallery_bytes = 0;
  int64_t gallery_pages = 0;
  std::string folder;  // Of the last page; empty: it has none.

  bool operator==(const OutputMarks&) const = default;
};

struct PageJournal {
  std::string identity;  // Of configuration and pages: other ones cannot continue here.
  // Of all pages so far, without statistics.
  ModelMetrics metrics;
  // Digests of the generated tokens, so that passes can be compared: of each of
  // metrics.samples, and of metrics.profiled.
  std::vector<std::string> tokens;
  std::string profiled_tokens;

  int64_t samples_done = 0;          // Read or not.
  OutputMarks marks;                 // After the last page that was read.
  std::vector<std::string> folders;  // Of all pages.
  int64_t bytes = 0;                 // Of its lines that count.
};

// The lines, each with its newline.
std::string HeadLine(const PageJournal& journal);
std::string ProfiledLine(const ModelSample& sample, std::string_view tokens);
std::string SampleLine(const ModelSample& sample, std::string_view tokens,
                       const OutputMarks& marks, int64_t peak_rss_bytes);
std::string FailureLine(const PageFailure& failure);
std::string ResumedLine();

// A last line that is not whole does not count.
Result<PageJournal> ParsePageJournal(std::string_view text);

// The files that a run appends to; empty: not written. They are not in the journal
// because their directories may come from a variable of the environment, which is not
// written down.
struct OutputFiles {
  std::filesystem::path predictions;
  std::filesystem::path gallery;
};

// The same of the file in `directory`. Lines about pages whose output did not reach the
// disk, because the machine stopped, do not count either. kNotFound: there is no journal.
Result<PageJournal> ReadPageJournal(const std::filesystem::path& directory,
                                    const OutputFiles& outputs);

}  // namespace ridgeline::profiles
