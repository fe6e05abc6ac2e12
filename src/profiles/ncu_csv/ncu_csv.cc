#include "profiles/ncu_csv/ncu_csv.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "profiles/ncu_csv/columns.h"
#include "profiles/ncu_csv/number_style.h"
#include "profiles/ncu_csv/records.h"
#include "profiles/ncu_csv/row_builder.h"
#include "profiles/whole_text.h"

namespace ridgeline::profiles {
namespace {

using results::DropReason;
using results::NcuRows;

constexpr std::string_view kUtf16Marks[] = {"\xFF\xFE", "\xFE\xFF"};

std::string_view LineAt(std::string_view text, size_t begin) {
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool MayBeHeader(std::string_view line) {
  return line.starts_with("\"ID\",\"Process ID\",") ||
         line.starts_with("\"Process ID\",\"Process Name\",") ||
         line.starts_with("ID,Process ID,") ||
         line.starts_with("Process ID,Process Name,");
}

// Failure messages of ncu: "==ERROR== ...", or that there was nothing to profile.
bool IsFailure(std::string_view line) {
  return line.starts_with("==ERROR==") ||
         (line.starts_with("==WARNING==") && line.find("No kernels") != line.npos);
}

// Calls on_line(line, number) until it returns false.
template <typename OnLine>
void ForEachLine(std::string_view text, OnLine on_line) {
  int64_t number = 1;
  for (size_t begin = 0; begin < text.size(); ++number) {
    if (!on_line(LineAt(text, begin), number, begin)) return;
    const size_t end = text.find('\n', begin);
    if (end == text.npos) return;
    begin = end + 1;
  }
}

struct Failure {
  std::string text;
  int64_t line = 0;
};

std::optional<Failure> FirstFailure(std::string_view text) {
  std::optional<Failure> failure;
  ForEachLine(text, [&](std::string_view line, int64_t number, size_t) {
    if (IsFailure(line)) failure = Failure{std::string(line), number};
    return !failure;
  });
  return failure;
}

Error ErrorOf(const Failure& failure) {
  std::string message = "line " + std::to_string(failure.line) +
                        ": no metrics; ncu reported: " + failure.text;
  if (failure.text.find("ERR_NVGPUCTRPERM") != std::string::npos) {
    message +=
        " (allow access to performance counters: driver option "
        "NVreg_RestrictProfilingToAdminUsers=0, or run ncu as root)";
  }
  return {ErrorCode::kTool, std::move(message)};
}

// Launches reported as finished by ncu, if its log is in the file, in lines such as
//   ==PROF== Profiling "gemm" - 3: 0%....50%....100% - 9 passes
size_t FinishedLaunches(std::string_view text) {
  size_t count = 0;
  ForEachLine(text, [&](std::string_view line, int64_t, size_t) {
    const bool is_end =
        line.starts_with("==PROF== Profiling") && line.find("100% - ") != line.npos;
    if (is_end) ++count;
    return true;
  });
  return count;
}

// Without this, a page truncated after a row would look complete.
Status CheckComplete(std::string_view log, const NcuRows& rows) {
  const size_t finished = FinishedLaunches(log);
  if (rows.form == results::NcuForm::kSummary || rows.launches.size() >= finished) {
    return Ok();
  }
  return Error(ErrorCode::kParse, "cut off: ncu profiled " + std::to_string(finished) +
                                      " launches, the table has " +
                                      std::to_string(rows.launches.size()) +
                                      "; export it again");
}

struct Header {
  size_t begin = 0;  // Of its line in the text.
  int64_t lines_before = 0;
};

std::optional<Header> FindHeader(std::string_view text) {
  std::optional<Header> header;
  ForEachLine(text, [&](std::string_view line, int64_t number, size_t begin) {
    if (MayBeHeader(line)) header = Header{begin, number - 1};
    return !header;
  });
  return header;
}

// Calls on_header(columns) and on_row(record) for records from the first header on.
// Everything else is counted.
template <typename OnHeader, typename OnRow>
Status ForEachRow(std::string_view table, int64_t lines_before, NcuRows* rows,
                  OnHeader on_header, OnRow on_row) {
  CsvRecords records(table);
  CsvRecord record;
  const auto count = [&](DropReason counter) {
    if (rows != nullptr) rows->left_out.Add(counter);
  };
  while (records.Next(record)) {
    record.line += lines_before;
    const std::string& first = record.fields[0];
    if (record.fields.size() == 1 && first.empty() && !record.is_cut_off) continue;
    if (first.starts_with("==")) {
      count(IsFailure(first) ? DropReason::kLineOfToolError
                             : DropReason::kLineOfOtherReport);
      continue;
    }
    if (std::optional<NcuColumns> columns = ColumnsOf(record.fields)) {
      RIDGELINE_RETURN_IF_ERROR(on_header(std::move(*columns), record));
      continue;
    }
    RIDGELINE_RETURN_IF_ERROR(on_row(record));
  }
  return Ok();
}

// Scans all numbers before reading rows: one number may resolve the ambiguity of another.
Result<NumberStyle> StyleOf(std::string_view table, int64_t lines_before) {
  NumberStyleEvidence evidence;
  NcuColumns columns;
  RIDGELINE_RETURN_IF_ERROR(ForEachRow(
      table, lines_before, nullptr,
      [&](NcuColumns next, const CsvRecord&) -> Status {
        columns = std::move(next);
        return Ok();
      },
      [&](const CsvRecord& record) -> Status {
        for (const std::string_view number : NumbersOf(columns, record)) {
          evidence.Add(number, record.line);
        }
        return Ok();
      }));
  return evidence.Decide();
}

Status ReadTable(std::string_view table, NcuRows& rows) {
  RIDGELINE_TRY(NumberStyle style, StyleOf(table, rows.preamble_lines));
  rows.number_style = style.example;
  NcuRowBuilder builder(std::move(style), rows);
  bool is_first = true;
  return ForEachRow(
      table, rows.preamble_lines, &rows,
      [&](NcuColumns columns, const CsvRecord& record) -> Status {
        if (!is_first && columns.form != rows.form) {
          return Error(ErrorCode::kParse,
                       "line " + std::to_string(record.line) +
                           ": a second table with other columns; import them as separate "
                           "files");
        }
        is_first = false;
        rows.form = columns.form;
        builder.SetColumns(std::move(columns));
        return Ok();
      },
      [&](const CsvRecord& record) { return builder.Add(record); });
}

}  // namespace

bool MayBeNcuCsv(std::string_view first_bytes) {
  if (first_bytes.starts_with(kByteOrderMark)) {
    first_bytes.remove_prefix(kByteOrderMark.size());
  }
  bool may_be = false;
  ForEachLine(first_bytes, [&](std::string_view line, int64_t, size_t) {
    may_be = MayBeHeader(line) || line.starts_with("==PROF==") ||
             line.starts_with("==ERROR==") || line.starts_with("==WARNING==");
    return !may_be;
  });
  return may_be;
}

Result<NcuRows> ReadNcuCsv(ByteSource& source) {
  // A page of 10,000 launches with all metrics is some hundred MB.
  constexpr size_t kMaxBytes = size_t{1} << 30;
  RIDGELINE_TRY(const std::string whole,
                WholeText(source, kMaxBytes, "larger than 1 GiB; export fewer launches"));
  std::string_view text = whole;
  for (const std::string_view mark : kUtf16Marks) {
    if (text.starts_with(mark)) {
      return Error(ErrorCode::kParse,
                   "encoded as UTF-16 (PowerShell's >); convert it to UTF-8");
    }
  }
  NcuRows rows;
  rows.has_byte_order_mark = text.starts_with(kByteOrderMark);
  if (rows.has_byte_order_mark) text.remove_prefix(kByteOrderMark.size());
  const std::optional<Header> header = FindHeader(text);
  if (!header) {
    if (const std::optional<Failure> failure = FirstFailure(text)) {
      return ErrorOf(*failure);
    }
    return Error(ErrorCode::kParse,
                 "not an ncu table: no header with ID, Process ID, Kernel Name; run ncu "
                 "with --csv, and with --page if it wrote a report");
  }
  rows.preamble_lines = header->lines_before;
  const std::string_view table = text.substr(header->begin);
  const size_t end_of_header = table.find('\n');
  rows.has_crlf = end_of_header != table.npos && end_of_header > 0 &&
                  table[end_of_header - 1] == '\r';
  RIDGELINE_RETURN_IF_ERROR(ReadTable(table, rows));
  if (rows.launches.empty()) {
    if (const std::optional<Failure> failure = FirstFailure(text)) {
      return ErrorOf(*failure);
    }
    // A table without launches ends with its header, whole.
    const bool is_whole =
        end_of_header != table.npos && rows.left_out.Get(DropReason::kRowCutOff) == 0;
    if (!is_whole) {
      return Error(ErrorCode::kParse,
                   "cut off before its first launch; the tool may have been killed while "
                   "writing: export it again");
    }
  }
  RIDGELINE_RETURN_IF_ERROR(CheckComplete(text.substr(0, header->begin), rows));
  return rows;
}

}  // namespace ridgeline::profiles
