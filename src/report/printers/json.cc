#include "base/json.h"

#include <nlohmann/json.hpp>

#include "report/cite.h"
#include "report/printers/advice_text.h"
#include "report/printers/printers.h"
#include "report/sweep/sweep_report.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;

Json ToJsonValue(const JsonText& json) {
  return json.text.empty() ? Json() : ParseJson<Json>(json.text);
}

Json ToJsonValue(const Cell& cell) { return PointerTo(cell); }

template <typename T>
Json ToJsonValue(const T& value) {
  if constexpr (HasFields<T>) {
    Json object = Json::object();
    ForEachField<T>([&](const auto& field) {
      const auto& member = value.*field.member;
      if constexpr (kIsIfThere<std::decay_t<decltype(member)>>) {
        if (!member) return;
      }
      object.emplace(std::string(field.id), ToJsonValue(member));
    });
    return object;
  } else if constexpr (kIsOptional<T>) {
    return value ? ToJsonValue(*value) : Json();
  } else if constexpr (kIsVector<T>) {
    Json list = Json::array();
    for (const auto& element : value) list.push_back(ToJsonValue(element));
    return list;
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(NameOf(value));
  } else {
    return value;
  }
}

}  // namespace

std::string ToJson(const Document& document, int indent) {
  return DumpJson(ToJsonValue(document), indent) + (indent < 0 ? "" : "\n");
}

std::string ToJson(const SweepDocument& document, int indent) {
  return DumpJson(ToJsonValue(document), indent) + (indent < 0 ? "" : "\n");
}

}  // namespace ridgeline::report
