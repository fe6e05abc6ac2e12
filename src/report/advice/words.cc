#include "report/advice/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "estimates/scaled.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kLongestText = 120;

// "/phases/0/mean_s" -> phases, 0, mean_s
std::vector<std::string> StepsOf(const std::string& pointer) {
  std::vector<std::string> steps;
  size_t begin = 1;
  while (begin <= pointer.size()) {
    const size_t end = std::min(pointer.find('/', begin), pointer.size());
    steps.push_back(pointer.substr(begin, end - begin));
    begin = end + 1;
  }
  return steps;
}

const Json* Step(const Json& from, const std::string& step) {
  if (from.is_object()) {
    const auto found = from.find(step);
    return found == from.end() ? nullptr : &*found;
  }
  size_t index = 0;
  const auto [end, error] =
      std::from_chars(step.data(), step.data() + step.size(), index);
  const bool is_index = error == std::errc() && end == step.data() + step.size();
  return from.is_array() && is_index && index < from.size() ? &from[index] : nullptr;
}

struct Place {
  const Json* value = nullptr;
  std::string key;  // The last step that is no index.
  std::string row;  // What the row around it is called.
};

// Nothing of a report is trusted: whoever made it, a pointer may lead nowhere.
Place PlaceOf(const Json& report, const std::string& pointer) {
  Place place = {.value = &report};
  for (const std::string& step : StepsOf(pointer)) {
    if (place.value->is_object()) {
      for (const char* name : {"path", "phase", "name", "kind", "device"}) {
        const Json* found = Step(*place.value, name);
        if (found == nullptr || !found->is_string()) continue;
        place.row = found->get<std::string>();
        break;
      }
      place.key = step;
    }
    place.value = Step(*place.value, step);
    if (place.value == nullptr) return {};
  }
  return place;
}

// How numbers are written, by the ends of their keys; the first that fits.
struct Unit {
  std::string_view end;
  std::string (*show)(double);
};

std::string ShowFlops(double value) {
  constexpr double kMostExact = 1e19;  // Of 64 bits.
  return estimates::Flops(
      cost::Count(static_cast<uint64_t>(std::clamp(value, 0.0, kMostExact))));
}

constexpr Unit kUnits[] = {
    {"flops_per_s", [](double v) { return estimates::Flops(std::optional(v)); }},
    {"bytes_per_s", [](double v) { return estimates::Bytes(std::optional(v)); }},
    {"_per_s", [](double v) { return estimates::Ratio(v); }},
    {"_s", [](double v) { return estimates::Seconds(v); }},
    {"share", Percent},
    {"mfu", Percent},
    {"mfu_ideal", Percent},
    {"mbu", Percent},
    {"percent", [](double v) { return Percent(v / 100); }},
    {"bytes", SignedBytes},
    {"flops", ShowFlops},
};

std::string NumberText(const Place& place) {
  const double value = place.value->get<double>();
  for (const Unit& unit : kUnits) {
    if (place.key.ends_with(unit.end)) return unit.show(value);
  }
  return place.value->is_number_integer() ? place.value->dump() : estimates::Ratio(value);
}

std::string ValueText(const Place& place) {
  const Json& value = *place.value;
  if (value.is_number()) return NumberText(place);
  if (value.is_null()) return "not known";
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_string()) return Shortened(value.get<std::string>(), kLongestText);
  return Plural(static_cast<int64_t>(value.size()), "row");
}

}  // namespace

std::string EvidenceValue(const Json& report, const std::string& pointer) {
  const Place place = PlaceOf(report, pointer);
  return place.value == nullptr ? "" : ValueText(place);
}

std::string EvidenceInWords(const Json& report, const std::string& pointer) {
  const Place place = PlaceOf(report, pointer);
  if (place.value == nullptr) return "";
  std::string key = place.key;
  if (key.ends_with("_s") && !key.ends_with("_per_s")) key.resize(key.size() - 2);
  std::replace(key.begin(), key.end(), '_', ' ');
  return fmt::format("{}{}: {}", key, place.row.empty() ? "" : " of " + Quoted(place.row),
                     ValueText(place));
}

std::string AdviceSentence(const Row& advice) {
  std::string text = fmt::format("**{}.** Try: {}.", Escaped(advice.Text("text")),
                                 Escaped(advice.Text("try")));
  const auto gain = advice.Number("gain_s");
  if (!gain) return text;
  // The ledger is of all pages together; what a profiler recorded takes longer than it
  // does alone.
  const std::string section = advice.Text("section");
  return text + fmt::format(" At most {}{} would be gained.",
                            estimates::Seconds(gain->value),
                            section == "ledger"   ? " of all pages"
                            : section == "phases" ? ""
                                                  : " of the recording");
}

}  // namespace ridgeline::report
