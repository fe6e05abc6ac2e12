#include "stages/shared/model_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/model_statistics.h"
#include "base/json.h"
#include "base/plural.h"
#include "os/append_file.h"
#include "os/files.h"
#include "os/stale_files.h"
#include "profiles/page_journal.h"

namespace ridgeline::stages {
namespace {

using SortedJson = nlohmann::json;

// Written by the model if it has a reference.
constexpr const char* kParityFile = "parity.json";

// Exit code of ridgeline-model if the output differs from the reference.
constexpr int kDiffers = 3;

// Takes the verdict from parity.json.
Status NoteParity(const std::string& text, const std::filesystem::path& receipt,
                  pipeline::StageContext& context) {
  const SortedJson json = ParseJson<SortedJson>(text);
  if (!json.is_object() || !json.contains("parity") || !json.contains("summary")) {
    return Error(ErrorCode::kParse, receipt.string() + ": not a parity file");
  }
  if (json["parity"] == ToText(artifacts::Parity::kNotChecked)) {
    context.Note(fmt::format("parity {}", json["summary"].get<std::string>()));
    return Ok();
  }
  const bool passed = json["parity"] == ToText(artifacts::Parity::kPassed);
  context.NoteParity(passed ? artifacts::Parity::kPassed : artifacts::Parity::kFailed,
                     json["summary"]);
  return Ok();
}

// The first file of this name below `directory`, or empty. An output directory outside
// the stage's belongs to the user, and is continued by the model later.
std::filesystem::path FindBelow(const std::filesystem::path& directory,
                                const char* name) {
  const auto entries = os::ListDirectory(directory);
  if (!entries.ok()) return {};
  for (const os::DirectoryEntry& entry : entries.value()) {
    if (entry.kind == os::FileKind::kRegular && entry.name == name) {
      return directory / name;
    }
    if (entry.kind != os::FileKind::kDirectory) continue;
    std::filesystem::path found = FindBelow(directory / entry.name, name);
    if (!found.empty()) return found;
  }
  return {};
}

// Truncates a file of the model after its last complete page.
Status CutAfter(int64_t bytes, const std::filesystem::path& file) {
  if (file.empty()) return Ok();
  RIDGELINE_RETURN_IF_ERROR(os::RemoveStaleFiles(file.parent_path()));
  RIDGELINE_TRY(const os::AppendFile cut, os::AppendFile::Open(file, bytes));
  return Ok();
}

// Makes the outputs of an interrupted model consistent: its metrics, predictions and
// gallery are truncated to the pages in its journal. Returns a note with their number.
Result<std::string> KeepFinishedPages(const std::filesystem::path& directory) {
  const profiles::OutputFiles files = {
      .predictions = FindBelow(directory, profiles::kPredictionsFile),
      .gallery = FindBelow(directory, profiles::kGalleryFile)};
  RIDGELINE_TRY(profiles::PageJournal journal,
                profiles::ReadPageJournal(directory, files));
  profiles::ModelMetrics& metrics = journal.metrics;
  if (metrics.samples.empty()) return std::string();
  RIDGELINE_RETURN_IF_ERROR(CutAfter(journal.marks.predictions_bytes, files.predictions));
  RIDGELINE_RETURN_IF_ERROR(CutAfter(journal.marks.gallery_bytes, files.gallery));
  metrics.statistics = analysis::StatisticsOf(metrics.samples);
  RIDGELINE_RETURN_IF_ERROR(
      os::WriteFileAtomically(directory / "metrics.json", profiles::ToJson(metrics)));
  return fmt::format("{} done; continue with ridgeline run --resume",
                     PartOf(journal.samples_done, metrics.samples_planned, "page"));
}

Error WithFinishedPages(Error error, const std::filesystem::path& directory) {
  if (!os::Exists(directory / profiles::kPageJournalFile)) return error;
  const Result<std::string> kept = KeepFinishedPages(directory);
  const std::string text = kept.ok() ? kept.value() : kept.error().message();
  return text.empty() ? error : Error(error.code(), error.message() + "; " + text);
}

void NoteWarnings(std::string_view output, pipeline::StageContext& context) {
  constexpr std::string_view kMark = profiles::kModelWarning;
  for (size_t at = output.find(kMark); at != output.npos; at = output.find(kMark, at)) {
    at += kMark.size();
    context.Note(std::string(output.substr(at, output.find('\n', at) - at)));
  }
}

}  // namespace

void NotePages(const profiles::ModelMetrics& metrics, pipeline::StageContext& context) {
  if (!metrics.failures.empty()) {
    constexpr size_t kNamed = 10;
    const std::vector<profiles::PageFailure>& failures = metrics.failures;
    std::string text = fmt::format(
        "{} could not be read:",
        PartOf(failures.size(), metrics.pages() + std::ssize(failures), "page"));
    for (size_t i = 0; i < std::min(failures.size(), kNamed); ++i) {
      text += fmt::format("{} {} ({})", i == 0 ? "" : ",", failures[i].image,
                          failures[i].reason);
    }
    if (failures.size() > kNamed) {
      text += fmt::format(" and {} more, see `failures` in {}/metrics.json",
                          failures.size() - kNamed,
                          context.place().directory.filename().string());
    }
    context.Note(std::move(text));
  }
  if (metrics.sessions > 1) {
    context.Note(
        fmt::format("measured in {} sessions, each with its own warm-up: the run was "
                    "resumed between pages",
                    metrics.sessions));
  }
}

Status CheckModelEnd(pipeline::StageContext& context,
                     const pipeline::PlannedCommand& command,
                     const os::ProcessResult& ended) {
  NoteWarnings(ended.output, context);
  if (ended.exit_code != kDiffers) {
    Status fine = context.CheckEnd(command, ended);
    if (!fine.ok()) {
      return WithFinishedPages(std::move(fine).error(), context.place().directory);
    }
  }
  const std::filesystem::path receipt = context.place().directory / kParityFile;
  if (!os::Exists(receipt)) return Ok();
  RIDGELINE_TRY(const std::string text, os::ReadFile(receipt));
  return NoteParity(text, receipt, context);
}

Status TakeCaptureParity(pipeline::StageContext& context) {
  const std::filesystem::path receipt = context.place().workload_scratch / kParityFile;
  if (!context.place().workload.IsModel() || !os::Exists(receipt)) return Ok();
  RIDGELINE_TRY(const std::string text, os::ReadFile(receipt));
  RIDGELINE_RETURN_IF_ERROR(context.Write(kParityFile, text));
  return NoteParity(text, receipt, context);
}

}  // namespace ridgeline::stages
