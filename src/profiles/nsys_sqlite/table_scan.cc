#include "profiles/nsys_sqlite/table_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace ridgeline::profiles::nsys_sqlite {
namespace {

constexpr uint8_t kInnerPage = 5;
constexpr uint8_t kLeafPage = 13;
constexpr size_t kDepthMax = 20;  // SQLite's own limit.

uint64_t BigEndian(const uint8_t* bytes, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; ++i) value = (value << 8) | bytes[i];
  return value;
}

// Appended to data read from a file, so that numbers can be loaded as eight bytes.
constexpr size_t kPadding = 8;

// A signed number of `count` bytes, 1 to 8; always reads eight.
int64_t SignedBigEndian(const uint8_t* bytes, size_t count) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t value = 0;
  std::memcpy(&value, bytes, sizeof(value));
  return static_cast<int64_t>(__builtin_bswap64(value)) >> (64 - 8 * count);
}

bool TakeLongNumber(const uint8_t*& at, const uint8_t* end, uint64_t& number) {
  number = 0;
  for (int i = 0; i < 9; ++i) {
    if (at >= end) return false;
    const uint8_t byte = *at++;
    if (i == 8) {
      number = (number << 8) | byte;
      return true;
    }
    number = (number << 7) | (byte & 0x7F);
    if (byte < 0x80) return true;
  }
  return false;
}

// SQLite's varint of one to nine bytes: seven bits of each, eight of the ninth. Moves
// `at` past it; false if it would exceed `end`.
inline bool TakeNumber(const uint8_t*& at, const uint8_t* end, uint64_t& number) {
  if (at >= end || *at >= 0x80) return TakeLongNumber(at, end, number);
  number = *at++;
  return true;
}

// Size of a value by type. 10 and 11 are not used in files.
uint64_t BytesOf(uint64_t type) {
  constexpr std::array<uint8_t, 12> kBytes = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
  return type < kBytes.size() ? kBytes[type] : (type - 12) / 2;
}

// The part of a row stored in its leaf; the rest is in overflow pages.
uint64_t LocalBytes(uint64_t payload_bytes, uint64_t usable_bytes) {
  const uint64_t most = usable_bytes - 35;
  if (payload_bytes <= most) return payload_bytes;
  const uint64_t least = (usable_bytes - 12) * 32 / 255 - 23;
  const uint64_t fitting = least + (payload_bytes - least) % (usable_bytes - 4);
  return fitting <= most ? fitting : least;
}

Error Damaged() {
  return {ErrorCode::kParse,
          "SQLite: database disk image is malformed" + std::string(kExportAgain)};
}

}  // namespace

std::optional<PageFile> PageFile::Of(sqlite3* database) {
  PageFile pages;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &pages.file_) !=
          SQLITE_OK ||
      pages.file_ == nullptr || pages.file_->pMethods == nullptr) {
    return {};
  }
  std::array<uint8_t, 100> header = {};
  sqlite3_int64 file_bytes = 0;
  const sqlite3_io_methods& io = *pages.file_->pMethods;
  if (io.xRead(pages.file_, header.data(), header.size(), 0) != SQLITE_OK ||
      io.xFileSize(pages.file_, &file_bytes) != SQLITE_OK) {
    return {};
  }
  const uint64_t page_bytes = BigEndian(&header[16], 2);
  pages.page_bytes_ = page_bytes == 1 ? 65536 : static_cast<uint32_t>(page_bytes);
  pages.usable_bytes_ = pages.page_bytes_ - header[20];
  const bool is_power_of_two = (pages.page_bytes_ & (pages.page_bytes_ - 1)) == 0;
  if (pages.page_bytes_ < 512 || !is_power_of_two || pages.usable_bytes_ < 480) return {};
  const bool has_log = header[18] != 1 || header[19] != 1;
  const bool is_utf8 = BigEndian(&header[56], 4) == 1;
  if (has_log || !is_utf8) return {};
  pages.page_count_ = static_cast<uint32_t>(
      std::min<sqlite3_int64>(file_bytes / pages.page_bytes_, UINT32_MAX));
  return pages;
}

