// Converts CSV rows to launches with their metrics and rules.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "profiles/ncu_csv/columns.h"
#include "profiles/ncu_csv/number_style.h"
#include "profiles/ncu_csv/records.h"
#include "results/ncu_rows.h"

namespace ridgeline::profiles {

// Units as written by ncu, and their base units.

// A value v of the unit is v * 10^exponent of `base`.
struct NcuUnit {
  std::string base;
  int exponent = 0;

  bool operator==(const NcuUnit&) const = default;
};

// "usecond" and "us" are 10^3 ns; "Gbyte/second" and "Gbyte/s" are 10^9 byte/s;
// "cycle/nsecond" and "Ghz" are 10^9 hz; "Kbyte/block" is 10^3 byte/block. Prefixes are
// decimal. An unknown unit is its own base.
NcuUnit ParseNcuUnit(std::string_view text);

// Reads the rows below each header into `rows`.
class NcuRowBuilder {
 public:
  NcuRowBuilder(NumberStyle style, results::NcuRows& rows)
      : style_(std::move(style)), rows_(rows) {}

  void SetColumns(NcuColumns columns);

  // Fails if a wide file has no units, or a table repeats launches of an earlier one.
  Status Add(const CsvRecord& record);

 private:
  using LaunchKey = std::tuple<int64_t, int64_t, std::string>;

  Status AddToForm(const CsvRecord& record);
  Status AddWide(const CsvRecord& record);
  void AddLong(const CsvRecord& record);
  void CountOther(const CsvRecord& record);
  results::NcuLaunch* LaunchOf(const std::vector<std::string>& fields);
  void AddMetric(const std::vector<std::string>& fields, results::NcuLaunch& launch);
  void AddRule(const std::vector<std::string>& fields, results::NcuLaunch& launch);
  void SetValue(std::string_view text, const NcuUnit& unit, results::NcuMetric& metric);
  StringId Name(const std::vector<std::string>& fields, ColumnIndex column);
  StringId Intern(std::string_view text);

  NumberStyle style_;
  results::NcuRows& rows_;
  NcuColumns columns_;
  bool has_units_ = false;
  std::vector<NcuUnit> wide_units_;   // Like columns_.wide_metrics.
  std::vector<StringId> wide_names_;  // Like columns_.wide_metrics.
  std::vector<StringId> wide_unit_names_;
  std::map<LaunchKey, size_t> launches_;  // Index into rows_.launches.
  size_t first_of_table_ = 0;             // Index into rows_.launches.
  bool repeats_earlier_table_ = false;
};

// The texts of a row that should be numbers, for NumberStyleEvidence.
std::vector<std::string_view> NumbersOf(const NcuColumns& columns,
                                        const CsvRecord& record);

}  // namespace ridgeline::profiles
