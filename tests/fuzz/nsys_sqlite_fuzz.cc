// Any bytes as an SQLite file: refused, or rows that belong together and whose regions
// add up. Without the 16 bytes at the beginning SQLite would refuse them all.
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/nsys_findings.h"
#include "profiles/nsys_sqlite/nsys_sqlite.h"
#include "results/result_store.h"
#include "tests/fuzz/fuzz.h"

namespace nsys_sqlite_fuzz {

using ridgeline::fuzz::Require;
using ridgeline::results::NsysRows;

// A name that SQLite can open: it follows links, so that files without one are lost.
struct TemporaryFile {
  TemporaryFile() : number(mkstemp(path.data())) { Require(number >= 0); }
  ~TemporaryFile() {
    close(number);
    unlink(path.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path = std::filesystem::temp_directory_path() / "nsys_sqlite_fuzz.XXXXXX";
  int number = -1;
};

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

// Reading only the kernels finds as many as reading everything.
void CheckKernels(const std::string& path, const NsysRows& rows) {
  size_t visited = 0;
  const auto kernels = ridgeline::profiles::ReadNsysKernels(
      path, [&](std::optional<ridgeline::StringId> name, int64_t duration_ns) {
        Require(duration_ns >= 0);
        if (name) ++visited;
      });
  Require(kernels.ok());
  size_t kept = 0;
  for (const auto& op : rows.gpu_ops) {
    if (op.kind == ridgeline::results::GpuActivityKind::kKernel) ++kept;
  }
  Require(visited == kept);
}

int Run(const uint8_t* data, size_t size) {
  static const TemporaryFile temporary;
  const int file = temporary.number;
  const std::string& path = temporary.path;
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  Require(ftruncate(file, 0) == 0);
  Require(pwrite(file, data, size, 0) == static_cast<ssize_t>(size));
  if (size >= kMagic.size()) Require(pwrite(file, kMagic.data(), kMagic.size(), 0) == 16);
  const auto rows = ridgeline::profiles::ReadNsysSqlite(path);
  if (!rows.ok()) {
    Require(rows.error().message() != "SQLite: unable to open database file");
    return 0;
  }
  CheckRows(rows.value());
  CheckKernels(path, rows.value());
  const auto findings = ridgeline::analysis::FindingsOf(rows.value());
  Require(findings.ok());
  ridgeline::results::ResultStore store;
  AddToStore(rows.value(), findings.value(), {.file = "fuzz"},
             ridgeline::analysis::WithEvents::kYes, store);
  Require(ToSqlite(store, "fuzz").ok());
  return 0;
}

}  // namespace nsys_sqlite_fuzz

RIDGELINE_FUZZ_TARGET(nsys_sqlite_fuzz)
