#include "results/result_store.h"

#include <string>
#include <string_view>
#include <vector>

#include "results/sqlite_database.h"

namespace ridgeline::results {
namespace {

using Statement = SqliteStatement;

// "INSERT INTO device VALUES (?, ?, ?, ?)"
Result<Statement> PrepareInsert(SqliteDatabase& database, const char* table,
                                int columns) {
  std::string sql = std::string("INSERT INTO ") + table + " VALUES (?";
  for (int i = 1; i < columns; ++i) sql += ", ?";
  return database.Prepare(sql + ")");
}

// Inserts one row each; bind(statement, row, index) binds its columns in order.
template <typename Rows, typename BindRow>
Status InsertAll(SqliteDatabase& database, const char* table, int columns,
                 const Rows& rows, BindRow bind) {
  if (rows.empty()) return Ok();
  RIDGELINE_TRY(Statement insert, PrepareInsert(database, table, columns));
  int64_t index = 0;
  for (const auto& row : rows) {
    bind(insert, row, index++);
    RIDGELINE_RETURN_IF_ERROR(insert.Run());
  }
  return Ok();
}

int64_t Number(uint32_t id) { return id; }

Status InsertMeta(SqliteDatabase& database, std::string_view written_by) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"schema_version", std::to_string(kResultsVersion)},
      {"written_by", std::string(written_by)}};
  return InsertAll(database, "meta", 2, rows, [](Statement& s, const auto& row, int64_t) {
    s.Bind(std::string_view(row.first)).Bind(std::string_view(row.second));
  });
}

Status InsertNames(SqliteDatabase& database, const StringPool& names) {
  RIDGELINE_TRY(Statement insert, PrepareInsert(database, "name", 2));
  for (StringId id = 0; id < names.size(); ++id) {
    RIDGELINE_RETURN_IF_ERROR(insert.Bind(Number(id)).Bind(names.text(id)).Run());
  }
  return Ok();
}

Status InsertSources(SqliteDatabase& database, const ResultStore& store) {
  RIDGELINE_RETURN_IF_ERROR(InsertAll(
      database, "source", 11, store.sources,
      [](Statement& s, const Source& row, int64_t id) {
        s.Bind(id).Bind(std::string_view(row.file)).Bind(std::string_view(row.format));
        s.Bind(row.tool).Bind(row.file_bytes).Bind(row.text_bytes).Bind(row.sha256);
        s.Bind(row.rank)
            .Bind(row.world_size)
            .Bind(row.time_base_ns)
            .Bind(row.event_count);
      }));
  RIDGELINE_RETURN_IF_ERROR(InsertAll(database, "device", 4, store.devices,
                                      [](Statement& s, const Device& row, int64_t id) {
                                        s.Bind(id)
                                            .Bind(Number(row.source))
                                            .Bind(std::string_view(row.label))
                                            .Bind(row.model);
                                      }));
  return InsertAll(database, "dropped", 4, store.import_counters,
                   [](Statement& s, const DropRow& row, int64_t) {
                     const DropReasonText& text = TextOf(row.counter);
                     s.Bind(Number(row.source)).Bind(text.name).Bind(row.count);
                     s.Bind(text.sentence);
                   });
}

void BindTotal(Statement& s, const GpuTotal& row, int64_t /*index*/) {
  s.Bind(Number(row.device)).Bind(Number(row.name)).Bind(row.count);
  s.Bind(row.time_total_ns).Bind(row.time_min_ns).Bind(row.time_max_ns);
}

