// Any bytes as an SQLite file: refused, or rows that belong together and whose regions
// add up. Without the 16 bytes at the beginning SQLite would refuse them all.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "analysis/nsys_findings.h"
#include "importers/nsys_sqlite.h"
#include "results/result_store.h"

namespace {

using ridgeline::results::NsysRows;

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckRows(const NsysRows& rows) {
  int64_t last_ns = INT64_MIN;
  for (const auto& op : rows.gpu_ops) {
    Require(op.duration_ns >= 0 && op.start_ns >= last_ns);
    last_ns = op.start_ns;
    Require(op.track < rows.tracks.size());
    Require(!op.has_call() || op.thread < rows.threads.size());
  }
  for (const auto& range : rows.nvtx_ranges) {
    Require(range.end_ns >= range.start_ns && range.name < rows.names.size());
    Require(range.thread < rows.threads.size() && range.domain < rows.domains.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const int file = memfd_create("export", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  Require(ftruncate(file, 0) == 0);
  Require(pwrite(file, data, size, 0) == static_cast<ssize_t>(size));
  if (size >= kMagic.size()) Require(pwrite(file, kMagic.data(), kMagic.size(), 0) == 16);
  const auto rows = ridgeline::importers::ReadNsysSqlite(path);
  if (!rows.ok()) return 0;
  CheckRows(rows.value());
  const auto findings = ridgeline::analysis::FindingsOf(rows.value());
  Require(findings.ok());
  ridgeline::results::ResultStore store;
  AddToStore(rows.value(), findings.value(), {.file = "fuzz"},
             ridgeline::analysis::WithEvents::kYes, store);
  Require(ToSqlite(store, "fuzz").ok());
  return 0;
}
