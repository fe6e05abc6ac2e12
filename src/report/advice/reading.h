// Numbers of metrics.json with JSON pointers to them, so that text can cite them. Values
// that are missing or of another type read as nothing.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::report {

struct Cited {
  double value = 0;     // Finite.
  std::string pointer;  // A JSON pointer: "/regions/3/gpu_s".
};

// A part of the document. The document has to outlive it.
class Row {
 public:
  explicit Row(const nlohmann::ordered_json& document) : value_(&document) {}

  std::optional<Cited> Number(const std::string& key) const;
  std::string Text(const std::string& key) const;
  bool Is(const std::string& key, bool wanted) const;
  bool IsNull(const std::string& key) const;  // It is there, and null.
  Row At(const std::string& key) const;
  std::vector<Row> List(const std::string& key) const;
  std::vector<Cited> Numbers(const std::string& key) const;      // Of a list.
  std::vector<std::string> Texts(const std::string& key) const;  // Of a list.
  bool is_object() const { return value_ != nullptr && value_->is_object(); }
  std::string PointerTo(const std::string& key) const { return pointer_ + "/" + key; }

 private:
  Row(const nlohmann::ordered_json* value, std::string pointer)
      : value_(value), pointer_(std::move(pointer)) {}

  const nlohmann::ordered_json* Find(const std::string& key) const;

  const nlohmann::ordered_json* value_;  // Null: nothing is there.
  std::string pointer_;
};

// Untrusted text within a sentence: without control characters, truncated in the middle
// between UTF-8 characters.
std::string Shortened(std::string_view text, size_t most);

inline constexpr size_t kLongestName = 80;

// The same for names, in quotes.
std::string Quoted(std::string_view name);

// part / whole; nothing if one is missing or whole is not above 0.
std::optional<double> ShareOf(const std::optional<Cited>& part,
                              const std::optional<Cited>& whole);

// A potential saving; nothing if it is not positive.
std::optional<double> GainOf(double seconds);

// The device of a source with the longest capture, which times of that source are
// compared with. Its `span_s` is above 0.
std::optional<Row> LongestDevice(const Row& report, const std::string& source);

// Phases and regions below this share of the longest one get no advice.
inline constexpr double kLeastShare = 0.02;

// Rows of `phases`, `ledger.phases` or `regions` without those that take less than
// kLeastShare of the longest one with the same source and the same `profiled`. Rows
// without a time stay.
std::vector<Row> MajorRows(const std::vector<Row>& rows);

}  // namespace ridgeline::report
