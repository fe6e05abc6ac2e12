#include "config/overrides/function_sort.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace ridgeline::config {
namespace {

Evaluated<bool> LessThan(const ParsedValue& a, const ParsedValue& b);

Evaluated<bool> LessThanList(const ParsedList& a, const ParsedList& b) {
  const size_t common = std::min(a.size(), b.size());
  for (size_t i = 0; i < common; ++i) {
    if (!PythonEqual(a[i], b[i])) return LessThan(a[i], b[i]);
  }
  return a.size() < b.size();
}

Evaluated<bool> LessThan(const ParsedValue& a, const ParsedValue& b) {
  if (a.IsNumber() && b.IsNumber()) return Less(ToNumber(a), ToNumber(b));
  const std::string* a_text = a.AsScalar<std::string>();
  const std::string* b_text = b.AsScalar<std::string>();
  if (a_text != nullptr && b_text != nullptr) return *a_text < *b_text;
  const ParsedList* a_list = a.As<ParsedList>();
  const ParsedList* b_list = b.As<ParsedList>();
  if (a_list != nullptr && b_list != nullptr) return LessThanList(*a_list, *b_list);
  return Raised{"TypeError", "'<' not supported between instances of '" +
                                 std::string(TypeName(a)) + "' and '" +
                                 std::string(TypeName(b)) + "'"};
}

// Sorts indices into `list`. Small lists are compared in exactly CPython's order (a run,
// then binary insertion): with nan or with incomparable types, the result depends on it.
class PythonSort {
 public:
  explicit PythonSort(const ParsedList& list) : list_(list), order_(list.size()) {
    std::iota(order_.begin(), order_.end(), size_t{0});
  }

  Evaluated<std::vector<size_t>> Run(SortOrder direction) {
    // Reversing before and after keeps equal items in their order.
    const bool descending = direction == SortOrder::kDescending;
    if (descending) std::reverse(order_.begin(), order_.end());
    if (order_.size() < kCPythonMinMerge) {
      InsertAfterRun(SortedPrefix());
    } else {
      std::stable_sort(order_.begin(), order_.end(),
                       [this](size_t a, size_t b) { return LessAt(a, b); });
    }
    if (raised_) return *std::move(raised_);
    if (descending) std::reverse(order_.begin(), order_.end());
    return std::move(order_);
  }

 private:
  // From this size on CPython merges runs; for totally ordered values the result equals
  // that of any stable sort.
  static constexpr size_t kCPythonMinMerge = 64;

  // False after the first failure, so that the sort terminates.
  bool LessAt(size_t a, size_t b) {
    if (raised_) return false;
    Evaluated<bool> less = LessThan(list_[a], list_[b]);
    if (less.ok()) return less.value();
    raised_ = std::move(less).error();
    return false;
  }

  // The length of the initial run; a strictly descending one is reversed.
  size_t SortedPrefix() {
    if (order_.size() < 2) return order_.size();
    const bool falling = LessAt(order_[1], order_[0]);
    size_t length = 2;
    while (length < order_.size() && !raised_ &&
           LessAt(order_[length], order_[length - 1]) == falling) {
      ++length;
    }
    if (falling) {
      std::reverse(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(length));
    }
    return length;
  }

  void InsertAfterRun(size_t sorted) {
    for (; sorted < order_.size() && !raised_; ++sorted) {
      const size_t pivot = order_[sorted];
      size_t left = 0;
      size_t right = sorted;
      while (left < right) {
        const size_t middle = left + (right - left) / 2;
        if (LessAt(pivot, order_[middle])) {
          right = middle;
        } else {
          left = middle + 1;
        }
      }
      const auto begin = order_.begin();
      std::rotate(begin + static_cast<std::ptrdiff_t>(left),
                  begin + static_cast<std::ptrdiff_t>(sorted),
                  begin + static_cast<std::ptrdiff_t>(sorted + 1));
    }
  }

  const ParsedList& list_;
  std::vector<size_t> order_;
  std::optional<Raised> raised_;
};

}  // namespace

Evaluated<ParsedList> Sorted(ParsedList list, SortOrder order) {
  RIDGELINE_TRY(const std::vector<size_t> positions, PythonSort(list).Run(order));
  ParsedList sorted;
  sorted.reserve(list.size());
  for (const size_t position : positions) sorted.push_back(std::move(list[position]));
  return sorted;
}

Evaluated<RangeSweep> SortedRange(RangeSweep range, SortOrder order) {
  const bool ascending = order == SortOrder::kAscending;
  const bool turn =
      ascending ? Less(range.stop, range.start) : Less(range.start, range.stop);
  if (!turn) return range;
  const Number size = Absolute(range.step);
  const Number shift = ascending ? size : Negate(size);
  std::optional<Number> start = Add(range.stop, shift);
  std::optional<Number> stop = Add(range.start, shift);
  if (!start || !stop) {
    return Raised{"OverflowError", "int too large to convert to float"};
  }
  range.start = *std::move(start);
  range.stop = *std::move(stop);
  range.step = Negate(range.step);
  return range;
}

}  // namespace ridgeline::config
