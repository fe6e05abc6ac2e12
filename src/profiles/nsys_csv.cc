#include "profiles/nsys_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "profiles/shared/decimal_time.h"
#include "profiles/whole_text.h"

namespace ridgeline::profiles {
namespace {

using results::DropReason;
using results::KernelSummary;
using results::KernelSummaryRow;

// Beginnings of lines that nsys prints around its tables.
constexpr std::string_view kTalk[] = {
    "Processing [", "Exporting [", "Using ",   "Generating ", "ERROR", "WARNING",
    "SKIPPED",      "NOTICE",      "Time (%)", "Time(%)",     "** "};

bool IsTalk(std::string_view line) {
  return std::any_of(std::begin(kTalk), std::end(kTalk),
                     [&](std::string_view begin) { return line.starts_with(begin); });
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The last field is the rest of the line, whatever it contains.
std::vector<std::string_view> Split(std::string_view line, char separator, size_t most) {
  std::vector<std::string_view> fields;
  while (fields.size() + 1 < most) {
    const size_t end = line.find(separator);
    if (end == std::string_view::npos) break;
    fields.push_back(line.substr(0, end));
    line.remove_prefix(end + 1);
  }
  fields.push_back(line);
  return fields;
}

// Indexes of the columns that are read.
struct Columns {
  char separator = ',';
  std::vector<std::string> names;
  std::string unit;
  size_t share = 0;
  size_t total = 0;
  size_t instances = 0;
  size_t min = 0;
  size_t max = 0;
};

std::optional<size_t> Find(const std::vector<std::string>& names,
                           std::initializer_list<std::string_view> beginnings) {
  for (size_t i = 0; i < names.size(); ++i) {
    for (const std::string_view beginning : beginnings) {
      if (names[i].starts_with(beginning)) return i;
    }
  }
  return {};
}

// "Total Time (ms)" -> "ms"
std::string UnitOf(const std::string& name) {
  const size_t open = name.find('(');
  const size_t close = name.find(')');
  if (open == std::string::npos || close == std::string::npos || close < open)
    return "ns";
  return name.substr(open + 1, close - open - 1);
}

// For lines such as
//   Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,Name
//   Time (%),Total Time (us),Instances,Avg (us),...,GridXYZ,BlockXYZ,Name
std::optional<Columns> SummaryColumnsOf(std::string_view line) {
  if (line.starts_with('"')) line.remove_prefix(1);
  if (!line.starts_with("Time(%)") && !line.starts_with("Time (%)")) return {};
  Columns columns;
  columns.separator = line.find('\t') != line.npos ? '\t' : ',';
  for (std::string_view field : Split(line, columns.separator, line.size() + 1)) {
    field = Trimmed(field);
    if (field.starts_with('"')) field.remove_prefix(1);
    if (field.ends_with('"')) field.remove_suffix(1);
    columns.names.emplace_back(field);
  }
  const auto total = Find(columns.names, {"Total Time"});
  const auto instances = Find(columns.names, {"Instances"});
  const auto min = Find(columns.names, {"Min"});
  const auto max = Find(columns.names, {"Max"});
  if (!total || !instances || !min || !max || columns.names.back() != "Name") return {};
  columns.total = *total;
  columns.instances = *instances;
  columns.min = *min;
  columns.max = *max;
  columns.unit = UnitOf(columns.names[*total]);
  return columns;
}

// Via decimal digits: 1074.7329 ms is exactly 1074732900 ns.
std::optional<int64_t> NsOf(std::string_view text, const std::string& unit) {
  const char* const exponent = unit == "ns"                   ? "e-3"
                               : unit == "us"                 ? ""
                               : unit == "ms"                 ? "e3"
                               : unit == "s" || unit == "sec" ? "e6"
                                                              : nullptr;
  if (exponent == nullptr || text.find_first_of("eE") != text.npos) return {};
  const DecimalTime time = MicrosecondsToNs(std::string(Trimmed(text)) + exponent);
  if (time.fault != DecimalTime::Fault::kNone) return {};
  return time.ns;
}

bool IsNumeric(std::string_view text) {
  text = Trimmed(text);
  return !text.empty() &&
         text.find_first_not_of("0123456789.+-eE") == std::string_view::npos;
}

// Fields of a row that is longer than the header continue in its name, "5,3,f": the
// numbers contain separators. A name begins with a letter or a bracket.
bool HoldsNumbers(std::string_view name, char separator) {
  constexpr std::string_view kBeginsNumber = "0123456789+-.,\t";
  const size_t first = name.find_first_not_of(' ');
  return name.find(separator) != name.npos &&
         kBeginsNumber.find(name[first]) != name.npos;
}

// "(int)128, T*": pairs of brackets; operators contain others.
bool IsWholeName(std::string_view name) {
  const auto count = [name](char c) { return std::count(name.begin(), name.end(), c); };
  return !name.empty() && count('(') == count(')') && count('[') == count(']');
}

template <typename Number>
std::optional<Number> NumberOf(std::string_view text) {
  text = Trimmed(text);
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || text.empty()) return {};
  return number;
}

class SummaryReader {
 public:
  explicit SummaryReader(std::string_view text)
      : lines_(LinesOf(text)), last_line_ends_(text.ends_with('\n')) {}

