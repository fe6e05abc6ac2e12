#include "profiles/ncu_csv/row_builder.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/utf8.h"

namespace ridgeline::profiles {
namespace {

using results::DropReason;
using results::NcuForm;
using results::NcuLaunch;
using results::NcuMetric;
using results::NcuRule;
using results::NcuShape;

using Fields = std::vector<std::string>;

std::string_view Field(const Fields& fields, ColumnIndex column) {
  if (!column || *column >= fields.size()) return {};
  return fields[*column];
}

template <typename Number>
std::optional<Number> Whole(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || text.empty()) return {};
  return number;
}

// "(256, 1, 1)"
std::optional<NcuShape> ShapeOf(std::string_view text) {
  if (!text.starts_with('(') || !text.ends_with(')')) return {};
  text = text.substr(1, text.size() - 2);
  NcuShape shape = {};
  for (size_t i = 0; i < shape.size(); ++i) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    const bool is_last = i + 1 == shape.size();
    const size_t end = is_last ? text.size() : text.find(',');
    if (end == text.npos) return {};
    const auto side = Whole<uint64_t>(text.substr(0, end));
    if (!side) return {};
    shape[i] = *side;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return shape;
}

// From launch__grid_dim_x, _y, _z: the only source in wide files before 2023.
std::optional<NcuShape> ShapeFromMetrics(const results::NcuRows& rows,
                                         const NcuLaunch& launch,
                                         std::string_view prefix) {
  NcuShape shape = {};
  for (size_t i = 0; i < shape.size(); ++i) {
    const std::string name = std::string(prefix) + "xyz"[i];
    const auto metric =
        std::find_if(launch.metrics.begin(), launch.metrics.end(),
                     [&](const NcuMetric& m) { return rows.names.text(m.name) == name; });
    constexpr double kMost = 4294967296;
    if (metric == launch.metrics.end() || !metric->value || *metric->value < 0 ||
        *metric->value >= kMost || std::floor(*metric->value) != *metric->value) {
      return {};
    }
    shape[i] = static_cast<uint64_t>(*metric->value);
  }
  return shape;
}

// ncu's texts for a missing value.
bool IsNoValue(std::string_view text) {
  return text.empty() || text == "n/a" || text == "N/A" || text == "no data" ||
         text == "nan" || text == "-nan" || text == "inf" || text == "-inf";
}

}  // namespace

StringId NcuRowBuilder::Intern(std::string_view text) {
  if (IsValidUtf8(text)) return rows_.names.Intern(text);
  rows_.left_out.Add(DropReason::kNameNotUtf8);
  return rows_.names.Intern(ReplaceBrokenUtf8(text));
}

StringId NcuRowBuilder::Name(const Fields& fields, ColumnIndex column) {
  return Intern(Field(fields, column));
}

void NcuRowBuilder::SetColumns(NcuColumns columns) {
  columns_ = std::move(columns);
  first_of_table_ = rows_.launches.size();
  has_units_ = columns_.form != NcuForm::kWide;
  wide_units_.clear();
  wide_names_.clear();
  wide_unit_names_.clear();
  if (has_units_) return;
  for (const size_t column : columns_.wide_metrics) {
    wide_names_.push_back(Intern(columns_.names[column]));
  }
}

void NcuRowBuilder::SetValue(std::string_view text, const NcuUnit& unit,
                             NcuMetric& metric) {
  metric.value = ParseNcuNumber(text, style_, unit.exponent);
  metric.text = Intern(metric.value ? std::string_view() : text);
  if (IsNoValue(text)) rows_.left_out.Add(DropReason::kMetricWithoutValue);
}

// Rows of a launch need not be consecutive. In summaries, a kernel is identified by name,
// grid, block and device.
NcuLaunch* NcuRowBuilder::LaunchOf(const Fields& fields) {
  const auto process = Whole<int64_t>(Field(fields, columns_.process_id));
  const auto id = Whole<int64_t>(Field(fields, columns_.id));
  if (!process || (columns_.id && !id)) return nullptr;
  std::string name(Field(fields, columns_.kernel));
  if (!columns_.id) {
    for (const ColumnIndex column : {columns_.block, columns_.grid, columns_.device}) {
      name += '\n';
      name += Field(fields, column);
    }
  }
  const auto [place, is_new] =
      launches_.try_emplace({*process, id.value_or(0), name}, rows_.launches.size());
  if (!is_new) {
    repeats_earlier_table_ |= place->second < first_of_table_;
    return &rows_.launches[place->second];
  }
  NcuLaunch launch = {.id = id, .process_id = *process};
  launch.process = Name(fields, columns_.process);
  launch.host = Name(fields, columns_.host);
  launch.kernel = Name(fields, columns_.kernel);
  std::string nvtx;
  for (const size_t column : columns_.nvtx) nvtx += Field(fields, column);
  launch.nvtx = Intern(nvtx);
  launch.context = Name(fields, columns_.context);
  launch.stream = Name(fields, columns_.stream);
  launch.device = Name(fields, columns_.device);
  launch.capability = Name(fields, columns_.capability);
  launch.grid = ShapeOf(Field(fields, columns_.grid));
  launch.block = ShapeOf(Field(fields, columns_.block));
  launch.launches = Whole<int64_t>(Field(fields, columns_.launches));
  rows_.launches.push_back(std::move(launch));
  return &rows_.launches.back();
}