void BindDeviceTime(Statement& s, const DeviceTime& row, int64_t /*index*/) {
  s.Bind(Number(row.device)).Bind(row.activity_count).Bind(row.stream_count);
  s.Bind(row.first_start_ns).Bind(row.last_end_ns).Bind(row.span_ns);
  s.Bind(row.busy_ns).Bind(row.busy_kernels_ns).Bind(row.idle_ns);
  s.Bind(row.gap_count).Bind(row.gap_max_ns);
  s.Bind(row.compute_ns).Bind(row.memory_ns).Bind(row.memory_exposed_ns);
  s.Bind(row.communication_count).Bind(row.communication_total_ns);
  s.Bind(row.communication_ns).Bind(row.communication_exposed_ns);
  s.Bind(row.communication_suspected_count).Bind(row.communication_suspected_total_ns);
  s.Bind(row.launched_inside_count).Bind(row.launched_inside_span_ns);
  s.Bind(row.launched_inside_busy_ns).Bind(row.launched_inside_idle_ns);
  s.Bind(row.graph_count).Bind(row.graph_total_ns);
}

Status InsertOperatorFlops(SqliteDatabase& database, const ResultStore& store) {
  RIDGELINE_TRY(Statement insert, PrepareInsert(database, "operator_flops", 9));
  for (const OperatorTotal& row : store.operator_totals) {
    if (!row.work) continue;
    const OperatorWork& work = *row.work;
    insert.Bind(Number(row.source)).Bind(Number(row.name)).Bind(work.calls);
    insert.Bind(work.flops).Bind(work.flops_useful).Bind(work.bytes);
    insert.Bind(std::string_view(work.clock)).Bind(work.time_ns).Bind(work.mfu);
    RIDGELINE_RETURN_IF_ERROR(insert.Run());
  }
  return InsertAll(database, "operator_uncounted", 6, store.uncounted_operators,
                   [](Statement& s, const UncountedOperator& row, int64_t) {
                     s.Bind(Number(row.source)).Bind(Number(row.name)).Bind(row.calls);
                     s.Bind(std::string_view(row.clock)).Bind(row.time_ns);
                     s.Bind(row.time_share);
                   });
}

Status InsertTotals(SqliteDatabase& database, const ResultStore& store) {
  RIDGELINE_RETURN_IF_ERROR(
      InsertAll(database, "operator_total", 8, store.operator_totals,
                [](Statement& s, const OperatorTotal& row, int64_t) {
                  s.Bind(Number(row.source)).Bind(Number(row.name)).Bind(row.calls);
                  s.Bind(row.time_total_ns).Bind(row.time_self_ns);
                  s.Bind(row.time_min_ns).Bind(row.time_max_ns).Bind(row.gpu_self_ns);
                }));
  RIDGELINE_RETURN_IF_ERROR(InsertOperatorFlops(database, store));
  RIDGELINE_RETURN_IF_ERROR(
      InsertAll(database, "kernel_total", 6, store.kernel_totals, BindTotal));
  RIDGELINE_RETURN_IF_ERROR(
      InsertAll(database, "memory_op_total", 7, store.memory_op_totals,
                [](Statement& s, const GpuTotal& row, int64_t index) {
                  BindTotal(s, row, index);
                  s.Bind(row.bytes);
                }));
  RIDGELINE_RETURN_IF_ERROR(
      InsertAll(database, "device_time", 26, store.device_times, BindDeviceTime));
  return InsertAll(database, "launch_latency", 7, store.launch_delays,
                   [](Statement& s, const LaunchDelay& row, int64_t) {
                     s.Bind(Number(row.source)).Bind(std::string_view(row.measure));
                     s.Bind(row.count).Bind(row.total_ns).Bind(row.median_ns);
                     s.Bind(row.min_ns).Bind(row.max_ns);
                   });
}

void Bind(Statement& s, const std::optional<InstanceQuantiles>& spread) {
  if (!spread) {
    for (int i = 0; i < 4; ++i) s.BindNull();
    return;
  }
  s.Bind(spread->min_ns).Bind(spread->median_ns).Bind(spread->p99_ns);
  s.Bind(spread->max_ns);
}

void Bind(Statement& s, const std::optional<RegionWork>& work) {
  if (!work) {
    for (int i = 0; i < 5; ++i) s.BindNull();
    return;
  }
  s.Bind(work->operators).Bind(work->cpu_self_ns).Bind(work->flops);
  s.Bind(work->flops_exclusive).Bind(work->mfu);
}

