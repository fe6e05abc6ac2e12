#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "base/random.h"
#include "profiles/nsys_sqlite/tables.h"

namespace ridgeline::profiles::nsys_sqlite {
namespace {

using results::DropReason;
using results::GpuActivityKind;
using results::NsysGpuOp;
using results::NsysKernelShape;
using results::NsysRows;

constexpr std::string_view kKernelTable = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr std::string_view kMemcpyTable = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr std::string_view kMemsetTable = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr std::string_view kGraphTable = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";

// Columns common to all four tables.
#define RIDGELINE_GPU_COLUMNS \
  "start", "end", "deviceId", "streamId", "correlationId", "globalPid"

// CUpti_ActivityMemcpyKind as printed by nsys stats; the last three, unified memory
// migrations, are specific to nsys (ENUM_CUDA_MEMCPY_OPER).
constexpr const char* kCopyKinds[] = {
    "unknown", "HtoD", "DtoH", "HtoA", "AtoH",         "AtoA",         "AtoD",
    "DtoA",    "DtoD", "HtoH", "PtoP", "unified HtoD", "unified DtoH", "unified DtoD"};
constexpr int64_t kFirstMigration = 11;

struct ShapeHash {
  size_t operator()(const NsysKernelShape& shape) const {
    uint64_t hash = MixBits((uint64_t{shape.name} << 32) | shape.short_name);
    for (size_t i = 0; i < shape.grid.size(); ++i) {
      hash = MixBits(hash ^ ((uint64_t{shape.grid[i]} << 32) | shape.block[i]));
    }
    return hash;
  }
};

// Reads the tables one by one.
class GpuReader {
 public:
  explicit GpuReader(const Target& target) : target_(target), rows_(target.rows) {}

  Status Read() {
    RIDGELINE_RETURN_IF_ERROR(ReadKernels());
    RIDGELINE_RETURN_IF_ERROR(ReadCopies());
    RIDGELINE_RETURN_IF_ERROR(ReadFills());
    return ReadGraphs();
  }

 private:
  // RIDGELINE_GPU_COLUMNS; those of one table follow.
  enum Column : uint8_t { kStart, kEnd, kDevice, kStream, kCorrelation, kProcess, kOwn };

  // add(row) fills `detail` of the given op; columns begin with the common ones.
  template <typename Columns, typename FillDetail>
  Status ReadTable(std::string_view table, GpuActivityKind kind, const Columns& columns,
                   FillDetail fill) {
    if (!target_.file.HasTable(table)) return Ok();
    RIDGELINE_TRY(RowCursor row, target_.file.Scan(table, columns));
    while (true) {
      RIDGELINE_TRY(const bool has_row, row.Next());
      if (!has_row) return Ok();
      const auto start = row.Integer(kStart);
      const auto end = row.Integer(kEnd);
      const bool is_kernel = kind == GpuActivityKind::kKernel;
      if (is_kernel && start && end && *end < *start)
        ++rows_.kernels_of_negative_duration;
      const auto times = TimesOf(start, end, rows_.left_out);
      if (!times) continue;
      const auto track = target_.numbering.Track(row.Integer(kProcess).value_or(0),
                                                 row.Integer(kDevice).value_or(0),
                                                 row.Integer(kStream).value_or(0));
      if (!track) {
        rows_.left_out.Add(DropReason::kTooManyStreams);
        continue;
      }
      NsysGpuOp op;
      op.start_ns = times->start_ns;
      op.duration_ns = times->duration_ns;
      op.correlation = row.Integer(kCorrelation).value_or(results::kNoCorrelation);
      op.track = *track & results::kMaxTrack;
      op.kind = kind;
      RIDGELINE_RETURN_IF_ERROR(fill(row, op));
      target_.launches.AddOp(op);
    }
  }

  Status ReadKernels() {
    constexpr std::array<std::string_view, 14> kColumns = {RIDGELINE_GPU_COLUMNS,
                                                           "demangledName",
                                                           "shortName",
                                                           "gridX",
                                                           "gridY",
                                                           "gridZ",
                                                           "blockX",
                                                           "blockY",
                                                           "blockZ"};
    return ReadTable(
        kKernelTable, GpuActivityKind::kKernel, kColumns,
        [&](const RowCursor& row, NsysGpuOp& op) -> Status {
          NsysKernelShape shape;
          const auto name = row.Integer(kOwn);
          const auto short_name = row.Integer(kOwn + 1);
          RIDGELINE_TRY(shape.name, target_.names.OfEither(name, short_name));
          RIDGELINE_TRY(shape.short_name, target_.names.OfEither(short_name, name));
          for (int i = 0; i < 3; ++i) {
            const auto at = static_cast<size_t>(i);
            shape.grid[at] = Dimension(row.Integer(kOwn + 2 + i));
            shape.block[at] = Dimension(row.Integer(kOwn + 5 + i));
          }
          op.detail = ShapeNumber(shape);
          return Ok();
        });
  }

