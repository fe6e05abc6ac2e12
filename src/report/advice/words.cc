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
  std::string key;  // The last step that is not an index.
  std::string row;  // Name of the row around it.
};

// Reports are untrusted input: a pointer may lead nowhere.
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
  if (pointer.starts_with("/devices/")) place.row = "GPU " + place.row;
  return place;
}

// Formats by suffix of the key; the first match wins.
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
    {"distance", [](double v) { return estimates::Ratio(v) + "x"; }},
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
  if (value.is_null()) return "unknown";
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_string()) return Shortened(value.get<std::string>(), kLongestText);
  return Plural(static_cast<int64_t>(value.size()), "row");
}

// Keys whose words are not those of the field.
struct KeyWords {
  std::string_view key;
  std::string_view words;
};

constexpr KeyWords kKeyWords[] = {
    {"mfu", "MFU"},
    {"mbu", "MBU"},
    {"mfu_ideal", "ideal MFU"},
    {"least_s", "roofline time"},
    {"distance", "slowdown vs roofline"},
    {"flops", "FLOPs"},
    {"mean_ci95_s", "95 % CI"},
    {"samples", "n"},
    {"cpu_s", "CPU time"},
    {"gpu_s", "GPU time"},
    {"gpu_gap_s", "GPU gaps"},
    {"gpu_span_s", "GPU span"},
    {"gpu_exclusive_s", "exclusive GPU time"},
    {"gap_max_s", "longest gap"},
    {"memory_s", "copies"},
    {"memory_exposed_s", "exposed copies"},
    {"communication_exposed_s", "exposed communication"},
    {"tokens_per_s", "tokens/s"},
    {"compute_flops_per_s", "peak FLOP/s"},
    {"memory_bytes_per_s", "peak bandwidth"},
};

std::string WordsOf(std::string key) {
  for (const KeyWords& known : kKeyWords) {
    if (known.key == key) return std::string(known.words);
  }
  if (key.ends_with("_s") && !key.ends_with("_per_s")) key.resize(key.size() - 2);
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

std::string WithStop(std::string text) {
  if (!text.empty() && std::string_view(".!?").find(text.back()) == text.npos)
    text += '.';
  return text;
}

}  // namespace

std::string EvidenceValue(const Json& report, const std::string& pointer) {
  const Place place = PlaceOf(report, pointer);
  return place.value == nullptr ? "" : ValueText(place);
}

std::string EvidenceInWords(const Json& report, const std::string& pointer) {
  const Place place = PlaceOf(report, pointer);
  if (place.value == nullptr) return "";
  return fmt::format("{}{}: {}", WordsOf(place.key),
                     place.row.empty() ? "" : " of " + Quoted(place.row),
                     ValueText(place));
}

std::string AdviceSentence(const Row& advice) {
  std::string text = fmt::format("**{}** {}", WithStop(Escaped(advice.Text("text"))),
                                 WithStop(Escaped(advice.Text("try"))));
  const auto gain = advice.Number("gain_s");
  if (!gain) return text;
  // The ledger sums over all pages; captured times include profiling overhead.
  const std::string section = advice.Text("section");
  return text + fmt::format(" Potential saving: up to {}{}.",
                            estimates::Seconds(gain->value),
                            section == "ledger"   ? " over all pages"
                            : section == "phases" ? ""
                                                  : " of the capture");
}

}  // namespace ridgeline::report
