// Regions of exports that nobody has seen: generated SQLite files with any nesting, any
// threads, graphs and schemas, against a reference that is slow and obvious.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "analysis/nsys_findings.h"
#include "analysis/regions.h"
#include "profiles/nsys_sqlite/nsys_sqlite.h"
#include "profiles/testing/sqlite_file.h"

namespace ridgeline {
namespace {

using profiles::SqliteFile;
using results::kNone;
using results::NsysGpuOp;
using results::NsysRows;
using results::NvtxKind;
using results::NvtxRange;

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  // Tables and columns that not every version has are there or not.
  void Fill(SqliteFile& file) {
    const std::string more = Odds(2) ? "greenContextId INTEGER," : "";
    file.Run(
        "BEGIN; " + std::string(profiles::kStringsTableSql) +
        profiles::KernelTableSql(more) + profiles::kRuntimeTableSql +
        "INSERT INTO StringIds VALUES (1, 'f'), (2, 'g'), (3, 'r');"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, "
        "deviceId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid "
        "INTEGER, graphId INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId "
        "INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes "
        "INTEGER, copyKind INTEGER);");
    if (!Odds(8)) {
      file.Run(profiles::kNvtxTableSql);
      const int ranges = Below(60);
      for (int i = 0; i < ranges; ++i) file.Run(RangeSql());
    }
    const int launches = Below(120);
    for (int i = 1; i <= launches; ++i) file.Run(LaunchSql(i));
    file.Run("COMMIT");
  }

 private:
  int Below(int bound) {
    return static_cast<int>(random_() % static_cast<uint32_t>(bound));
  }
  bool Odds(int of) { return Below(of) == 0; }
  std::string Number(int64_t number) { return std::to_string(number); }
  int64_t Process() { return int64_t{1 + Below(2)} << 24; }

  std::string RangeSql() {
    const int start = Below(200);
    const std::string end = Odds(20) ? "NULL" : Number(start + Below(100));
    const bool is_registered = Odds(2);
    return "INSERT INTO NVTX_EVENTS (start, end, eventType, text, textId, globalTid, "
           "domainId) VALUES (" +
           Number(start) + "," + end + "," + (Odds(4) ? "60" : "59") + "," +
           (is_registered ? "NULL" : "'r" + Number(Below(4)) + "'") + "," +
           (is_registered ? "3" : "NULL") + "," + Number(Process() + Below(3)) + "," +
           Number(Below(2)) + ");";
  }

  std::string LaunchSql(int correlation) {
    const int64_t process = Process();
    std::string sql;
    // What was launched before the capture began has no call.
    if (!Odds(10)) {
      const int start = Below(250);
      sql +=
          "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, "
          "correlationId, nameId) VALUES (" +
          Number(start) + "," + Number(start + Below(5)) + "," +
          Number(process + Below(3)) + "," + Number(correlation) + ", 3);";
    }
    // A graph of which each node was measured is many kernels of one call.
    const int kernels = Odds(6) ? Below(6) : 1;
    for (int i = 0; i < kernels; ++i) sql += OpSql(correlation, process);
    return sql;
  }

  std::string OpSql(int correlation, int64_t process) {
    const int start = Below(1000);
    const std::string shared = Number(start) + "," + Number(start + Below(30)) + "," +
                               Number(Below(2)) + "," + Number(Below(3)) + "," +
                               Number(correlation) + "," + Number(process);
    const std::string columns =
        " (start, end, deviceId, streamId, correlationId, globalPid";
    if (Odds(6)) {
      return "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY" + columns +
             ", bytes, copyKind) VALUES (" + shared + "," + Number(Below(1000)) + ", 1);";
    }
    if (Odds(8)) {
      return "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE" + columns +
             ", graphId) VALUES (" + shared + ", 1);";
    }
    return "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL" + columns +
           ", demangledName, shortName) VALUES (" + shared + "," + Number(1 + Below(2)) +
           ", 2);";
  }

