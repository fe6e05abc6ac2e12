#include "profiles/page_journal.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json.h"
#include "os/files.h"

namespace ridgeline::profiles {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string Line(const Json& json) { return DumpJson(json) + "\n"; }

Error NoJournal(const std::string& what) {
  return {ErrorCode::kParse, std::string(kPageJournalFile) + ": " + what};
}

// Sizes of the outputs; lines beyond them do not count.
struct OutputSizes {
  int64_t predictions_bytes = INT64_MAX;
  int64_t gallery_bytes = INT64_MAX;
};

Result<PageJournal> ParseHead(std::string_view line) {
  const auto json = ParseJson<Json>(line);
  const auto identity =
      json.is_object() ? MemberIn<std::string>(json, "identity") : std::nullopt;
  if (!identity || !json.contains("metrics"))
    return NoJournal("the first line is broken");
  PageJournal journal;
  journal.identity = *identity;
  RIDGELINE_TRY(journal.metrics,
                ParseModelMetrics(DumpJson(json["metrics"]), kPageJournalFile));
  return journal;
}

void AddFailure(const Json& json, PageJournal& journal) {
  PageFailure failure = {MemberIn<std::string>(json, "image").value_or(""),
                         MemberIn<std::string>(json, "reason").value_or("")};
  std::vector<PageFailure>& all = journal.metrics.failures;
  const bool known = std::any_of(all.begin(), all.end(), [&](const PageFailure& other) {
    return other.image == failure.image;
  });
  if (!known) all.push_back(std::move(failure));
  ++journal.samples_done;
}

// False: its outputs are missing.
Result<bool> AddSample(const Json& json, const OutputSizes& sizes, PageJournal& journal) {
  const OutputMarks marks = {
      .predictions_bytes = MemberIn<int64_t>(json, "predictions_bytes").value_or(0),
      .gallery_bytes = MemberIn<int64_t>(json, "gallery_bytes").value_or(0),
      .gallery_pages = MemberIn<int64_t>(json, "gallery_pages").value_or(0),
      .folder = MemberIn<std::string>(json, "folder").value_or("")};
  if (marks.predictions_bytes > sizes.predictions_bytes ||
      marks.gallery_bytes > sizes.gallery_bytes) {
    return false;
  }
  RIDGELINE_TRY(ModelSample sample, ParseModelSample(DumpJson(json["sample"])));
  if (journal.is_resumed && !journal.metrics.samples.empty()) ++journal.metrics.sessions;
  journal.is_resumed = false;
  journal.metrics.samples.push_back(std::move(sample));
  journal.tokens.push_back(MemberIn<std::string>(json, "tokens").value_or(""));
  journal.metrics.peak_rss_bytes =
      std::max(journal.metrics.peak_rss_bytes,
               MemberIn<int64_t>(json, "peak_rss_bytes").value_or(0));
  if (!marks.folder.empty()) journal.folders.push_back(marks.folder);
  journal.marks = marks;
  ++journal.samples_done;
  return true;
}

// False: this line and all that follow do not count.
Result<bool> AddLine(const Json& json, const OutputSizes& sizes, PageJournal& journal) {
  if (!json.is_object()) return false;
  if (json.contains("sample")) return AddSample(json, sizes, journal);
  if (json.contains("failure") && json["failure"].is_object()) {
    AddFailure(json["failure"], journal);
  } else if (json.contains("profiled")) {
    RIDGELINE_TRY(journal.metrics.profiled, ParseModelSample(DumpJson(json["profiled"])));
    journal.profiled_tokens = MemberIn<std::string>(json, "tokens").value_or("");
  } else if (json.contains("resumed")) {
    journal.is_resumed = true;
  }
  return true;
}

Result<PageJournal> Parse(std::string_view text, const OutputSizes& sizes) {
  const size_t end_of_head = text.find('\n');
  if (end_of_head == text.npos) return NoJournal("the first line is broken");
  RIDGELINE_TRY(PageJournal journal, ParseHead(text.substr(0, end_of_head)));
  size_t begin = end_of_head + 1;
  while (true) {
    journal.bytes = static_cast<int64_t>(begin);
    const size_t end = text.find('\n', begin);
    if (end == text.npos) return journal;
    const auto json = ParseJson<Json>(text.substr(begin, end - begin));
    RIDGELINE_TRY(const bool counts, AddLine(json, sizes, journal));
    if (!counts) return journal;
    begin = end + 1;
  }
}

int64_t SizeOf(const fs::path& file) {
  if (file.empty()) return INT64_MAX;
  const Result<int64_t> size = os::FileSize(file);
  return size.ok() ? size.value() : 0;
}

}  // namespace

std::string HeadLine(const PageJournal& journal) {
  return Line({{"identity", journal.identity},
               {"metrics", ParseJson<Json>(ToJson(journal.metrics))}});
}

std::string ProfiledLine(const ModelSample& sample, std::string_view tokens) {
  return Line({{"profiled", ParseJson<Json>(ToJsonLine(sample))}, {"tokens", tokens}});
}

std::string SampleLine(const ModelSample& sample, std::string_view tokens,
                       const OutputMarks& marks, int64_t peak_rss_bytes) {
  return Line({{"sample", ParseJson<Json>(ToJsonLine(sample))},
               {"tokens", tokens},
               {"predictions_bytes", marks.predictions_bytes},
               {"gallery_bytes", marks.gallery_bytes},
               {"gallery_pages", marks.gallery_pages},
               {"folder", marks.folder},
               {"peak_rss_bytes", peak_rss_bytes}});
}

std::string FailureLine(const PageFailure& failure) {
  return Line({{"failure", {{"image", failure.image}, {"reason", failure.reason}}}});
}

std::string ResumedLine() { return Line({{"resumed", true}}); }

Result<PageJournal> ParsePageJournal(std::string_view text) { return Parse(text, {}); }

Result<PageJournal> ReadPageJournal(const fs::path& directory,
                                    const OutputFiles& outputs) {
  RIDGELINE_TRY(const std::string text, os::ReadFile(directory / kPageJournalFile));
  return Parse(text, {.predictions_bytes = SizeOf(outputs.predictions),
                      .gallery_bytes = SizeOf(outputs.gallery)});
}

}  // namespace ridgeline::profiles
