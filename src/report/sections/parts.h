// Helpers shared by sections.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "report/value_text.h"
#include "results/result_store.h"

namespace ridgeline::report {

// Names are untrusted. Longer ones are truncated in the middle, where names of kernels
// differ least; results.sqlite has them in full.
inline constexpr size_t kMaxTextBytes = 2000;
std::string CutText(std::string_view text);

// Limit of tables for people; results.sqlite has all rows.
inline constexpr size_t kMaxRows = 200;

inline double Seconds(int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1e9;
}

// nullopt for an empty text.
inline std::optional<std::string> SomeText(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(CutText(text));
}

// nullopt if `whole` is not positive.
inline std::optional<double> ShareOf(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}

inline const std::string& FileOf(const results::ResultStore& store,
                                 results::SourceId source) {
  return store.sources[source].file;
}

inline std::string NameIn(const results::ResultStore& store, StringId name) {
  return CutText(store.names.text(name));
}

// Selects the rows of a table: the first `most`, and the first of each source, so that a
// long profile does not hide a short one.
class RowLimit {
 public:
  explicit RowLimit(size_t most = kMaxRows) : most_(most) {}

  bool Keeps(results::SourceId source) {
    if (rows_ >= most_ && of_source_[source] >= kOfEachSource) return false;
    ++rows_;
    ++of_source_[source];
    return true;
  }

 private:
  static constexpr size_t kOfEachSource = 25;
  size_t most_;
  size_t rows_ = 0;
  std::map<results::SourceId, size_t> of_source_;
};

// Gives each kernel a short name; kernels that would share one keep their full names, so
// that names in a table are unique.
template <typename Row>
void AddShortNames(std::vector<Row>& rows) {
  std::map<std::string, std::set<std::string>> names;
  for (Row& row : rows) {
    row.short_name = KernelName(row.name);
    names[row.short_name].insert(row.name);
  }
  for (Row& row : rows) {
    if (names.at(row.short_name).size() > 1) row.short_name = row.name;
  }
}

inline constexpr size_t kUnlimited = std::numeric_limits<size_t>::max();

template <typename Row, typename TimeOf>
std::vector<const Row*> ByTimeDescending(const std::vector<Row>& rows, size_t most,
                                         TimeOf time_of) {
  std::vector<const Row*> longest;
  longest.reserve(rows.size());
  for (const Row& row : rows) longest.push_back(&row);
  std::stable_sort(
      longest.begin(), longest.end(),
      [&time_of](const Row* a, const Row* b) { return time_of(*a) > time_of(*b); });
  if (longest.size() > most) longest.resize(most);
  return longest;
}

}  // namespace ridgeline::report