// One page if pages are far apart, many if they are consecutive.
bool PageFile::ReadAhead(uint32_t page) {
  constexpr uint32_t kAheadBytes = uint32_t{128} << 10;
  const uint32_t most = page == last_ + 1 ? std::max(1U, kAheadBytes / page_bytes_) : 1U;
  ahead_first_ = page;
  ahead_count_ = std::min(most, page_count_ - page + 1);
  ahead_.resize(size_t{ahead_count_} * page_bytes_);
  return file_->pMethods->xRead(file_, ahead_.data(), static_cast<int>(ahead_.size()),
                                sqlite3_int64{page - 1} * page_bytes_) == SQLITE_OK;
}

bool PageFile::Read(uint32_t page, std::vector<uint8_t>& into) {
  if (page == 0 || page > page_count_) return false;
  const bool is_there = page >= ahead_first_ && page - ahead_first_ < ahead_count_;
  if (!is_there && !ReadAhead(page)) {
    ahead_count_ = 0;
    return false;
  }
  last_ = page;
  into.resize(page_bytes_ + kPadding);
  std::memcpy(into.data(), &ahead_[size_t{page - ahead_first_} * page_bytes_],
              page_bytes_);
  return true;
}

TableScan::TableScan(const PageFile& file, std::span<const Column> columns)
    : file_(file), columns_(columns.begin(), columns.end()), path_(kDepthMax) {
  size_t used = 0;
  for (const Column& column : columns_) {
    if (column.position == kNoColumn) continue;
    used = std::max(used, static_cast<size_t>(column.position) + 1);
  }
  values_.resize(used);
}

std::optional<TableScan> TableScan::Open(const PageFile& file, uint32_t root,
                                         std::span<const Column> columns) {
  TableScan scan(file, columns);
  // The first page begins with the file header; it is not the root of a user table.
  if (root < 2 || !scan.Enter(root)) return {};
  return scan;
}

// Descends into a page.
bool TableScan::Enter(uint32_t number) {
  // A tree has each page once: more of them mean a cycle.
  if (++pages_read_ > file_.page_count() || number < 2) return false;
  if (!file_.Read(number, leaf_.bytes)) return false;
  const uint8_t type = leaf_.bytes[0];
  const size_t head_bytes = type == kInnerPage ? 12 : 8;
  leaf_.cells = static_cast<uint32_t>(BigEndian(&leaf_.bytes[3], 2));
  leaf_.next = 0;
  if (head_bytes + 2 * size_t{leaf_.cells} > file_.usable_bytes()) return false;
  if (type == kLeafPage) return true;
  if (type != kInnerPage || depth_ == path_.size()) return false;
  std::swap(path_[depth_++], leaf_);
  leaf_.cells = leaf_.next = 0;
  return true;
}

// Advances to a leaf with rows left; if there is none, path_ is exhausted. False:
// damaged.
bool TableScan::FindLeaf() {
  while (leaf_.next == leaf_.cells && depth_ > 0) {
    Page& above = path_[depth_ - 1];
    if (above.next > above.cells) {
      --depth_;
      continue;
    }
    // The last child has no cell.
    const uint8_t* child = &above.bytes[8];
    if (above.next < above.cells) {
      const uint64_t cell = BigEndian(&above.bytes[12 + 2 * size_t{above.next}], 2);
      if (cell + 4 > file_.usable_bytes()) return false;
      child = &above.bytes[cell];
    }
    ++above.next;
    if (!Enter(static_cast<uint32_t>(BigEndian(child, 4)))) return false;
  }
  return true;
}

