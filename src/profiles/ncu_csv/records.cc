#include "profiles/ncu_csv/records.h"

#include <algorithm>

#include "base/characters.h"

namespace ridgeline::profiles {
namespace {

// "12","3456",
bool BeginsRow(std::string_view text) {
  for (int field = 0; field < 2; ++field) {
    if (!text.starts_with('"')) return false;
    text.remove_prefix(1);
    const size_t digits = static_cast<size_t>(
        std::find_if_not(text.begin(), text.end(), IsDigit) - text.begin());
    if (digits == 0 || !text.substr(digits).starts_with("\",")) return false;
    text.remove_prefix(digits + 2);
  }
  return true;
}

}  // namespace

// After the opening quote; false if there is no closing one.
bool CsvRecords::TakeQuoted(std::string& field) {
  while (at_ < text_.size()) {
    const size_t stop = std::min(text_.find_first_of("\"\n", at_), text_.size());
    field.append(text_.substr(at_, stop - at_));
    at_ = stop;
    if (at_ == text_.size()) return false;
    if (text_[at_] == '\n') {
      if (BeginsRow(text_.substr(at_ + 1))) return false;
      field += '\n';
      ++line_;
      ++at_;
      continue;
    }
    ++at_;
    if (at_ == text_.size() || text_[at_] != '"') return true;
    field += '"';
    ++at_;
  }
  return false;
}

void CsvRecords::TakePlain(std::string& field) {
  const size_t stop = std::min(text_.find_first_of(",\n", at_), text_.size());
  std::string_view rest = text_.substr(at_, stop - at_);
  if (rest.ends_with('\r') && (stop == text_.size() || text_[stop] == '\n')) {
    rest.remove_suffix(1);
  }
  field.append(rest);
  at_ = stop;
}

bool CsvRecords::Next(CsvRecord& record) {
  record.fields.clear();
  record.is_cut_off = false;
  record.ends_text = false;
  record.line = line_;
  if (at_ >= text_.size()) return false;
  while (true) {
    std::string& field = record.fields.emplace_back();
    if (at_ < text_.size() && text_[at_] == '"') {
      ++at_;
      record.is_cut_off = !TakeQuoted(field);
    }
    // Text after a closing quote is malformed, but kept.
    if (!record.is_cut_off) TakePlain(field);
    if (at_ < text_.size() && text_[at_] == ',') {
      ++at_;
      continue;
    }
    record.ends_text = at_ == text_.size();
    if (!record.ends_text) {
      ++at_;
      ++line_;
    } else if (text_.back() == ',') {
      record.fields.pop_back();  // It never began.
    }
    return true;
  }
}

}  // namespace ridgeline::profiles