  Status ReadCopies() {
    constexpr std::array<std::string_view, 8> kColumns = {RIDGELINE_GPU_COLUMNS, "bytes",
                                                          "copyKind"};
    return ReadTable(
        kMemcpyTable, GpuActivityKind::kMemcpy, kColumns,
        [&](const RowCursor& row, NsysGpuOp& op) -> Status {
          const int64_t kind = row.Integer(kOwn + 1).value_or(0);
          const bool is_known =
              kind >= 0 && kind < static_cast<int64_t>(std::size(kCopyKinds));
          const std::string name =
              is_known ? kCopyKinds[kind] : "kind " + std::to_string(kind);
          AddMemoryOp(row, target_.names.Of(name), op);
          rows_.memory_ops.back().is_migration = is_known && kind >= kFirstMigration;
          return Ok();
        });
  }

  Status ReadFills() {
    constexpr std::array<std::string_view, 7> kColumns = {RIDGELINE_GPU_COLUMNS, "bytes"};
    return ReadTable(kMemsetTable, GpuActivityKind::kMemset, kColumns,
                     [&](const RowCursor& row, NsysGpuOp& op) -> Status {
                       AddMemoryOp(row, target_.names.Of("memset"), op);
                       return Ok();
                     });
  }

  Status ReadGraphs() {
    constexpr std::array<std::string_view, 8> kColumns = {RIDGELINE_GPU_COLUMNS,
                                                          "graphId", "graphExecId"};
    return ReadTable(kGraphTable, GpuActivityKind::kGraph, kColumns,
                     [&](const RowCursor& row, NsysGpuOp& op) -> Status {
                       const auto id =
                           row.Integer(kOwn) ? row.Integer(kOwn) : row.Integer(kOwn + 1);
                       const auto next = static_cast<uint32_t>(rows_.graphs.size());
                       const auto [place, is_new] = graphs_.emplace(id.value_or(0), next);
                       if (is_new) rows_.graphs.push_back(place->first);
                       op.detail = place->second;
                       return Ok();
                     });
  }

  void AddMemoryOp(const RowCursor& row, StringId name, NsysGpuOp& op) {
    op.detail = static_cast<uint32_t>(rows_.memory_ops.size());
    rows_.memory_ops.push_back(
        {.name = name, .bytes = std::max<int64_t>(row.Integer(kOwn).value_or(0), 0)});
  }

  static uint32_t Dimension(std::optional<int64_t> value) {
    return static_cast<uint32_t>(value.value_or(0));
  }

  uint32_t ShapeNumber(const NsysKernelShape& shape) {
    const auto next = static_cast<uint32_t>(rows_.kernel_shapes.size());
    const auto [place, is_new] = shapes_.try_emplace(shape, next);
    if (is_new) rows_.kernel_shapes.push_back(shape);
    return place->second;
  }

  Target target_;
  NsysRows& rows_;
  std::unordered_map<NsysKernelShape, uint32_t, ShapeHash> shapes_;
  std::unordered_map<int64_t, uint32_t> graphs_;
};

}  // namespace

Status ReadGpuTables(const Target& target) { return GpuReader(target).Read(); }

Status VisitKernels(ExportFile& file, NameReader& names, results::NsysRows& rows,
                    const KernelVisitor& visit) {
  constexpr std::array<std::string_view, 4> kColumns = {"start", "end", "demangledName",
                                                        "shortName"};
  for (const std::string_view table : {kKernelTable, kGraphTable}) {
    if (!file.HasTable(table)) continue;
    RIDGELINE_TRY(RowCursor row, file.Scan(table, kColumns));
    while (true) {
      RIDGELINE_TRY(const bool has_row, row.Next());
      if (!has_row) break;
      const auto times = TimesOf(row.Integer(0), row.Integer(1), rows.left_out);
      if (!times) continue;
      std::optional<StringId> name;
      if (table == kKernelTable) {
        RIDGELINE_TRY(name, names.OfEither(row.Integer(2), row.Integer(3)));
      }
      visit(name, times->duration_ns);
    }
  }
  return Ok();
}

}  // namespace ridgeline::profiles::nsys_sqlite