  std::mt19937 random_;
};

// Looks at every range for every op.
class SlowReference {
 public:
  explicit SlowReference(const NsysRows& rows) : rows_(rows) {}

  std::string PathOf(const NsysGpuOp& op) const {
    std::optional<size_t> range;
    if (op.has_call()) range = Innermost(op, NvtxKind::kPushPop);
    if (op.has_call() && !range) range = Innermost(op, NvtxKind::kStartEnd);
    return range ? Kind(*range) + PathOfRange(*range) : "";
  }

  // The paths that hold the op inclusively.
  std::vector<std::string> Holders(const NsysGpuOp& op) const {
    std::vector<std::string> holders;
    if (!op.has_call()) return holders;
    for (auto at = Innermost(op, NvtxKind::kPushPop); at; at = Parent(*at)) {
      holders.push_back(Kind(*at) + PathOfRange(*at));
    }
    for (size_t i = 0; i < rows_.nvtx_ranges.size(); ++i) {
      if (!IsOpen(i, op, NvtxKind::kStartEnd)) continue;
      const std::string path = Kind(i) + PathOfRange(i);
      if (std::find(holders.begin(), holders.end(), path) == holders.end()) {
        holders.push_back(path);
      }
    }
    return holders;
  }

 private:
  const NvtxRange& At(size_t range) const { return rows_.nvtx_ranges[range]; }
  std::string Kind(size_t range) const {
    return At(range).kind == NvtxKind::kPushPop ? "push_pop " : "start_end ";
  }

  bool IsOpen(size_t range, const NsysGpuOp& op, NvtxKind kind) const {
    const NvtxRange& r = At(range);
    const bool is_there =
        kind == NvtxKind::kPushPop
            ? r.thread == op.thread
            : rows_.threads[r.thread].process == rows_.threads[op.thread].process;
    return r.kind == kind && is_there && r.start_ns <= op.call_start_ns &&
           op.call_start_ns < r.end_ns;
  }

  // Whether a begins after b, or at once and inside of it.
  bool IsInner(size_t a, size_t b) const {
    if (At(a).start_ns != At(b).start_ns) return At(a).start_ns > At(b).start_ns;
    if (At(a).kind == NvtxKind::kPushPop && At(a).end_ns != At(b).end_ns) {
      return At(a).end_ns < At(b).end_ns;
    }
    return a > b;
  }

  std::optional<size_t> Innermost(const NsysGpuOp& op, NvtxKind kind) const {
    std::optional<size_t> best;
    for (size_t i = 0; i < rows_.nvtx_ranges.size(); ++i) {
      if (IsOpen(i, op, kind) && (!best || IsInner(i, *best))) best = i;
    }
    return best;
  }

  std::optional<size_t> Parent(size_t range) const {
    std::optional<size_t> best;
    if (At(range).kind == NvtxKind::kStartEnd) return best;
    for (size_t i = 0; i < rows_.nvtx_ranges.size(); ++i) {
      const bool holds = i != range && At(i).kind == NvtxKind::kPushPop &&
                         At(i).thread == At(range).thread && IsInner(range, i) &&
                         At(i).end_ns >= At(range).end_ns &&
                         At(i).end_ns > At(range).start_ns;
      if (holds && (!best || IsInner(i, *best))) best = i;
    }
    return best;
  }

  std::string PathOfRange(size_t range) const {
    const auto parent = Parent(range);
    return (parent ? PathOfRange(*parent) + "/" : "") +
           std::string(rows_.names.text(At(range).name));
  }