Status InsertRegions(SqliteDatabase& database, const ResultStore& store) {
  RIDGELINE_RETURN_IF_ERROR(InsertAll(
      database, "region", 31, store.regions,
      [](Statement& s, const RegionTotal& row, int64_t id) {
        s.Bind(id).Bind(Number(row.source)).Bind(std::string_view(row.path));
        s.Bind(std::string_view(row.kind)).Bind(row.instances).Bind(row.cpu_total_ns);
        s.Bind(row.launches).Bind(row.launches_inclusive);
        s.Bind(row.gpu_exclusive_ns).Bind(row.gpu_inclusive_ns);
        s.Bind(row.memory_ops).Bind(row.memory_ops_inclusive);
        s.Bind(row.memory_exclusive_ns).Bind(row.memory_inclusive_ns);
        s.Bind(row.memory_exclusive_bytes).Bind(row.memory_inclusive_bytes);
        s.Bind(row.gpu_span_ns).Bind(row.gpu_gap_ns);
        Bind(s, row.cpu_instance);
        Bind(s, row.gpu_span_instance);
        Bind(s, row.work);
      }));
  RIDGELINE_RETURN_IF_ERROR(InsertAll(
      database, "region_roofline", 9, store.region_rooflines,
      [](Statement& s, const RegionRoofline& row, int64_t) {
        s.Bind(Number(row.source)).Bind(std::string_view(row.path));
        s.Bind(std::string_view(row.clock)).Bind(row.time_ns);
        s.Bind(row.flops).Bind(row.bytes);
        s.Bind(row.flops_per_s).Bind(row.bytes_per_s).Bind(row.roofline_slowdown);
      }));
  RIDGELINE_RETURN_IF_ERROR(InsertAll(
      database, "phase_cost", 10, store.phase_costs,
      [](Statement& s, const PhaseCost& row, int64_t) {
        s.Bind(Number(row.source)).Bind(std::string_view(row.phase));
        s.Bind(row.flops_matrix).Bind(row.flops_matrix_useful).Bind(row.flops_total);
        s.Bind(row.bytes_compulsory).Bind(row.bytes_total);
        s.Bind(row.roofline_compute_ns).Bind(row.roofline_memory_ns);
        s.Bind(std::string_view(row.bound));
      }));
  return InsertAll(database, "api_total", 7, store.api_totals,
                   [](Statement& s, const ApiTotal& row, int64_t) {
                     s.Bind(Number(row.source)).Bind(std::string_view(row.kind));
                     s.Bind(Number(row.name)).Bind(row.calls).Bind(row.time_total_ns);
                     s.Bind(row.time_min_ns).Bind(row.time_max_ns);
                   });
}

