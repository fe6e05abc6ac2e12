#include "results/result_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "results/drop_reason.h"

namespace ridgeline::results {
namespace {

// The rows of a query on the bytes of a database, columns separated by '|'.
std::vector<std::string> Query(std::string bytes, const std::string& sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(":memory:", &database), SQLITE_OK);
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  EXPECT_EQ(sqlite3_deserialize(database, "main",
                                reinterpret_cast<unsigned char*>(bytes.data()), size,
                                size, SQLITE_DESERIALIZE_READONLY),
            SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  std::vector<std::string> rows;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    std::string row;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const auto* text = sqlite3_column_text(statement, i);
      row +=
          (i == 0 ? "" : "|") +
          (text == nullptr ? "NULL" : std::string(reinterpret_cast<const char*>(text)));
    }
    rows.push_back(row);
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return rows;
}

ResultStore SmallStore() {
  ResultStore store;
  const StringId gemm = store.names.Intern("gemm");
  const StringId stream = store.names.Intern("7");
  store.sources.push_back({.file = "a.json", .format = "torch_trace", .rank = 3});
  store.devices.push_back({.source = 0, .label = "0", .model = "Example GPU"});
  store.operator_totals.push_back({.name = gemm,
                                   .calls = 2,
                                   .time_total_ns = 30,
                                   .time_self_ns = 20,
                                   .time_min_ns = 10,
                                   .time_max_ns = 20});
  store.kernel_totals.push_back({.name = gemm, .count = 5, .time_total_ns = 50});
  store.memory_op_totals.push_back({.name = gemm, .count = 6, .bytes = 4096});
  store.device_times.push_back({.span_ns = 100, .busy_ns = 60, .idle_ns = 40});
  store.launch_delays.push_back(
      {.measure = "start_to_start", .count = 2, .total_ns = 5, .median_ns = 2.5});
  store.gpu_activities.push_back({.stream = stream,
                                  .kind = GpuActivityKind::kMemset,
                                  .name = gemm,
                                  .start_ns = 1751410836000000001});
  store.gpu_activities.push_back({.stream = stream, .name = gemm, .correlation = 41});
  store.phase_samples.push_back({.pass = PhaseSample::Pass::kProfiled,
                                 .repeat = 1,
                                 .page = "p1",
                                 .phase = "decode",
                                 .duration_ns = 9});
  store.regions.push_back({.path = "prefill/sam",
                           .kind = "push_pop",
                           .instances = 2,
                           .cpu_instance = InstanceQuantiles{1, 2, 3, 4}});
  store.region_rooflines.push_back({.path = "prefill/sam",
                                    .clock = "cpu",
                                    .time_ns = 10,
                                    .flops = 20,
                                    .bytes = 5,
                                    .flops_per_s = 2e9,
                                    .bytes_per_s = 5e8,
                                    .roofline_slowdown = 4.5});
  store.token_latencies.push_back(
      {.measure = "itl", .count = 3, .mean_ns = 5, .mean_low_ns = 4, .p99_ns = 7.5});
  store.call_flops.push_back({.phase = "decode",
                              .flops = 10,
                              .time_ns = 5,
                              .device = "d",
                              .peak_flops_per_s = 4e9});
  store.phase_costs.push_back({.phase = "decode",
                               .flops_matrix = 8,
                               .bytes_compulsory = 4,
                               .roofline_memory_ns = 1.5,
                               .bound = "memory"});
  store.ncu_launches.push_back({.launch = 3,
                                .process_id = 7,
                                .name = gemm,
                                .device = "0",
                                .capability = "8.0",
                                .grid = "2 1 1",
                                .duration_ns = 5.5});
  store.ncu_metrics.push_back(
      {.section = stream, .item = stream, .name = gemm, .unit = stream, .value = 0.25});
  store.ncu_metrics.push_back(
      {.section = stream, .item = stream, .name = gemm, .unit = stream, .text = "n/a"});
  store.ncu_rules.push_back({.section = stream,
                             .name = gemm,
                             .kind = "WRN",
                             .text = gemm,
                             .speedup_kind = "local",
                             .speedup_percent = 12.5});
  store.import_counters.push_back({.counter = DropReason::kFlowEvent, .count = 4});
  return store;
}

TEST(ResultStoreTest, SavesEveryRow) {
  const Result<std::string> saved = ToSqlite(SmallStore(), "test 1");
  ASSERT_TRUE(saved.ok()) << saved.error().message();
  const std::string& bytes = saved.value();
  using testing::ElementsAre;
  EXPECT_THAT(Query(bytes, "PRAGMA integrity_check"), ElementsAre("ok"));
  EXPECT_THAT(Query(bytes, "PRAGMA foreign_key_check"), ElementsAre());
  EXPECT_THAT(Query(bytes, "PRAGMA user_version"), ElementsAre("9"));
  EXPECT_THAT(Query(bytes, "SELECT * FROM meta"),
              ElementsAre("schema_version|9", "written_by|test 1"));
  EXPECT_THAT(Query(bytes, "SELECT id, file, format, tool, rank FROM source"),
              ElementsAre("0|a.json|torch_trace|NULL|3"));
  EXPECT_THAT(Query(bytes, "SELECT * FROM device"), ElementsAre("0|0|0|Example GPU"));
  EXPECT_THAT(Query(bytes,
                    "SELECT path, instances, cpu_min_ns, cpu_median_ns, cpu_p99_ns, "
                    "cpu_max_ns, gpu_span_min_ns, gpu_span_max_ns FROM region"),
              ElementsAre("prefill/sam|2|1|2.0|3.0|4|NULL|NULL"));
  EXPECT_THAT(Query(bytes, "SELECT * FROM region_roofline"),
              ElementsAre("0|prefill/sam|cpu|10|20|5|2000000000.0|500000000.0|4.5"));
  EXPECT_THAT(Query(bytes, "SELECT * FROM phase_cost"),
              ElementsAre("0|decode|8|NULL|NULL|4|NULL|NULL|1.5|memory"));
  EXPECT_THAT(Query(bytes, "SELECT * FROM operator"),
              ElementsAre("0|gemm|2|30|20|10|20"));
  EXPECT_THAT(Query(bytes, "SELECT * FROM kernel"), ElementsAre("0|0|gemm|5|50|0|0"));
  EXPECT_THAT(Query(bytes, "SELECT count, bytes FROM memory_op_total"),
              ElementsAre("6|4096"));
  EXPECT_THAT(Query(bytes, "SELECT span_ns, busy_ns, idle_ns FROM device_time"),
              ElementsAre("100|60|40"));
  EXPECT_THAT(Query(bytes, "SELECT * FROM launch_latency"),
              ElementsAre("0|start_to_start|2|5|2.5|0|0"));
  EXPECT_THAT(Query(bytes, "SELECT kind, start_ns, correlation FROM gpu_activity"),
              ElementsAre("memset|1751410836000000001|NULL", "kernel|0|41"));
  EXPECT_THAT(Query(bytes,
                    "SELECT pass, repeat, page, phase, duration_ns, tokens "
                    "FROM phase_sample"),
              ElementsAre("profiled|1|p1|decode|9|NULL"));
  EXPECT_THAT(Query(bytes,
                    "SELECT measure, count, mean_ns, mean_low_ns, mean_high_ns, p99_ns "
                    "FROM token_latency"),
              ElementsAre("itl|3|5.0|4.0|NULL|7.5"));
  EXPECT_THAT(Query(bytes, "SELECT phase, flops, time_ns, device, mfu FROM call_flops"),
              ElementsAre("decode|10|5|d|0.5"));
  EXPECT_THAT(Query(bytes, "SELECT launch, grid, block, duration_ns FROM ncu_launch"),
              ElementsAre("3|2 1 1|NULL|5.5"));
  EXPECT_THAT(Query(bytes, "SELECT value, text FROM ncu_metric"),
              ElementsAre("0.25|NULL", "NULL|n/a"));
  EXPECT_THAT(Query(bytes, "SELECT kind, speedup_percent, speedup_kind FROM ncu_rule"),
              ElementsAre("WRN|12.5|local"));
  EXPECT_THAT(Query(bytes, "SELECT launch_id, kernel, metric FROM counter LIMIT 1"),
              ElementsAre("0|gemm|gemm"));
  EXPECT_THAT(Query(bytes, "SELECT name, count FROM dropped"),
              ElementsAre("flow_event|4"));
}

TEST(ResultStoreTest, SavesNothingAsEmptyTables) {
  const Result<std::string> saved = ToSqlite({}, "test");
  ASSERT_TRUE(saved.ok()) << saved.error().message();
  EXPECT_EQ(Query(saved.value(), "SELECT * FROM source").size(), 0U);
  EXPECT_EQ(Query(saved.value(), "SELECT * FROM meta").size(), 2U);
}

TEST(ResultStoreTest, RefusesTwoRowsOfOneName) {
  ResultStore store = SmallStore();
  store.kernel_totals.push_back(store.kernel_totals[0]);
  EXPECT_FALSE(ToSqlite(store, "test").ok());
}

// Every table and column is documented.
TEST(ResultStoreTest, TheDocumentNamesEveryColumn) {
  std::ifstream file(std::string(RIDGELINE_SOURCE_DIR) + "/docs/results-schema.md");
  std::ostringstream text;
  text << file.rdbuf();
  const std::string bytes = ToSqlite({}, "test").value();
  const std::vector<std::string> columns = Query(
      bytes,
      "SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) "
      "c WHERE t.type = 'table'");
  EXPECT_GT(columns.size(), 60U);
  for (const std::string& column : columns) {
    const size_t dot = column.find('.');
    EXPECT_NE(text.str().find("## `" + column.substr(0, dot) + "`"), std::string::npos)
        << column;
    EXPECT_NE(text.str().find("`" + column.substr(dot + 1) + "`"), std::string::npos)
        << column;
  }
}

TEST(ImportCounterTest, EveryCounterHasItsOwnNameAndSentence) {
  std::set<std::string_view> names;
  std::set<std::string_view> sentences;
  for (const DropReasonText& text : DropReasonTexts()) {
    EXPECT_TRUE(names.insert(text.name).second) << text.name;
    EXPECT_TRUE(sentences.insert(text.sentence).second) << text.name;
    EXPECT_FALSE(text.sentence.empty());
  }
}

}  // namespace
}  // namespace ridgeline::results