void NcuRowBuilder::AddMetric(const Fields& fields, NcuLaunch& launch) {
  const NcuUnit unit = ParseNcuUnit(Field(fields, columns_.unit));
  NcuMetric metric = {.section = Name(fields, columns_.section),
                      .item = Name(fields, columns_.item),
                      .name = Name(fields, columns_.metric),
                      .unit = Intern(unit.base)};
  SetValue(Field(fields, columns_.value), unit, metric);
  metric.value_min =
      ParseNcuNumber(Field(fields, columns_.value_min), style_, unit.exponent);
  metric.value_max =
      ParseNcuNumber(Field(fields, columns_.value_max), style_, unit.exponent);
  launch.metrics.push_back(metric);
}

void NcuRowBuilder::AddRule(const Fields& fields, NcuLaunch& launch) {
  NcuRule rule = {.section = Name(fields, columns_.section),
                  .name = Name(fields, columns_.rule),
                  .kind = Name(fields, columns_.rule_kind),
                  .text = Name(fields, columns_.rule_text)};
  if (columns_.speedup_kind) rule.speedup_kind = Name(fields, columns_.speedup_kind);
  // At most 100 %, with up to three decimals: its separator is always the decimal one.
  const NumberStyle percent = {.comma = NumberStyle::Mark::kDecimal};
  rule.speedup_percent = ParseNcuNumber(Field(fields, columns_.speedup), percent, 0);
  launch.rules.push_back(rule);
}

// Between the rows are those of other tables, which may begin with a number, too.
void NcuRowBuilder::CountOther(const CsvRecord& record) {
  const bool is_row = (columns_.form == NcuForm::kWide || record.ends_text) &&
                      Whole<int64_t>(record.fields.front()).has_value();
  rows_.left_out.Add(is_row ? DropReason::kRowCutOff : DropReason::kLineOfOtherReport);
}

// The row of a metric ends after its value, that of a rule has empty metric columns.
void NcuRowBuilder::AddLong(const CsvRecord& record) {
  const Fields& fields = record.fields;
  const bool is_metric =
      !Field(fields, columns_.metric).empty() && *columns_.value < fields.size();
  const bool is_rule =
      !Field(fields, columns_.rule).empty() && columns_.rule_text < fields.size();
  NcuLaunch* const launch = is_metric || is_rule ? LaunchOf(fields) : nullptr;
  if (launch == nullptr) return CountOther(record);
  if (is_metric) AddMetric(fields, *launch);
  if (is_rule) AddRule(fields, *launch);
}

Status NcuRowBuilder::AddWide(const CsvRecord& record) {
  const Fields& fields = record.fields;
  if (!has_units_) {
    if (!Field(fields, columns_.id).empty() || fields.size() != columns_.count) {
      return Error(ErrorCode::kParse,
                   "line " + std::to_string(record.line) +
                       ": expected the row of units below the header; without it, the "
                       "unit of durations is unknown");
    }
    for (const size_t column : columns_.wide_metrics) {
      wide_units_.push_back(ParseNcuUnit(fields[column]));
      wide_unit_names_.push_back(Intern(wide_units_.back().base));
    }
    has_units_ = true;
    return Ok();
  }
  NcuLaunch* const launch = fields.size() == columns_.count ? LaunchOf(fields) : nullptr;
  if (launch == nullptr) {
    CountOther(record);
    return Ok();
  }
  const StringId none = Intern("");
  for (size_t i = 0; i < columns_.wide_metrics.size(); ++i) {
    NcuMetric metric = {.section = none,
                        .item = none,
                        .name = wide_names_[i],
                        .unit = wide_unit_names_[i]};
    SetValue(fields[columns_.wide_metrics[i]], wide_units_[i], metric);
    launch->metrics.push_back(metric);
  }
  if (!launch->grid) launch->grid = ShapeFromMetrics(rows_, *launch, "launch__grid_dim_");
  if (!launch->block) {
    launch->block = ShapeFromMetrics(rows_, *launch, "launch__block_dim_");
  }
  return Ok();
}

Status NcuRowBuilder::Add(const CsvRecord& record) {
  RIDGELINE_RETURN_IF_ERROR(AddToForm(record));
  if (!repeats_earlier_table_) return Ok();
  return Error(ErrorCode::kParse,
               "line " + std::to_string(record.line) +
                   ": a second table with the same launches; import them as separate "
                   "files");
}

Status NcuRowBuilder::AddToForm(const CsvRecord& record) {
  if (record.is_cut_off) {
    rows_.left_out.Add(DropReason::kRowCutOff);
    return Ok();
  }
  if (columns_.form == NcuForm::kWide) return AddWide(record);
  AddLong(record);
  return Ok();
}

std::vector<std::string_view> NumbersOf(const NcuColumns& columns,
                                        const CsvRecord& record) {
  std::vector<std::string_view> numbers;
  if (record.is_cut_off) return numbers;
  if (columns.form == NcuForm::kWide) {
    for (const size_t column : columns.wide_metrics) {
      numbers.push_back(Field(record.fields, column));
    }
    return numbers;
  }
  for (const ColumnIndex column : {columns.value, columns.value_min, columns.value_max}) {
    numbers.push_back(Field(record.fields, column));
  }
  return numbers;
}

}  // namespace ridgeline::profiles
