#include "profiles/nsys_sqlite/nsys_sqlite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "profiles/testing/sqlite_file.h"

namespace ridgeline::profiles {
namespace {

using results::DropReason;
using results::NsysRows;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Process 1 with its threads 1 and 2, and thread 1 of process 2.
const std::string kPid = std::to_string(1 << 24);
const std::string kTid = std::to_string((1 << 24) + 1);
const std::string kOtherPid = std::to_string(2 << 24);
const std::string kOtherTid = std::to_string((2 << 24) + 1);

constexpr char kNamesSql[] =
    "INSERT INTO StringIds VALUES (1, 'void gemm<float, 2>(float *)'), (2, 'gemm'), "
    "(3, 'cudaLaunchKernel'), (4, 'decode');";

std::string KernelSql(int start, int end, int correlation, const std::string& pid) {
  return "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, "
         "streamId, correlationId, globalPid, demangledName, shortName, gridX, gridY, "
         "gridZ, blockX, blockY, blockZ) VALUES (" +
         std::to_string(start) + "," + std::to_string(end) + ", 0, 1, 7, " +
         std::to_string(correlation) + "," + pid + ", 1, 2, 8, 1, 1, 128, 1, 1);";
}

std::string CallSql(int start, int end, int correlation, const std::string& tid) {
  return "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, "
         "correlationId, nameId) VALUES (" +
         std::to_string(start) + "," + std::to_string(end) + "," + tid + "," +
         std::to_string(correlation) + ", 3);";
}

NsysRows Read(const SqliteFile& file) {
  Result<NsysRows> rows = ReadNsysSqlite(file.path());
  EXPECT_TRUE(rows.ok()) << (rows.ok() ? "" : rows.error().message());
  return rows.ok() ? std::move(rows).value() : NsysRows();
}

std::vector<results::NsysGpuOp> OpsOf(const NsysRows& rows) {
  std::vector<results::NsysGpuOp> ops;
  for (const results::NsysGpuOp& op : rows.gpu_ops) ops.push_back(op);
  return ops;
}

std::string KernelName(const NsysRows& rows, size_t op) {
  const uint32_t shape = OpsOf(rows).at(op).detail;
  return std::string(rows.names.text(rows.kernel_shapes[shape].name));
}

TEST(NsysSqliteTest, ReadsAKernelAndTheCallThatLaunchedIt) {
  SqliteFile file;
  file.Run(kStringsTableSql + KernelTableSql() + kRuntimeTableSql + kNamesSql +
           KernelSql(100, 150, 9, kPid) + CallSql(10, 20, 9, kTid));
  const NsysRows rows = Read(file);
  ASSERT_THAT(rows.gpu_ops, SizeIs(1));
  const results::NsysGpuOp op = OpsOf(rows)[0];
  EXPECT_EQ(op.start_ns, 100);
  EXPECT_EQ(op.duration_ns, 50);
  EXPECT_EQ(op.call_start_ns, 10);
  EXPECT_EQ(op.call_duration_ns, 10);
  EXPECT_EQ(KernelName(rows, 0), "void gemm<float, 2>(float *)");
  EXPECT_EQ(rows.tracks[op.track].stream, 7);
  ASSERT_THAT(rows.api_totals, SizeIs(1));
  EXPECT_EQ(rows.names.text(rows.api_totals[0].name), "cudaLaunchKernel");
}

// Versions differ in the name of their version table, or have none.
TEST(NsysSqliteTest, FindsTheVersionWhereverItIs) {
  for (const std::string table : {"EXPORT_META_DATA", "META_DATA_EXPORT"}) {
    SqliteFile file;
    file.Run(kStringsTableSql + ("CREATE TABLE " + table + " (name TEXT, value TEXT);") +
             "INSERT INTO " + table +
             " VALUES ('EXPORT_PRODUCT_VERSION', '2022.4.2.1'), "
             "('EXPORT_SCHEMA_VERSION', '3.0.0');");
    const NsysRows rows = Read(file);
    EXPECT_EQ(rows.header.meta_table, table);
    EXPECT_EQ(rows.header.export_version, "2022.4.2.1");
    EXPECT_EQ(rows.header.schema_version, "3.0.0");
  }
}

TEST(NsysSqliteTest, NeedsNoTableButNamesAndOneOfItsOwn) {
  SqliteFile file;
  file.Run(std::string(kStringsTableSql) +
           "CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER, name TEXT);"
           "INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'Some GPU');");
  const NsysRows rows = Read(file);
  EXPECT_THAT(rows.gpu_ops, IsEmpty());
  EXPECT_EQ(rows.header.table_count, 2);
  EXPECT_FALSE(rows.header.export_version.has_value());
  EXPECT_THAT(*rows.header.gpu_names, ElementsAre("Some GPU"));
  EXPECT_EQ(rows.header.gpu_name_of_device.at(0), "Some GPU");
}

// Later versions insert columns between earlier ones, and users add their own.
TEST(NsysSqliteTest, FindsColumnsByTheirNames) {
  SqliteFile file;
  file.Run(kStringsTableSql +
           KernelTableSql("greenContextId INTEGER, name TEXT DEFAULT 'mine',") +
           kNamesSql + KernelSql(100, 150, 9, kPid));
  const NsysRows rows = Read(file);
  ASSERT_THAT(rows.gpu_ops, SizeIs(1));
  EXPECT_EQ(rows.tracks[OpsOf(rows)[0].track].stream, 7);
  EXPECT_EQ(KernelName(rows, 0), "void gemm<float, 2>(float *)");
  EXPECT_EQ(rows.kernel_shapes[0].grid[0], 8U);
  EXPECT_EQ(rows.kernel_shapes[0].block[0], 128U);
}

TEST(NsysSqliteTest, JoinsWithinAProcess) {
  SqliteFile file;
  file.Run(kStringsTableSql + KernelTableSql() + kRuntimeTableSql + kNamesSql +
           KernelSql(100, 150, 9, kPid) + KernelSql(200, 250, 9, kOtherPid) +
           KernelSql(300, 350, 10, kPid) + CallSql(11, 12, 9, kOtherTid) +
           CallSql(13, 14, 9, kTid));
  const NsysRows rows = Read(file);
  ASSERT_THAT(rows.gpu_ops, SizeIs(3));
  EXPECT_EQ(OpsOf(rows)[0].call_start_ns, 13);
  EXPECT_EQ(OpsOf(rows)[1].call_start_ns, 11);
  EXPECT_FALSE(OpsOf(rows)[2].has_call());
  EXPECT_EQ(rows.duplicate_correlations, 0);
}

TEST(NsysSqliteTest, AssumesNoOrderOfRows) {
  SqliteFile file;
  file.Run(kStringsTableSql + KernelTableSql() + kRuntimeTableSql + kNamesSql +
           KernelSql(300, 350, 3, kPid) + KernelSql(100, 150, 1, kPid) +
           KernelSql(200, 250, 2, kPid) + CallSql(30, 31, 3, kTid) +
           CallSql(10, 11, 1, kTid) + CallSql(20, 21, 2, kTid));
  const NsysRows rows = Read(file);
  ASSERT_THAT(rows.gpu_ops, SizeIs(3));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(OpsOf(rows)[i].start_ns, 100 * (i + 1));
    EXPECT_EQ(OpsOf(rows)[i].call_start_ns, 10 * (i + 1));
  }
}

TEST(NsysSqliteTest, TakesTheLastOfCallsWithOneCorrelation) {
  SqliteFile file;
  file.Run(kStringsTableSql + KernelTableSql() + kRuntimeTableSql + kNamesSql +
           KernelSql(100, 150, 1, kPid) + CallSql(10, 11, 1, kTid) +
           CallSql(20, 21, 1, kTid));
  const NsysRows rows = Read(file);
  EXPECT_EQ(OpsOf(rows)[0].call_start_ns, 20);
  EXPECT_EQ(rows.duplicate_correlations, 1);
}

// Texts are inline or registered; ranges and marks share the table.
// Of the calls of processes 1 and 2 with correlation ids 9 and 10, and of no call.
TEST(NsysSqliteTest, CountsASynchronizationOnceWithItsCall) {
  SqliteFile file;
  file.Run(std::string(kStringsTableSql) + kRuntimeTableSql + kNamesSql +
           CallSql(10, 90, 9, kTid) + CallSql(10, 20, 10, kOtherTid) +
           "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end "
           "INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, "
           "syncType INTEGER);"
           "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES "
           "(20, 80, 7, 9, " +
           kPid + ", 0), (10, 15, 7, 10, " + kPid + ", 3), (10, 17, 7, NULL, " + kPid +
           ", 3);");
  const NsysRows rows = Read(file);
  ASSERT_THAT(rows.api_totals, SizeIs(2));
  EXPECT_EQ(rows.api_totals[0].kind, results::NsysApiTotal::Kind::kRuntime);
  EXPECT_EQ(rows.api_totals[1].kind, results::NsysApiTotal::Kind::kSynchronization);
  EXPECT_EQ(rows.names.text(rows.api_totals[1].name), "stream");
  EXPECT_EQ(rows.api_totals[1].calls, 2);
  EXPECT_EQ(rows.api_totals[1].time_total_ns, 12);
}

TEST(NsysSqliteTest, ReadsNvtxOfEveryKind) {
  SqliteFile file;
  file.Run(std::string(kStringsTableSql) + kNvtxTableSql + kNamesSql +
           "INSERT INTO NVTX_EVENTS (start, end, eventType, text, textId, globalTid, "
           "domainId) VALUES (1, 9, 59, 'prefill', NULL, " +
           kTid +
           ", 0), "
           "(2, 8, 60, NULL, 4, " +
           kTid + ", 3), (3, NULL, 34, 'mark', NULL, " + kTid +
           ", 0), (0, NULL, 75, 'CCCL', NULL, " + kTid +
           ", 3), "
           "(0, NULL, 39, 'main', NULL, " +
           kTid +
           ", 0), "
           "(0, NULL, 33, 'category', NULL, " +
           kTid +
           ", 0), "
           "(4, NULL, 59, 'open', NULL, " +
           kTid + ", 0);");
  const NsysRows rows = Read(file);
  ASSERT_THAT(rows.nvtx_ranges, SizeIs(3));
  EXPECT_EQ(rows.names.text(rows.nvtx_ranges[0].name), "prefill");
  EXPECT_EQ(rows.names.text(rows.nvtx_ranges[1].name), "decode");
  EXPECT_EQ(rows.nvtx_ranges[1].kind, results::NvtxKind::kStartEnd);
  EXPECT_EQ(rows.domains[rows.nvtx_ranges[1].domain].name, "CCCL");
  EXPECT_TRUE(rows.nvtx_ranges[2].is_open);
  EXPECT_EQ(rows.nvtx_ranges[2].end_ns, 9);
  EXPECT_EQ(rows.nvtx.text_inline, 6);
  EXPECT_EQ(rows.nvtx.text_by_id, 1);
  EXPECT_EQ(rows.left_out.Get(DropReason::kNvtxNoRange), 3);
  EXPECT_EQ(rows.left_out.Get(DropReason::kNvtxRangeNeverClosed), 1);
}

TEST(NsysSqliteTest, CountsGraphsThatWereMeasuredAsAWhole) {
  SqliteFile file;
  file.Run(
      kStringsTableSql + KernelTableSql() + kNamesSql + KernelSql(1, 2, 1, kPid) +
      "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, "
      "deviceId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, "
      "graphId INTEGER, graphExecId INTEGER);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (10, 5010, 0, 7, 2, " +
      kPid + ", 4, 5);");
  const NsysRows rows = Read(file);
  ASSERT_THAT(rows.gpu_ops, SizeIs(2));
  EXPECT_EQ(OpsOf(rows)[1].kind, results::GpuActivityKind::kGraph);
  EXPECT_EQ(OpsOf(rows)[1].duration_ns, 5000);
  EXPECT_THAT(rows.graphs, ElementsAre(4));
}

TEST(NsysSqliteTest, ReplacesBytesThatAreNoUtf8) {
  SqliteFile file;
  file.Run(
      kStringsTableSql + KernelTableSql() +
      "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);"
      "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_USER', CAST(x'C8E3EE' AS TEXT)), "
      "('EXPORT_PRODUCT_VERSION', CAST(x'32FF' AS TEXT));"
      "INSERT INTO StringIds VALUES (1, CAST(x'67FF' AS TEXT)), (2, 'g');" +
      KernelSql(1, 2, 1, kPid));
  const NsysRows rows = Read(file);
  EXPECT_EQ(rows.header.export_version, "2\xEF\xBF\xBD");
  EXPECT_EQ(KernelName(rows, 0), "g\xEF\xBF\xBD");
  EXPECT_EQ(rows.left_out.Get(DropReason::kNameNotUtf8), 1);
}

TEST(NsysSqliteTest, CountsTheEnvironmentAndCopiesNothingOfIt) {
  SqliteFile file;
  file.Run(kStringsTableSql + KernelTableSql() + kNamesSql + KernelSql(1, 2, 1, kPid) +
           "CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT);"
           "INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:ENVIRONMENT_VARIABLE', "
           "'X_API_KEY=\"hunter2\"'), ('PROCESS_0:ENVIRONMENT_VARIABLE', "
           "'PATH=\"REDACTED\"'), ('OTHER', 'A=b');"
           "CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);"
           "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('DeviceEnvironment', "
           "'HOME=/root' || char(10) || 'DB_PASSWORD=hunter2'), ('CpuCores', '8');"
           "INSERT INTO StringIds VALUES (50, 'HOME=/root' || char(10) || 'LANG=C' || "
           "char(10) || 'HF_TOKEN=hunter2');");
  const NsysRows rows = Read(file);
  EXPECT_EQ(rows.header.environment_values, 5) << "HOME of two processes is one";
  EXPECT_EQ(rows.header.environment_secrets, 3);
  for (StringId id = 0; id < rows.names.size(); ++id) {
    EXPECT_THAT(std::string(rows.names.text(id)), testing::Not(HasSubstr("hunter2")));
  }
}

// Each process counts its devices from 0.
TEST(NsysSqliteTest, TellsTheDevicesOfProcessesApart) {
  const std::string processes[] = {std::to_string(int64_t{144} << 24),
                                   std::to_string(int64_t{145} << 24)};
  struct Case {
    const char* what;
    std::string tables;
    std::vector<std::string> want;  // Labels.
    std::vector<std::string> models;
  };
  const std::string gpus =
      "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT);"
      "INSERT INTO TARGET_INFO_GPU VALUES (2, 'A100'), (3, 'H100');";
  const std::string devices =
      "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);"
      "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES ";
  const Case cases[] = {
      {"two GPUs",
       gpus + devices + "(2, 0, 144), (3, 0, 145);",
       {"0 (GPU 2)", "0 (GPU 3)"},
       {"A100", "H100"}},
      {"one GPU for both", gpus + devices + "(3, 0, 144), (3, 0, 145);", {"0"}, {"H100"}},
      {"bus of 2020",
       "CREATE TABLE TARGET_INFO_CUDA_GPU (name TEXT, pciBusId TEXT, deviceId INTEGER, "
       "pid "
       "INTEGER); INSERT INTO TARGET_INFO_CUDA_GPU VALUES ('V100', '0000:1a', 0, 144), "
       "('V100', '0000:1b', 0, 145);",
       {"0 (GPU 0000:1a)", "0 (GPU 0000:1b)"},
       {"V100", "V100"}},
      {"only one GPU",
       "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT);"
       "INSERT INTO TARGET_INFO_GPU VALUES (0, 'T4');",
       {"0"},
       {"T4"}},
      {"unknown", "", {"0 (process 144)", "0 (process 145)"}, {"", ""}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    SqliteFile file;
    file.Run(kStringsTableSql + KernelTableSql() + kNamesSql + c.tables +
             KernelSql(1, 2, 1, processes[0]) + KernelSql(1, 2, 1, processes[1]));
    const NsysRows rows = Read(file);
    std::vector<std::string> labels;
    std::vector<std::string> models;
    for (const results::NsysGpu& gpu : rows.devices) {
      labels.push_back(gpu.label);
      models.push_back(gpu.model.value_or(""));
    }
    EXPECT_EQ(labels, c.want);
    EXPECT_EQ(models, c.models);
    EXPECT_EQ(rows.tracks.size(), 2);
  }
}

TEST(NsysSqliteTest, NamesMigrationsOfUnifiedMemory) {
  SqliteFile file;
  file.Run(
      std::string(kStringsTableSql) +
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId "
      "INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes "
      "INTEGER, copyKind INTEGER);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1, 2, 0, 0, 0, 0, 8, 11), "
      "(3, 4, 0, 0, 0, 0, 8, 99);");
  const NsysRows rows = Read(file);
  EXPECT_EQ(rows.names.text(rows.memory_ops[0].name), "unified HtoD");
  EXPECT_EQ(rows.names.text(rows.memory_ops[1].name), "kind 99");
  EXPECT_TRUE(rows.memory_ops[0].is_migration);
  EXPECT_FALSE(rows.memory_ops[1].is_migration);
}

TEST(NsysSqliteTest, KeepsWarningsAndErrorsOfNsysOnce) {
  SqliteFile file;
  file.Run(std::string(kStringsTableSql) +
           "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);"
           "CREATE TABLE DIAGNOSTIC_EVENT (severity INTEGER, text TEXT);"
           "INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 'started'), (2, 'No CUDA events "
           "collected.' || char(10) || 'Change'), (2, 'No CUDA events collected.'), "
           "(3, 'out of disk');");
  const auto& diagnostics = Read(file).header.diagnostics;
  ASSERT_EQ(diagnostics.size(), 2);
  EXPECT_EQ(diagnostics[0].text, "No CUDA events collected.");
  EXPECT_FALSE(diagnostics[0].is_error);
  EXPECT_TRUE(diagnostics[1].is_error);
}

TEST(NsysSqliteTest, ReadsStringsOfATableWithoutItsKey) {
  SqliteFile file;
  file.Run(
      "CREATE TABLE StringIds (id INTEGER, value TEXT);" + KernelTableSql() + kNamesSql +
      KernelSql(1, 2, 1, kPid) +
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, demangledName) VALUES (5, "
      "6, 77);");
  const NsysRows rows = Read(file);
  EXPECT_EQ(KernelName(rows, 0), "void gemm<float, 2>(float *)");
  EXPECT_EQ(KernelName(rows, 1), "#77");
  EXPECT_EQ(rows.left_out.Get(DropReason::kRowNameUnknown), 1);
}

TEST(NsysSqliteTest, LeavesOutAndCountsRowsWithoutUsableTimes) {
  SqliteFile file;
  file.Run(kStringsTableSql + KernelTableSql() + kNamesSql + KernelSql(5, 4, 1, kPid) +
           KernelSql(7, 7, 1, kPid) +
           "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start) VALUES (1);"
           "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end) VALUES "
           "(1, 9223372036854775807);");
  const NsysRows rows = Read(file);
  EXPECT_THAT(rows.gpu_ops, SizeIs(1));
  EXPECT_EQ(rows.kernels_of_negative_duration, 1);
  EXPECT_EQ(rows.left_out.Get(DropReason::kRowEndsBeforeItBegins), 1);
  EXPECT_EQ(rows.left_out.Get(DropReason::kRowTimeMissing), 1);
  EXPECT_EQ(rows.left_out.Get(DropReason::kRowTimeOutOfRange), 1);
}

// Same as a complete import, including kernels without usable times and names.
TEST(NsysSqliteTest, HandsOverKernelsWithoutKeepingThem) {
  SqliteFile file;
  file.Run(kStringsTableSql + KernelTableSql() + kNamesSql +
           KernelSql(100, 150, 1, kPid) + KernelSql(300, 360, 2, kPid) +
           KernelSql(200, 190, 3, kPid) +
           "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end) VALUES (1, 8);");
  std::vector<std::pair<StringId, int64_t>> kernels;
  const Result<NsysRows> rows = ReadNsysKernels(
      file.path(), [&](std::optional<StringId> name, int64_t duration_ns) {
        kernels.emplace_back(name.value(), duration_ns);
      });
  ASSERT_TRUE(rows.ok()) << rows.error().message();
  ASSERT_THAT(kernels, SizeIs(3));
  EXPECT_EQ(rows.value().names.text(kernels[0].first), "void gemm<float, 2>(float *)");
  EXPECT_EQ(kernels[0].second, 50);
  EXPECT_EQ(kernels[1].second, 60);
  EXPECT_EQ(rows.value().names.text(kernels[2].first), "");
  EXPECT_EQ(kernels[2].second, 7);
  EXPECT_EQ(rows.value().left_out.Get(DropReason::kRowEndsBeforeItBegins), 1);
  EXPECT_EQ(rows.value().left_out.Get(DropReason::kNameMissing), 1);
  EXPECT_THAT(rows.value().gpu_ops, IsEmpty());
}

TEST(NsysSqliteTest, RefusesWhatIsNoExport) {
  SqliteFile file;
  file.Run("CREATE TABLE cats (name TEXT)");
  const Result<NsysRows> other = ReadNsysSqlite(file.path());
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(other.error().message(), HasSubstr("not an nsys export; its tables: cats"));
  const std::string text = file.path().string() + ".txt";
  std::ofstream(text) << "SQLite format 3";
  EXPECT_FALSE(ReadNsysSqlite(text).ok());
  std::filesystem::remove(text);
  EXPECT_FALSE(ReadNsysSqlite("/no/such/file.sqlite").ok());
}

// Its rows are not in the file yet: reading the export would miss them.
TEST(NsysSqliteTest, RefusesExportsWithAJournal) {
  SqliteFile file;
  file.Run(std::string(kStringsTableSql) + kRuntimeTableSql);
  EXPECT_TRUE(ReadNsysSqlite(file.path()).ok());
  const std::string journal = file.path().string() + "-journal";
  const struct {
    std::string bytes;
    bool is_hot;
  } journals[] = {{"", false},
                  {std::string(512, '\0'), false},
                  {"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7 rest", true}};
  for (const auto& c : journals) {
    std::ofstream(journal, std::ios::trunc) << c.bytes;
    const Result<NsysRows> rows = ReadNsysSqlite(file.path());
    EXPECT_EQ(rows.ok(), !c.is_hot);
    if (!rows.ok()) {
      EXPECT_THAT(rows.error().message(), HasSubstr("the export was not finished"));
    }
  }
  std::filesystem::remove(journal);

  file.Run("PRAGMA journal_mode = WAL; INSERT INTO StringIds VALUES (1, 'a')");
  const Result<NsysRows> rows = ReadNsysSqlite(file.path());
  ASSERT_FALSE(rows.ok());
  EXPECT_THAT(rows.error().message(), HasSubstr("write-ahead log"));
  EXPECT_THAT(rows.error().message(), HasSubstr("PRAGMA wal_checkpoint(TRUNCATE)"));
  file.Run("PRAGMA wal_checkpoint(TRUNCATE)");
  EXPECT_TRUE(ReadNsysSqlite(file.path()).ok());
}

// A view named like a table could run forever.
// A view may never end, and is not what nsys measured.
TEST(NsysSqliteTest, RefusesViewsInsteadOfTables) {
  for (const std::string name : {"CUPTI_ACTIVITY_KIND_KERNEL", "NVTX_EVENTS"}) {
    SqliteFile file;
    file.Run(std::string(kStringsTableSql) + kRuntimeTableSql + "CREATE VIEW " + name +
             " AS WITH RECURSIVE n(start) AS (SELECT 1 UNION ALL SELECT start FROM n) "
             "SELECT start FROM n;");
    const Result<NsysRows> rows = ReadNsysSqlite(file.path());
    ASSERT_FALSE(rows.ok());
    EXPECT_THAT(rows.error().message(), HasSubstr(name + " is a view, not a table"));
  }
}

}  // namespace
}  // namespace ridgeline::profiles
