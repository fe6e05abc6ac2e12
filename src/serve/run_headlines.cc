#include <string>

#include "serve/headline_cache.h"

namespace ridgeline::serve {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

const Json& Member(const Json& object, const char* key) {
  static const Json null;
  if (!object.is_object()) return null;
  const auto found = object.find(key);
  return found == object.end() ? null : *found;
}

const Json& ListOf(const Json& object, const char* key) {
  static const Json empty = Json::array();
  const Json& list = Member(object, key);
  return list.is_array() ? list : empty;
}

std::string TextOf(const Json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

OrderedJson NumberOrNull(const Json& value) {
  return value.is_number() ? OrderedJson(value.get<double>()) : OrderedJson(nullptr);
}

OrderedJson IntervalOrNull(const Json& value) {
  if (!value.is_array() || value.size() != 2) return nullptr;
  if (!value[0].is_number() || !value[1].is_number()) return nullptr;
  return {value[0].get<double>(), value[1].get<double>()};
}

// The whole sample was named "page" until version 2 of metrics.json.
std::string NameOfPhase(const Json& phase) {
  std::string name = TextOf(Member(phase, "phase"));
  return name == "page" ? "end_to_end" : name;
}

OrderedJson PhaseHeadline(const Json& metrics, const std::string& name) {
  const Json* best = nullptr;
  for (const Json& phase : ListOf(metrics, "phases")) {
    if (NameOfPhase(phase) != name) continue;
    if (Member(phase, "profiled") != false) continue;
    if (!Member(phase, "mean_s").is_number()) continue;
    const bool is_direct =
        TextOf(Member(phase, "source")).starts_with("direct_inference/");
    if (is_direct || best == nullptr) best = &phase;
    if (is_direct) break;
  }
  if (best == nullptr) return nullptr;
  return {{"source", TextOf(Member(*best, "source"))},
          {"mean_s", NumberOrNull(Member(*best, "mean_s"))},
          {"mean_ci95_s", IntervalOrNull(Member(*best, "mean_ci95_s"))},
          {"tokens_per_s", NumberOrNull(Member(*best, "tokens_per_s"))}};
}

// The row with the largest `time`; lists need not be sorted.
OrderedJson Longest(const Json& rows, const char* time) {
  const Json* longest = nullptr;
  for (const Json& row : rows) {
    if (!Member(row, time).is_number() || !Member(row, "name").is_string()) continue;
    if (longest == nullptr ||
        Member(row, time).get<double>() > Member(*longest, time).get<double>()) {
      longest = &row;
    }
  }
  if (longest == nullptr) return nullptr;
  return {{"name", TextOf(Member(*longest, "name"))},
          {"time_s", NumberOrNull(Member(*longest, time))},
          {"share", NumberOrNull(Member(*longest, "share"))}};
}

}  // namespace

OrderedJson HeadlinesOf(const Json& metrics) {
  OrderedJson phases = OrderedJson::object();
  for (const char* name : {"end_to_end", "prefill", "decode"}) {
    phases[name] = PhaseHeadline(metrics, name);
  }
  return {{"phases", std::move(phases)},
          {"kernel", Longest(ListOf(metrics, "kernels"), "total_s")},
          {"operator", Longest(ListOf(metrics, "operators"), "self_s")}};
}

}  // namespace ridgeline::serve