Status InsertSamples(SqliteDatabase& database, const ResultStore& store) {
  RIDGELINE_RETURN_IF_ERROR(InsertAll(
      database, "gpu_activity", 8, store.gpu_activities,
      [](Statement& s, const GpuActivityRow& row, int64_t id) {
        s.Bind(id).Bind(Number(row.device)).Bind(Number(row.stream));
        s.Bind(std::string_view(NameOf(row.kind))).Bind(Number(row.name));
        s.Bind(row.start_ns).Bind(row.duration_ns);
        row.correlation == kNoCorrelation ? s.BindNull() : s.Bind(row.correlation);
      }));
  RIDGELINE_RETURN_IF_ERROR(InsertAll(
      database, "token_latency", 11, store.token_latencies,
      [](Statement& s, const TokenLatency& row, int64_t) {
        s.Bind(Number(row.source)).Bind(std::string_view(row.measure)).Bind(row.count);
        s.Bind(row.mean_ns).Bind(row.mean_low_ns).Bind(row.mean_high_ns);
        s.Bind(row.median_ns).Bind(row.p90_ns).Bind(row.p99_ns);
        s.Bind(row.min_ns).Bind(row.max_ns);
      }));
  RIDGELINE_RETURN_IF_ERROR(
      InsertAll(database, "call_flops", 7, store.call_flops,
                [](Statement& s, const CallFlops& row, int64_t) {
                  s.Bind(Number(row.source)).Bind(std::string_view(row.phase));
                  s.Bind(row.flops).Bind(row.time_ns);
                  s.Bind(std::string_view(row.device)).Bind(row.peak_flops_per_s);
                  s.Bind(row.mfu());
                }));
  return InsertAll(database, "phase_sample", 8, store.phase_samples,
                   [](Statement& s, const PhaseSample& row, int64_t id) {
                     const bool is_profiled = row.pass == PhaseSample::Pass::kProfiled;
                     s.Bind(id).Bind(Number(row.source));
                     s.Bind(std::string_view(is_profiled ? "profiled" : "unprofiled"));
                     s.Bind(row.repeat).Bind(std::string_view(row.page));
                     s.Bind(std::string_view(row.phase));
                     s.Bind(row.duration_ns).Bind(row.tokens);
                   });
}

Status InsertCounters(SqliteDatabase& database, const ResultStore& store) {
  RIDGELINE_RETURN_IF_ERROR(InsertAll(
      database, "ncu_launch", 10, store.ncu_launches,
      [](Statement& s, const NcuLaunchRow& row, int64_t id) {
        s.Bind(id).Bind(Number(row.source)).Bind(row.launch).Bind(row.process_id);
        s.Bind(Number(row.name)).Bind(std::string_view(row.device));
        s.Bind(std::string_view(row.capability)).Bind(row.grid).Bind(row.block);
        s.Bind(row.duration_ns);
      }));
  RIDGELINE_RETURN_IF_ERROR(InsertAll(
      database, "ncu_metric", 8, store.ncu_metrics,
      [&](Statement& s, const NcuMetricRow& row, int64_t id) {
        s.Bind(id).Bind(Number(row.launch)).Bind(Number(row.section));
        s.Bind(Number(row.item)).Bind(Number(row.name)).Bind(store.names.text(row.unit));
        s.Bind(row.value).Bind(row.text);
      }));
  return InsertAll(database, "ncu_rule", 8, store.ncu_rules,
                   [](Statement& s, const NcuRuleRow& row, int64_t id) {
                     s.Bind(id).Bind(Number(row.launch)).Bind(Number(row.section));
                     s.Bind(Number(row.name)).Bind(std::string_view(row.kind));
                     s.Bind(Number(row.text)).Bind(row.speedup_percent);
                     s.Bind(row.speedup_kind);
                   });
}

}  // namespace

Result<std::string> ToSqlite(const ResultStore& store, std::string_view written_by) {
  RIDGELINE_TRY(SqliteDatabase database, SqliteDatabase::CreateInMemory());
  RIDGELINE_RETURN_IF_ERROR(database.Run(
      "PRAGMA user_version = " + std::to_string(kResultsVersion) + "; BEGIN"));
  RIDGELINE_RETURN_IF_ERROR(database.Run(kResultsSchema));
  RIDGELINE_RETURN_IF_ERROR(InsertMeta(database, written_by));
  RIDGELINE_RETURN_IF_ERROR(InsertNames(database, store.names));
  RIDGELINE_RETURN_IF_ERROR(InsertSources(database, store));
  RIDGELINE_RETURN_IF_ERROR(InsertTotals(database, store));
  RIDGELINE_RETURN_IF_ERROR(InsertSamples(database, store));
  RIDGELINE_RETURN_IF_ERROR(InsertRegions(database, store));
  RIDGELINE_RETURN_IF_ERROR(InsertCounters(database, store));
  RIDGELINE_RETURN_IF_ERROR(database.Run("COMMIT"));
  return database.Bytes();
}

}  // namespace ridgeline::results