Result<bool> TableScan::Next() {
  if (leaf_.next == leaf_.cells) {
    if (!FindLeaf()) return Damaged();
    if (leaf_.next == leaf_.cells) return false;
  }
  if (!ReadCell() || !ReadValues()) return Damaged();
  return true;
}

bool TableScan::ReadCell() {
  const uint8_t* const page = leaf_.bytes.data();
  const uint8_t* const end = page + file_.usable_bytes();
  const uint64_t cell = BigEndian(page + 8 + 2 * size_t{leaf_.next++}, 2);
  if (cell >= file_.usable_bytes()) return false;
  const uint8_t* at = page + cell;
  uint64_t size = 0;
  uint64_t row_id = 0;
  if (!TakeNumber(at, end, size) || !TakeNumber(at, end, row_id)) return false;
  row_id_ = static_cast<int64_t>(row_id);
  const uint64_t local = LocalBytes(size, file_.usable_bytes());
  const auto left = static_cast<uint64_t>(end - at);
  if (local > left) return false;
  payload_ = {at, local};
  if (local == size) return true;
  if (local + 4 > left) return false;
  return ReadOverflow(payload_, static_cast<uint32_t>(BigEndian(at + local, 4)), size);
}

// A list of pages, each beginning with the number of the next one.
bool TableScan::ReadOverflow(std::span<const uint8_t> local, uint32_t page,
                             uint64_t size) {
  const uint64_t page_bytes = file_.usable_bytes() - 4;
  if (size / page_bytes > file_.page_count()) return false;
  overflow_.assign(local.begin(), local.end());
  std::vector<uint8_t> bytes;
  while (overflow_.size() < size) {
    if (!file_.Read(page, bytes)) return false;
    const uint64_t count = std::min<uint64_t>(size - overflow_.size(), page_bytes);
    overflow_.insert(overflow_.end(), bytes.begin() + 4,
                     bytes.begin() + 4 + static_cast<ptrdiff_t>(count));
    page = static_cast<uint32_t>(BigEndian(bytes.data(), 4));
  }
  overflow_.resize(size + kPadding);
  payload_ = std::span(overflow_).first(size);
  return true;
}

// A row begins with the types of its values, followed by the values.
bool TableScan::ReadValues() {
  const uint8_t* at = payload_.data();
  uint64_t head_bytes = 0;
  if (!TakeNumber(at, at + payload_.size(), head_bytes)) return false;
  if (head_bytes > payload_.size()) return false;
  const uint8_t* const end = payload_.data() + head_bytes;
  uint64_t offset = head_bytes;
  for (Value& value : values_) {
    if (at >= end) {
      value = {};  // Column added later: NULL.
      continue;
    }
    if (!TakeNumber(at, end, value.type)) return false;
    value.offset = offset;
    offset += BytesOf(value.type);
    if (offset > payload_.size()) return false;
  }
  return true;
}

std::optional<int64_t> TableScan::Integer(int column) const {
  const Column& wanted = columns_[static_cast<size_t>(column)];
  if (wanted.position == kNoColumn) return {};
  const Value& value = values_[static_cast<size_t>(wanted.position)];
  if (value.type - 1 < 6) {
    return SignedBigEndian(payload_.data() + value.offset, BytesOf(value.type));
  }
  if (value.type == 0 && wanted.is_row_id) return row_id_;
  if (value.type == 8 || value.type == 9) return static_cast<int64_t>(value.type - 8);
  return {};
}

std::optional<std::string_view> TableScan::Text(int column) const {
  const Column& wanted = columns_[static_cast<size_t>(column)];
  if (wanted.position == kNoColumn) return {};
  const Value& value = values_[static_cast<size_t>(wanted.position)];
  if (value.type < 12) return {};
  const char* const begin = reinterpret_cast<const char*>(payload_.data()) + value.offset;
  return std::string_view(begin, static_cast<size_t>(BytesOf(value.type)));
}

}  // namespace ridgeline::profiles::nsys_sqlite
