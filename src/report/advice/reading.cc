#include "report/advice/reading.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/utf8.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;

std::optional<Cited> CitedAt(const Json& value, std::string pointer) {
  if (!value.is_number()) return {};
  const double number = value.get<double>();
  if (!std::isfinite(number)) return {};
  return Cited{number, std::move(pointer)};
}

// Of a phase, a phase of the ledger or a region.
std::optional<double> RowTimeOf(const Row& row) {
  std::optional<double> longest;
  for (const char* key : {"mean_s", "measured_s", "cpu_s", "gpu_span_s"}) {
    const std::optional<Cited> time = row.Number(key);
    if (time) longest = std::max(longest.value_or(time->value), time->value);
  }
  return longest;
}

// Rows with the same one are comparable.
std::pair<std::string, bool> GroupOf(const Row& row) {
  return {row.Text("source"), row.Is("profiled", true)};
}

}  // namespace

const Json* Row::Find(const std::string& key) const {
  if (!is_object()) return nullptr;
  const auto found = value_->find(key);
  return found == value_->end() ? nullptr : &*found;
}

std::optional<Cited> Row::Number(const std::string& key) const {
  const Json* value = Find(key);
  return value == nullptr ? std::nullopt : CitedAt(*value, PointerTo(key));
}

std::string Row::Text(const std::string& key) const {
  const Json* value = Find(key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

bool Row::Is(const std::string& key, bool wanted) const {
  const Json* value = Find(key);
  return value != nullptr && value->is_boolean() && value->get<bool>() == wanted;
}

bool Row::IsNull(const std::string& key) const {
  const Json* value = Find(key);
  return value != nullptr && value->is_null();
}

Row Row::At(const std::string& key) const { return {Find(key), PointerTo(key)}; }

std::vector<Row> Row::List(const std::string& key) const {
  const Json* list = Find(key);
  std::vector<Row> rows;
  if (list == nullptr || !list->is_array()) return rows;
  for (size_t i = 0; i < list->size(); ++i) {
    rows.push_back(Row(&(*list)[i], PointerTo(key) + "/" + std::to_string(i)));
  }
  return rows;
}

std::vector<Cited> Row::Numbers(const std::string& key) const {
  const Json* list = Find(key);
  std::vector<Cited> numbers;
  if (list == nullptr || !list->is_array()) return numbers;
  for (size_t i = 0; i < list->size(); ++i) {
    std::optional<Cited> number =
        CitedAt((*list)[i], PointerTo(key) + "/" + std::to_string(i));
    if (number) numbers.push_back(*std::move(number));
  }
  return numbers;
}

std::vector<std::string> Row::Texts(const std::string& key) const {
  const Json* list = Find(key);
  std::vector<std::string> texts;
  if (list == nullptr || !list->is_array()) return texts;
  for (const Json& text : *list) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

std::string Shortened(std::string_view text, size_t most) {
  std::string shortened = WithoutMiddle(text, most, "...");
  for (char& c : shortened) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return shortened;
}

std::string Quoted(std::string_view name) {
  return "'" + Shortened(name, kLongestName) + "'";
}

std::optional<double> ShareOf(const std::optional<Cited>& part,
                              const std::optional<Cited>& whole) {
  if (!part || !whole || !(whole->value > 0)) return {};
  return part->value / whole->value;
}

std::optional<double> GainOf(double seconds) {
  if (!(seconds > 0)) return {};
  return seconds;
}

std::optional<Row> LongestDevice(const Row& report, const std::string& source) {
  std::optional<Row> longest;
  double longest_s = 0;
  for (const Row& device : report.List("devices")) {
    const std::optional<Cited> span = device.Number("span_s");
    if (device.Text("source") != source || !span || span->value <= longest_s) continue;
    longest = device;
    longest_s = span->value;
  }
  return longest;
}

std::vector<Row> MajorRows(const std::vector<Row>& rows) {
  std::map<std::pair<std::string, bool>, double> longest;
  for (const Row& row : rows) {
    double& most = longest[GroupOf(row)];
    most = std::max(most, RowTimeOf(row).value_or(0));
  }
  std::vector<Row> major;
  for (const Row& row : rows) {
    const std::optional<double> time = RowTimeOf(row);
    if (!time || *time >= kLeastShare * longest[GroupOf(row)]) major.push_back(row);
  }
  return major;
}

}  // namespace ridgeline::report
