#include "app/import/collected.h"

#include <utility>

#include "analysis/gpu_totals.h"
#include "analysis/nsys_findings.h"
#include "analysis/trace_findings.h"
#include "app/import/import_file.h"
#include "app/import/ncu_file.h"
#include "app/import/nsys_file.h"

namespace ridgeline::app {
namespace {

// Larger files are imported without single activities.
constexpr size_t kMostActivities = 1'000'000;

analysis::WithEvents EventsOf(size_t activities) {
  return activities <= kMostActivities ? analysis::WithEvents::kYes
                                       : analysis::WithEvents::kNo;
}

Status AddTrace(const ProfileFile& file, Collected& collected) {
  RIDGELINE_TRY(const ImportedTrace trace, ImportTrace(file.path));
  analysis::AddToStore(trace.rows, trace.findings,
                       {.file = file.name, .format = {}, .file_bytes = trace.file_bytes},
                       EventsOf(trace.rows.gpu_activities.size()), collected.store);
  collected.timelines.push_back(
      {file.name, analysis::TimelineOf(trace.rows, file.timeline_blocks)});
  return Ok();
}

Status AddExport(const ProfileFile& file, Collected& collected) {
  RIDGELINE_TRY(const ImportedExport imported, ImportExport(file.path));
  analysis::AddToStore(
      imported.rows, imported.findings,
      {.file = file.name, .format = {}, .file_bytes = imported.file_bytes},
      EventsOf(imported.rows.gpu_ops.size()), collected.store);
  collected.timelines.push_back(
      {file.name, analysis::TimelineOf(imported.rows, file.timeline_blocks)});
  return Ok();
}

Status AddSummary(const ProfileFile& file, Collected& collected) {
  RIDGELINE_TRY(const ImportedSummary imported, ImportSummary(file.path));
  analysis::AddToStore(
      imported.summary, imported.kernels,
      {.file = file.name, .format = {}, .file_bytes = imported.file_bytes},
      collected.store);
  return Ok();
}

Status AddCounters(const ProfileFile& file, Collected& collected) {
  RIDGELINE_TRY(ImportedNcu imported, ImportNcu(file.path));
  analysis::AddToStore(
      imported.rows, imported.findings,
      {.file = file.name, .format = {}, .file_bytes = imported.file_bytes},
      collected.store);
  collected.ncu.push_back(
      {file.name, std::move(imported.rows), std::move(imported.findings)});
  return Ok();
}

}  // namespace

Status AddProfile(const ProfileFile& file, Collected& collected) {
  RIDGELINE_TRY(const ProfileFormat format, FormatOf(file.path));
  switch (format) {
    case ProfileFormat::kTorchTrace:
      return AddTrace(file, collected);
    case ProfileFormat::kNsysSqlite:
      return AddExport(file, collected);
    case ProfileFormat::kNsysCsv:
      return AddSummary(file, collected);
    case ProfileFormat::kNcuCsv:
    case ProfileFormat::kNcuReport:
      return AddCounters(file, collected);
  }
  return Ok();
}

}  // namespace ridgeline::app