  Result<KernelSummary> Read() {
    while (at_ < lines_.size() && !columns_) {
      columns_ = SummaryColumnsOf(lines_[at_]);
      if (!columns_) CountOther(lines_[at_]);
      ++at_;
    }
    if (!columns_) return NoSummary();
    summary_.header = columns_->names;
    summary_.preamble_lines = static_cast<int64_t>(at_) - 1;
    summary_.time_unit = columns_->unit;
    if (!NsOf("0", columns_->unit)) {
      return Error(ErrorCode::kParse, "line " + std::to_string(at_) +
                                          ": unknown time unit '" + columns_->unit + "'");
    }
    while (at_ < lines_.size() && !Trimmed(lines_[at_]).empty() && !IsTalk(lines_[at_])) {
      RIDGELINE_RETURN_IF_ERROR(ReadRow());
    }
    RIDGELINE_RETURN_IF_ERROR(CheckComplete());
    for (; at_ < lines_.size(); ++at_) {
      const std::optional<Columns> next = SummaryColumnsOf(lines_[at_]);
      if (next && next->names == columns_->names) return SecondSummary();
      CountOther(lines_[at_]);
    }
    return std::move(summary_);
  }

 private:
  using Fields = std::vector<std::string_view>;

  void CountOther(std::string_view line) {
    if (!Trimmed(line).empty()) summary_.left_out.Add(DropReason::kLineOfOtherReport);
  }

  // All columns but the name, which may continue on the next lines.
  Fields FieldsOf(std::string_view line) const {
    return Split(line, columns_->separator, columns_->names.size());
  }

  bool IsRow(const Fields& fields) const {
    return fields.size() == columns_->names.size() &&
           IsNumeric(fields[columns_->share]) && IsNumeric(fields[columns_->instances]);
  }

  // Only some rows may be too long: 12,5 and 12.
  Status CheckLength(const Fields& fields) const {
    const auto is_part = [](std::string_view field) {
      return std::count(field.begin(), field.end(), '"') % 2 != 0;
    };
    if (!HoldsNumbers(fields.back(), columns_->separator) &&
        std::none_of(fields.begin(), fields.end() - 1, is_part)) {
      return Ok();
    }
    return Error(ErrorCode::kParse,
                 fmt::format("line {}: the fields do not match the {} columns of the "
                             "header (decimal commas?); export the summary again with "
                             "LC_ALL=C",
                             at_, columns_->names.size()));
  }

  Status ReadRow() {
    const Fields fields = FieldsOf(lines_[at_++]);
    is_last_whole_ = false;
    if (fields.size() == columns_->names.size()) {
      RIDGELINE_RETURN_IF_ERROR(CheckLength(fields));
    }
    if (!IsRow(fields)) {
      summary_.left_out.Add(DropReason::kLineTimeUnusable);
      return Ok();
    }
    const std::string name = NameFrom(fields.back());
    const auto total = NsOf(fields[columns_->total], columns_->unit);
    const auto min = NsOf(fields[columns_->min], columns_->unit);
    const auto max = NsOf(fields[columns_->max], columns_->unit);
    const auto instances = NumberOf<int64_t>(fields[columns_->instances]);
    const auto percent = NumberOf<double>(fields[columns_->share]);
    const bool is_usable = total && min && max && instances && percent && *total >= 0 &&
                           *min >= 0 && *max >= 0 && *instances >= 0 &&
                           std::isfinite(*percent);
    if (!is_usable) {
      const bool is_numeric = IsNumeric(fields[columns_->total]) &&
                              IsNumeric(fields[columns_->min]) &&
                              IsNumeric(fields[columns_->max]);
      summary_.left_out.Add(is_numeric ? DropReason::kLineTimeOutOfRange
                                       : DropReason::kLineTimeUnusable);
      return Ok();
    }
    if (!IsValidUtf8(name)) summary_.left_out.Add(DropReason::kNameNotUtf8);
    summary_.rows.push_back({.name = summary_.names.Intern(ReplaceBrokenUtf8(name)),
                             .instances = *instances,
                             .time_total_ns = *total,
                             .time_min_ns = *min,
                             .time_max_ns = *max,
                             .told_share = *percent / 100});
    return Ok();
  }