  const NsysRows& rows_;
};

bool IsMemory(const NsysGpuOp& op) {
  return op.kind == results::GpuActivityKind::kMemcpy;
}

void CheckRegions(const NsysRows& rows) {
  const auto findings = analysis::RegionsOf(rows);
  ASSERT_TRUE(findings.ok()) << findings.error().message();
  const SlowReference slow(rows);
  std::map<std::string, int64_t> exclusive;
  std::map<std::string, int64_t> inclusive;
  int64_t total_ns = 0;
  for (const NsysGpuOp& op : rows.gpu_ops) {
    if (IsMemory(op)) continue;
    total_ns += op.duration_ns;
    exclusive[slow.PathOf(op)] += op.duration_ns;
    for (const std::string& path : slow.Holders(op)) inclusive[path] += op.duration_ns;
  }
  // Domains have no names here: regions of different ones may have one path.
  std::map<std::string, int64_t> got_exclusive;
  std::map<std::string, int64_t> got_inclusive;
  int64_t sum_ns = findings.value().outside.gpu_ns + findings.value().without_call.gpu_ns;
  EXPECT_EQ(sum_ns, exclusive[""]);
  for (const auto& region : findings.value().regions) {
    sum_ns += region.gpu_exclusive_ns;
    got_exclusive[region.kind + " " + region.path] += region.gpu_exclusive_ns;
    got_inclusive[region.kind + " " + region.path] += region.gpu_inclusive_ns;
    EXPECT_LE(region.gpu_gap_ns, region.gpu_span_ns);
    EXPECT_GE(region.gpu_inclusive_ns, region.gpu_exclusive_ns);
    ASSERT_TRUE(region.cpu_instance);
    EXPECT_LE(region.cpu_instance->max_ns, region.cpu_total_ns);
    EXPECT_GE(region.cpu_instance->max_ns * region.instances, region.cpu_total_ns);
    EXPECT_EQ(region.gpu_span_instance.has_value(),
              region.launches_inclusive + region.memory_ops_inclusive > 0);
    if (!region.gpu_span_instance) continue;
    EXPECT_LE(region.gpu_span_instance->median_ns, region.gpu_span_instance->p99_ns);
    EXPECT_LE(region.gpu_span_instance->max_ns, region.gpu_span_ns);
  }
  EXPECT_EQ(sum_ns, total_ns);
  EXPECT_EQ(findings.value().total.gpu_ns, total_ns);
  for (const auto& [path, ns] : exclusive) {
    if (path.empty()) continue;
    EXPECT_EQ(got_exclusive[path], ns) << path;
  }
  for (const auto& [path, ns] : got_inclusive) EXPECT_EQ(inclusive[path], ns) << path;
}

// The latency of a call is that of its first kernel, in whatever order kernels run. Calls
// of one thread that begin at the same time count as one.
void CheckLaunches(const NsysRows& rows) {
  std::map<std::pair<uint32_t, int64_t>, int64_t> delays_ns;
  for (const NsysGpuOp& op : rows.gpu_ops) {
    const int64_t delay_ns = op.start_ns - op.call_start_ns;
    if (op.kind != results::GpuActivityKind::kKernel || !op.has_call()) continue;
    if (delay_ns < 0) continue;
    const auto [known, is_new] =
        delays_ns.try_emplace({op.thread, op.call_start_ns}, delay_ns);
    if (!is_new) known->second = std::min(known->second, delay_ns);
  }
  const auto findings = analysis::FindingsOf(rows);
  ASSERT_TRUE(findings.ok()) << findings.error().message();
  const auto& latency = findings.value().launch.call_start_to_start;
  int64_t total_ns = 0;
  for (const auto& [call, delay_ns] : delays_ns) total_ns += delay_ns;
  EXPECT_EQ(latency ? latency->count : 0, static_cast<int64_t>(delays_ns.size()));
  EXPECT_EQ(latency ? latency->total_ns : 0, total_ns);
}

TEST(RegionPropertyTest, ExclusiveTimesAndTheRestAreTheTotal) {
  constexpr uint32_t kFiles = 300;
  for (uint32_t seed = 1; seed <= kFiles; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SqliteFile file("regions");
    Generator(seed).Fill(file);
    const auto rows = profiles::ReadNsysSqlite(file.path());
    ASSERT_TRUE(rows.ok()) << rows.error().message();
    CheckRegions(rows.value());
    CheckLaunches(rows.value());
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace ridgeline
