// Stores millions of sorted rows in a few bytes each.
//
// A row differs little from its predecessor: kernels start microseconds apart, and their
// correlation ids are consecutive. So only differences are stored, in as few bytes as
// possible. Rows can only be read in order and not be changed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace ridgeline::results {

// Rows of 64-bit numbers; those near 0 take few bytes.
template <size_t kFields>
class PackedLog {
 public:
  using Fields = std::array<int64_t, kFields>;

  // A part of the log whose first row is relative to zeros.
  struct Run {
    size_t block = 0;
    size_t offset = 0;
    size_t rows = 0;
  };

  void BeginRun() {
    runs_.push_back({blocks_.empty() ? 0 : blocks_.size() - 1, used_, 0});
    last_ = {};
  }

  void Add(const Fields& row) {
    if (blocks_.empty() || kBlockBytes - used_ < kRowBytesMax) {
      // Not make_unique, which would zero memory that is about to be overwritten.
      blocks_.emplace_back(new uint8_t[kBlockBytes]);
      used_ = 0;
    }
    uint8_t* to = blocks_.back().get() + used_;
    for (size_t i = 0; i < kFields; ++i) {
      uint64_t left =
          Folded(static_cast<uint64_t>(row[i]) - static_cast<uint64_t>(last_[i]));
      for (; left >= 0x80; left >>= 7) *to++ = static_cast<uint8_t>(left | 0x80);
      *to++ = static_cast<uint8_t>(left);
    }
    used_ = static_cast<size_t>(to - blocks_.back().get());
    last_ = row;
    ++runs_.back().rows;
  }

  const std::vector<Run>& runs() const { return runs_; }

  // The rows of one run. A draining reader frees memory behind itself.
  class RunReader {
   public:
    RunReader(const PackedLog& log, const Run& run) : log_(&log), run_(run) {}
    RunReader(PackedLog* drained, const Run& run)
        : log_(drained),
          drained_(drained),
          // In the block where the run begins, another run that is not read yet may end.
          first_drained_(run.offset == 0 ? run.block : run.block + 1),
          run_(run) {}

    // False after the last row; else row() is the next one.
    bool Next() {
      if (run_.rows == 0) return false;
      --run_.rows;
      if (kBlockBytes - run_.offset < kRowBytesMax) {
        if (drained_ != nullptr && run_.block >= first_drained_) {
          drained_->blocks_[run_.block].reset();
        }
        ++run_.block;
        run_.offset = 0;
      }
      const uint8_t* const begin = log_->blocks_[run_.block].get();
      const uint8_t* from = begin + run_.offset;
      for (int64_t& field : row_) {
        uint64_t folded = *from & 0x7F;
        for (int shift = 7; (*from++ & 0x80) != 0; shift += 7) {
          folded |= static_cast<uint64_t>(*from & 0x7F) << shift;
        }
        field = static_cast<int64_t>(static_cast<uint64_t>(field) + Unfolded(folded));
      }
      run_.offset = static_cast<size_t>(from - begin);
      return true;
    }

    const Fields& row() const { return row_; }

   private:
    const PackedLog* log_;
    PackedLog* drained_ = nullptr;
    size_t first_drained_ = 0;
    Run run_;  // Remainder of the current run.
    Fields row_ = {};
  };

 private:
  static constexpr size_t kBlockBytes = size_t{64} << 10;
  static constexpr size_t kRowBytesMax = kFields * 10;  // No row spans two blocks.

  // Zigzag: 0, -1, 1, -2, ... as 0, 1, 2, 3, ...
  static uint64_t Folded(uint64_t difference) {
    return (difference << 1) ^ (0 - (difference >> 63));
  }
  static uint64_t Unfolded(uint64_t folded) { return (folded >> 1) ^ (0 - (folded & 1)); }

  std::vector<std::unique_ptr<uint8_t[]>> blocks_;
  std::vector<Run> runs_;
  size_t used_ = 0;  // In the last block.
  Fields last_ = {};
};

template <typename Row, typename IsBefore>
class RowSorter;

// Row has Fields, `Fields Pack() const` and `static Row Unpack(const Fields&)`.
template <typename Row, typename IsBefore>
class PackedRows {
  using Log = PackedLog<std::tuple_size_v<typename Row::Fields>>;
  using RunReader = typename Log::RunReader;

