// Numbers of metrics.json together with the places where they stand, so that whatever is
// said of a number can be looked up. What is missing, or of another type, is nothing.
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

// Other people's text within a sentence: without control characters, cut in the middle
// between characters of UTF-8.
std::string Shortened(std::string_view text, size_t most);

inline constexpr size_t kLongestName = 80;

// The same for names, in quotes.
std::string Quoted(std::string_view name);

// part / whole; nothing if one is missing or whole is not above 0.
std::optional<double> ShareOf(const std::optional<Cited>& part,
                              const std::optional<Cited>& whole);

// A gain to be told: nothing if there is none.
std::optional<double> GainOf(double seconds);

// The device of a source that was recorded longest: what times of that source are held
// against. Its `span_s` is above 0.
std::optional<Row> LongestDevice(const Row& report, const std::string& source);

}  // namespace ridgeline::report
