// CSV rows between other lines: programs and ncu itself print before, between and after
// the rows of ncu.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::profiles {

struct CsvRecord {
  int64_t line = 0;  // First line, from 1.
  std::vector<std::string> fields;
  bool is_cut_off = false;  // Ends inside quotes.
  bool ends_text = false;   // Not with a newline.
};

// Quoted fields may contain commas, doubled quotes and newlines. A truncated row ends
// where the next one begins: at a line like "0","1234",...
class CsvRecords {
 public:
  explicit CsvRecords(std::string_view text) : text_(text) {}

  // False at the end. An empty line is a record with one empty field.
  bool Next(CsvRecord& record);

 private:
  bool TakeQuoted(std::string& field);
  void TakePlain(std::string& field);

  std::string_view text_;
  size_t at_ = 0;
  int64_t line_ = 1;
};

}  // namespace ridgeline::profiles
