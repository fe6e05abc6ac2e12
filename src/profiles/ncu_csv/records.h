// Rows of CSV between lines that are none: programs and ncu itself talk before, between
// and behind the rows that ncu writes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::profiles {

struct CsvRecord {
  int64_t line = 0;  // Where it begins; the first line is 1.
  std::vector<std::string> fields;
  bool is_cut_off = false;  // Ends inside of quotes.
};

// Fields in quotes may hold commas, doubled quotes and ends of lines. A row that is cut
// off ends where the next one begins: at a line as "0","1234",...
class CsvRecords {
 public:
  explicit CsvRecords(std::string_view text) : text_(text) {}

  // False at the end. A line without anything is a record of one empty field.
  bool Next(CsvRecord& record);

 private:
  bool TakeQuoted(std::string& field);
  void TakePlain(std::string& field);

  std::string_view text_;
  size_t at_ = 0;
  int64_t line_ = 1;
};

}  // namespace ridgeline::profiles