 public:
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Merges the runs. Equal rows keep the order in which they were added.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Row;
    using difference_type = std::ptrdiff_t;
    using pointer = const Row*;
    using reference = const Row&;

    explicit Iterator(const PackedRows& rows) : is_before_(rows.is_before_) {
      for (const auto& run : rows.log_.runs()) AddSource(RunReader(rows.log_, run));
      MakeHeap();
    }
    explicit Iterator(PackedRows* drained) : is_before_(drained->is_before_) {
      for (const auto& run : drained->log_.runs()) {
        AddSource(RunReader(&drained->log_, run));
      }
      MakeHeap();
    }
    // The sources are referenced by pointer and do not move with the iterator.
    Iterator(Iterator&&) noexcept = default;
    Iterator(const Iterator&) = delete;
    Iterator& operator=(const Iterator&) = delete;
    Iterator& operator=(Iterator&&) = delete;
    ~Iterator() = default;

    const Row& operator*() const { return heap_.front()->row; }
    const Row* operator->() const { return &heap_.front()->row; }
    Iterator& operator++() {
      if (!heap_.front()->Next()) {
        heap_.front() = heap_.back();
        heap_.pop_back();
      }
      SiftDown(0);
      return *this;
    }
    bool operator==(std::default_sentinel_t /*end*/) const { return heap_.empty(); }

   private:
    struct Source {
      RunReader reader;
      Row row;
      size_t number = 0;

      bool Next() {
        if (!reader.Next()) return false;
        row = Row::Unpack(reader.row());
        return true;
      }
    };

    void AddSource(RunReader reader) {
      sources_.push_back({std::move(reader), {}, sources_.size()});
    }

    void MakeHeap() {
      for (Source& source : sources_) {
        if (source.Next()) heap_.push_back(&source);
      }
      for (size_t i = heap_.size(); i > 0; --i) SiftDown(i - 1);
    }

    bool IsFirst(const Source& a, const Source& b) const {
      if (is_before_(a.row, b.row)) return true;
      return a.number < b.number && !is_before_(b.row, a.row);
    }

    // Rows of one run mostly come in sequence, so this usually ends immediately.
    void SiftDown(size_t at) {
      while (2 * at + 1 < heap_.size()) {
        size_t child = 2 * at + 1;
        if (child + 1 < heap_.size() && IsFirst(*heap_[child + 1], *heap_[child])) {
          ++child;
        }
        if (IsFirst(*heap_[at], *heap_[child])) return;
        std::swap(heap_[at], heap_[child]);
        at = child;
      }
    }

    IsBefore is_before_;
    std::vector<Source> sources_;
    std::vector<Source*> heap_;  // The source with the smallest row is at the front.
  };

  Iterator begin() const { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }

  // For the final pass: rows are freed as they are read. Afterwards the object may only
  // be destroyed.
  Iterator Drain() { return Iterator(this); }

 private:
  friend class RowSorter<Row, IsBefore>;

  Log log_;
  size_t size_ = 0;
  IsBefore is_before_ = {};
};

// Accepts rows in any order.
template <typename Row, typename IsBefore>
class RowSorter {
 public:
  explicit RowSorter(IsBefore is_before = {}) { rows_.is_before_ = is_before; }

  void Add(const Row& row) {
    waiting_.push_back(row);
    if (waiting_.size() == kWaitingMax) Flush();
  }

  PackedRows<Row, IsBefore> Finish() && {
    Flush();
    return std::move(rows_);
  }

 private:
  // Large enough that nearly sorted files give few runs; a few megabytes.
  static constexpr size_t kWaitingMax = size_t{32} << 10;

  void Flush() {
    if (waiting_.empty()) return;
    if (!std::is_sorted(waiting_.begin(), waiting_.end(), rows_.is_before_)) {
      std::stable_sort(waiting_.begin(), waiting_.end(), rows_.is_before_);
    }
    if (rows_.empty() || rows_.is_before_(waiting_.front(), last_)) rows_.log_.BeginRun();
    for (const Row& row : waiting_) rows_.log_.Add(row.Pack());
    rows_.size_ += waiting_.size();
    last_ = waiting_.back();
    waiting_.clear();
  }

  PackedRows<Row, IsBefore> rows_;
  std::vector<Row> waiting_;
  Row last_ = {};  // In the last run.
};

}  // namespace ridgeline::results
