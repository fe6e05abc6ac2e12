#include "estimates/dispatcher_count.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.h"

namespace ridgeline::estimates {
namespace {

using cost::Count;
using cost::CountedRow;
using cost::ReconciledRow;
using SortedJson = nlohmann::json;
using Kind = ReconciledRow::Kind;

constexpr int kCountVersion = 1;
constexpr size_t kRowsTold = 5;
constexpr uint64_t kMostSteps = uint64_t{1} << 31;  // More is a broken file.

Error BrokenCount(std::string_view origin, const std::string& what) {
  return {ErrorCode::kParse, fmt::format("{}: {}", origin, what)};
}

Result<CountedRow> ParseRow(const SortedJson& json, std::string_view origin) {
  const bool is_row = json.is_object() && json.contains("scope") &&
                      json["scope"].is_string() && json.contains("class") &&
                      json["class"].is_string() && json.contains("flops") &&
                      json["flops"].is_number_unsigned();
  if (!is_row) {
    return BrokenCount(origin, "expected {scope, class, flops}, got " + DumpJson(json));
  }
  const std::string name = json["class"];
  const std::optional<cost::CostClass> cost_class = cost::CostClassOf(name);
  if (!cost_class) return BrokenCount(origin, "unknown class of FLOPs: '" + name + "'");
  return CountedRow{json["scope"], *cost_class, Count(json["flops"].get<uint64_t>())};
}

Result<std::vector<CountedRow>> ParsePhase(const SortedJson& phases, const char* name,
                                           std::string_view origin) {
  std::vector<CountedRow> rows;
  const auto found = phases.find(name);
  if (found == phases.end()) return rows;
  if (!found->is_array()) {
    return BrokenCount(origin, fmt::format("phases.{}: expected a list", name));
  }
  for (const SortedJson& json : *found) {
    RIDGELINE_TRY(CountedRow row, ParseRow(json, origin));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string TextOf(const std::optional<Count>& count) {
  if (!count) return "nothing";
  return count->is_exact() ? std::to_string(count->value()) : "too much";
}

bool IsWrong(const ReconciledRow& row, Fallback fallback) {
  if (row.kind == Kind::kEqual) return false;
  return row.kind != Kind::kNotCounted || fallback == Fallback::kNone;
}

}  // namespace

Result<DispatcherCount> ParseDispatcherCount(std::string_view text,
                                             std::string_view origin) {
  const SortedJson json = ParseJson<SortedJson>(text);
  if (!json.is_object() || !json.contains("phases") || !json["phases"].is_object()) {
    return BrokenCount(origin, "not a FLOP count");
  }
  if (json.value("schema_version", SortedJson()) != SortedJson(kCountVersion)) {
    return BrokenCount(origin,
                       fmt::format("expected schema_version {}, got {}", kCountVersion,
                                   DumpJson(json.value("schema_version", SortedJson()))));
  }
  const SortedJson& phases = json["phases"];
  DispatcherCount count;
  const SortedJson steps = json.value("decode_steps", SortedJson());
  if (!steps.is_null()) {
    if (!steps.is_number_unsigned() || steps.get<uint64_t>() > kMostSteps) {
      return BrokenCount(
          origin, "decode_steps: expected a number of steps, got " + DumpJson(steps));
    }
    count.decode_steps = steps.get<int64_t>();
  }
  RIDGELINE_TRY(count.vision, ParsePhase(phases, "vision", origin));
  RIDGELINE_TRY(count.prefill, ParsePhase(phases, "prefill", origin));
  RIDGELINE_TRY(count.decode, ParsePhase(phases, "decode", origin));
  return count;
}

size_t DispatcherReport::CountOf(Kind kind) const {
  size_t count = 0;
  for (const ReconciledPhase& phase : phases) count += phase.result.CountOf(kind);
  return count;
}

DispatcherReport ReconcileAll(const models::deepseek_ocr::Ledger& ledger,
                              const DispatcherCount& count) {
  return {{{"vision", cost::Reconcile(ledger.vision, count.vision)},
           {"prefill", cost::Reconcile(ledger.prefill, count.prefill)},
           {"decode", cost::Reconcile(ledger.decode, count.decode)}}};
}

Status CheckAgreement(const DispatcherReport& report, Fallback fallback) {
  size_t wrong = 0;
  std::string told;
  for (const ReconciledPhase& phase : report.phases) {
    for (const ReconciledRow& row : phase.result.rows) {
      if (!IsWrong(row, fallback) || ++wrong > kRowsTold) continue;
      told +=
          fmt::format("; {} {} {}: ledger {}, counted {}", phase.name, row.scope,
                      NameOf(row.cost_class), TextOf(row.ledger), TextOf(row.counted));
    }
  }
  if (wrong == 0) return Ok();
  return Error(
      ErrorCode::kTool,
      fmt::format("FLOP check failed: {} module{} differ{} from the dispatcher{}", wrong,
                  wrong == 1 ? "" : "s", wrong == 1 ? "s" : "", told));
}

}  // namespace ridgeline::estimates
