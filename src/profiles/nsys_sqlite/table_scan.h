// Reads all rows of one table of an SQLite file directly from its pages.
//
// Stepping through a statement costs several times as much as reading the rows. A scan
// needs no statement: it walks the tree of a table from its first leaf to its last, and
// decodes only the requested values of each row. For the format see
// https://sqlite.org/fileformat2.html.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::profiles::nsys_sqlite {

// What to do about an export that SQLite cannot read.
inline constexpr std::string_view kExportAgain =
    "; the file is truncated or damaged: export it again (nsys export --type sqlite "
    "REPORT.nsys-rep)";

// Pages of the file opened by SQLite, by number.
class PageFile {
 public:
  // nullopt for files that only SQLite can read: UTF-16 text, a write-ahead log, a
  // damaged header.
  static std::optional<PageFile> Of(sqlite3* database);

  // False: no such page.
  bool Read(uint32_t page, std::vector<uint8_t>& into);

  // Of a page, without the bytes reserved by extensions at its end.
  uint32_t usable_bytes() const { return usable_bytes_; }
  uint32_t page_count() const { return page_count_; }

 private:
  bool ReadAhead(uint32_t page);

  sqlite3_file* file_ = nullptr;
  // Read ahead: leaves are mostly consecutive in the file.
  std::vector<uint8_t> ahead_;
  uint32_t ahead_first_ = 0;
  uint32_t ahead_count_ = 0;
  uint32_t last_ = 0;  // Last requested page.
  uint32_t page_bytes_ = 0;
  uint32_t usable_bytes_ = 0;
  uint32_t page_count_ = 0;
};

class TableScan {
 public:
  struct Column {
    int position = kNoColumn;  // In the row, from 0.
    bool is_row_id = false;    // Its value is the rowid.
  };
  static constexpr int kNoColumn = -1;  // Always NULL.

  // nullopt if `root` is not the root page of a rowid table.
  static std::optional<TableScan> Open(const PageFile& file, uint32_t root,
                                       std::span<const Column> columns);

  // Same as in RowCursor.
  Result<bool> Next();
  std::optional<int64_t> Integer(int column) const;
  std::optional<std::string_view> Text(int column) const;

 private:
  // A page, and its next cell.
  struct Page {
    std::vector<uint8_t> bytes;
    uint32_t cells = 0;
    uint32_t next = 0;
  };
  // Position and type of a value in payload_.
  struct Value {
    uint64_t type = 0;
    size_t offset = 0;
  };

  TableScan(const PageFile& file, std::span<const Column> columns);
  bool Enter(uint32_t number);
  bool FindLeaf();
  bool ReadCell();
  bool ReadOverflow(std::span<const uint8_t> local, uint32_t page, uint64_t size);
  bool ReadValues();

  PageFile file_;
  std::vector<Column> columns_;
  std::vector<Page> path_;  // From the root to the parent of the leaf.
  size_t depth_ = 0;        // Of path_, which keeps its buffers.
  Page leaf_;
  uint32_t pages_read_ = 0;
  int64_t row_id_ = 0;
  std::span<const uint8_t> payload_;
  std::vector<uint8_t> overflow_;  // A payload that spans several pages.
  std::vector<Value> values_;      // By position, up to the last requested one.
};

}  // namespace ridgeline::profiles::nsys_sqlite