  // nsys quotes a name with commas, but does not escape quotes and newlines in it, so it
  // ends with a quote before the next row.
  std::string NameFrom(std::string_view field) {
    if (!field.starts_with('"')) {
      is_last_whole_ = IsWholeName(field);
      return std::string(field);
    }
    std::string name(field.substr(1));
    while (!name.ends_with('"') && at_ < lines_.size() && !IsRow(FieldsOf(lines_[at_])) &&
           !IsTalk(lines_[at_])) {
      name += '\n';
      name += lines_[at_++];
    }
    if (name.ends_with('"')) {
      is_last_whole_ = true;
      name.pop_back();
    } else {
      is_name_open_ = at_ == lines_.size();
    }
    return name;
  }

  // nsys gives the share of each row in the total. It terminates every line, but copying
  // a table may remove the last end.
  Status CheckComplete() const {
    const std::string line = "line " + std::to_string(at_) + ": ";
    if (is_name_open_) {
      return Error(ErrorCode::kParse, line + "cut off inside a kernel name");
    }
    if (at_ == lines_.size() && !last_line_ends_ && !is_last_whole_) {
      return Error(ErrorCode::kParse, line + "cut off inside a row");
    }
    // Times in other units are rounded.
    const bool is_exact = columns_->unit == "ns" &&
                          summary_.left_out.Get(DropReason::kLineTimeUnusable) == 0 &&
                          summary_.left_out.Get(DropReason::kLineTimeOutOfRange) == 0;
    return is_exact ? CheckTotal() : Ok();
  }

  // Based on the row with the largest share, which gives the most precise total.
  Status CheckTotal() const {
    constexpr double kRounding = 0.0005;  // Half of 0.1 %.
    double sum_ns = 0;
    const KernelSummaryRow* largest = nullptr;
    for (const KernelSummaryRow& row : summary_.rows) {
      sum_ns += static_cast<double>(row.time_total_ns);
      if (largest == nullptr || row.told_share > largest->told_share) largest = &row;
    }
    if (largest == nullptr || largest->told_share <= 0) return Ok();
    const double least_ns =
        static_cast<double>(largest->time_total_ns) / (largest->told_share + kRounding);
    if (sum_ns >= least_ns * (1 - 1e-9)) return Ok();
    return Error(
        ErrorCode::kParse,
        fmt::format("cut off: the rows add up to {:.0f} ns, Time (%) to a total of "
                    "at least {:.0f} ns; export the summary again",
                    sum_ns, least_ns));
  }

  Error SecondSummary() const {
    return {ErrorCode::kParse, "line " + std::to_string(at_ + 1) +
                                   ": a second kernel summary; import them as separate "
                                   "files"};
  }

  Error NoSummary() const {
    for (const std::string_view line : lines_) {
      if (line.starts_with("ERROR") || line.starts_with("SKIPPED")) {
        return {ErrorCode::kParse,
                "no kernel summary; nsys reported: " + std::string(Trimmed(line))};
      }
    }
    return {ErrorCode::kParse,
            "not a kernel summary: no header with Time (%), Total Time, "
            "Instances, Min, Max, Name"};
  }

  std::vector<std::string_view> lines_;
  bool last_line_ends_;
  bool is_name_open_ = false;   // At the end of the text.
  bool is_last_whole_ = false;  // The last row that was read.
  size_t at_ = 0;
  std::optional<Columns> columns_;
  KernelSummary summary_;
};

}  // namespace

bool MayBeNsysCsv(std::string_view first_bytes) {
  if (first_bytes.starts_with(kByteOrderMark)) {
    first_bytes.remove_prefix(kByteOrderMark.size());
  }
  const std::vector<std::string_view> lines = LinesOf(first_bytes);
  return std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return SummaryColumnsOf(line) || line.starts_with("Processing [") ||
           line.starts_with("Exporting [") || line.starts_with("Time (%)") ||
           line.starts_with("Time(%)");
  });
}

Result<results::KernelSummary> ReadNsysCsv(ByteSource& source) {
  // Summaries have some hundred lines; a name has some thousand characters.
  constexpr size_t kMaxBytes = size_t{256} << 20;
  RIDGELINE_TRY(
      const std::string text,
      WholeText(source, kMaxBytes, "larger than 256 MiB, too large for a summary"));
  std::string_view rest = text;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  return SummaryReader(rest).Read();
}

}  // namespace ridgeline::profiles
