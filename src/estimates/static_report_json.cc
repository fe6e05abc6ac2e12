#include <nlohmann/json.hpp>

#include "base/json.h"
#include "estimates/static_report.h"
#include "models/deepseek_ocr/presets.h"

namespace ridgeline::estimates {
namespace {

namespace ocr = models::deepseek_ocr;
using cost::Amount;
using cost::Cost;
using cost::CostClass;
using cost::CostNode;
using cost::Count;
using Json = nlohmann::ordered_json;

Json ValueJson(Count count) { return count.is_exact() ? Json(count.value()) : Json(); }

Json ValueJson(const Amount& amount) {
  return {{"executed", ValueJson(amount.executed)}, {"ideal", ValueJson(amount.ideal)}};
}

Json ValueJson(const cost::Parameters& parameters) {
  return {{"total", ValueJson(parameters.total)},
          {"activated", ValueJson(parameters.activated)}};
}

Json ByClass(const Cost& cost) {
  Json json = Json::object();
  for (const CostClass cost_class : cost::AllCostClasses()) {
    const Amount& amount = cost.flops(cost_class);
    if (amount == Amount()) continue;
    json[std::string(NameOf(cost_class))] = ValueJson(amount);
  }
  return json;
}

Json BytesJson(const cost::Traffic& bytes) {
  return {{"weights_read", ValueJson(bytes.weights_read)},
          {"activations_read", ValueJson(bytes.activations_read)},
          {"activations_written", ValueJson(bytes.activations_written)},
          {"kv_read", ValueJson(bytes.kv_read)},
          {"kv_written", ValueJson(bytes.kv_written)},
          {"total", ValueJson(bytes.total())},
          {"unavoidable", ValueJson(bytes.unavoidable())}};
}

// Of a module: only what it has.
Json ShortBytes(const cost::Traffic& bytes) {
  Json json = BytesJson(bytes);
  for (const char* sum : {"total", "unavoidable"}) json.erase(sum);
  for (auto it = json.begin(); it != json.end();) {
    it = *it == 0 ? json.erase(it) : std::next(it);
  }
  return json;
}

Json BoundsJson(const cost::TimeBounds& bounds) {
  return {{"compute_s", OrNull(bounds.compute_s)},
          {"memory_s", OrNull(bounds.memory_s)},
          {"time_s", OrNull(bounds.lower_s)},
          {"bound", NameOf(bounds.bound)}};
}

Json CostJson(const Cost& cost) {
  return {
      {"flops",
       {{"matrix", ValueJson(cost.flops_matrix())},
        {"total", ValueJson(cost.flops_total())},
        {"by_class", ByClass(cost)}}},
      {"bytes", BytesJson(cost.bytes)},
      {"matrix_flops_per_byte", OrNull(cost.arithmetic_intensity())},
      {"matrix_flops_per_unavoidable_byte", OrNull(cost.arithmetic_intensity_best())}};
}

Json PhaseJson(const Cost& cost, const cost::TimeBounds& bounds) {
  Json json = CostJson(cost);
  json["lower_bound"] = BoundsJson(bounds);
  return json;
}

Json TreeJson(const CostNode& node) {
  Json json = {{"name", node.name},
               {"parameters", ValueJson(node.parameters)},
               {"flops", ByClass(node.cost)},
               {"bytes", ShortBytes(node.cost.bytes)}};
  if (node.children.empty()) return json;
  json["modules"] = Json::array();
  for (const CostNode& child : node.children) json["modules"].push_back(TreeJson(child));
  return json;
}

const char* NameOf(ocr::ContextRule::Mode mode) {
  switch (mode) {
    case ocr::ContextRule::Mode::kAuto:
      return "auto";
    case ocr::ContextRule::Mode::kMax:
      return "max";
    case ocr::ContextRule::Mode::kFixed:
      return "fixed";
  }
  return "";
}

Json ShapesJson(const PageEstimate& estimate) {
  const ocr::LedgerShapes& shapes = estimate.shapes.shapes;
  const ocr::PreprocessOptions& preprocess = estimate.preprocess;
  Json views = Json::array();
  for (const ocr::ViewBatch& batch : shapes.views) {
    views.push_back({{"side", batch.side}, {"count", batch.count}});
  }
  return {{"page",
           {{"width", estimate.page.width},
            {"height", estimate.page.height},
            {"origin", estimate.page_origin}}},
          {"preprocess",
           {{"enable", preprocess.enable},
            {"base_size", preprocess.base_size},
            {"image_size", preprocess.image_size},
            {"crop_mode", preprocess.crop_mode}}},
          {"grid",
           {{"cols", estimate.shapes.grid.cols}, {"rows", estimate.shapes.grid.rows}}},
          {"views", std::move(views)},
          {"text_tokens", estimate.shapes.text_tokens},
          {"image_tokens", shapes.image_tokens},
          {"prompt_tokens", shapes.prompt_tokens},
          {"decode_steps", shapes.decode_steps},
          {"context_len_mode", NameOf(estimate.context.mode)},
          {"context_first", estimate.contexts.first},
          {"context_last", estimate.contexts.last},
          {"bytes_per_value",
           {{"weights", shapes.bytes.weights},
            {"router_weights", shapes.bytes.router_weights},
            {"activations", shapes.bytes.activations},
            {"kv", shapes.bytes.kv}}}};
}

Json ParametersJson(const PageEstimate& estimate) {
  Json json = ValueJson(ocr::ModelParameters(estimate.dimensions));
  json["modules"] = Json::array();
  for (const CostNode* phase : {&estimate.ledger.vision, &estimate.ledger.prefill}) {
    for (const CostNode& module : phase->children) {
      Json row = {{"name", module.name}};
      row.update(ValueJson(module.parameters));
      json["modules"].push_back(std::move(row));
    }
  }
  return json;
}

Json RoofsJson(const hardware::DeviceRoofs& device) {
  const hardware::Roofs& roofs = device.roofs;
  const auto origin = [](const hardware::RoofOrigin& from) {
    return Json{{"kind", hardware::NameOf(from.kind)}, {"text", from.text}};
  };
  return {{"device", device.device},
          {"arithmetic", hardware::Name(roofs.arithmetic)},
          {"compute_flops_per_s", OrNull(roofs.compute_flops_per_s)},
          {"compute_origin", origin(roofs.compute_origin)},
          {"memory_bytes_per_s", OrNull(roofs.memory_bytes_per_s)},
          {"memory_origin", origin(roofs.memory_origin)},
          {"ridge_flops_per_byte", OrNull(cost::RidgePoint(device.rates()))}};
}

// Per token, at both ends of the answer.
Json StepsJson(const StaticReport& report) {
  const PageEstimate& estimate = report.estimate;
  if (estimate.shapes.shapes.decode_steps == 0) return {};
  const auto step = [&](int64_t context) {
    const Cost cost =
        ocr::DecodeStepCost(estimate.dimensions, estimate.shapes.shapes.bytes, context)
            .cost;
    Json json = {{"context", context}};
    json.update(PhaseJson(cost, cost::BoundsOf(cost, report.device.rates())));
    return json;
  };
  return {{"first", step(estimate.contexts.first)},
          {"last", step(estimate.contexts.last)}};
}

// Counted minus ledger; null where one of them is not a number.
Json DifferenceJson(const cost::ReconciledRow& row) {
  if (!row.ledger || !row.counted) return {};
  if (!row.ledger->is_exact() || !row.counted->is_exact()) return {};
  return static_cast<int64_t>(row.counted->value() - row.ledger->value());
}

Json DispatcherJson(const std::optional<DispatcherReport>& report) {
  if (!report) return {};
  Json json = Json::object();
  for (const ReconciledPhase& phase : report->phases) {
    Json rows = Json::array();
    for (const cost::ReconciledRow& row : phase.result.rows) {
      Json out = {{"scope", row.scope}, {"class", NameOf(row.cost_class)}};
      out["ledger"] = row.ledger ? ValueJson(*row.ledger) : Json();
      out["counted"] = row.counted ? ValueJson(*row.counted) : Json();
      out["difference"] = DifferenceJson(row);
      rows.push_back(std::move(out));
    }
    json[phase.name] = {{"ledger_total", ValueJson(phase.result.ledger_total)},
                        {"counted_total", ValueJson(phase.result.counted_total)},
                        {"filled_total", ValueJson(phase.result.filled_total)},
                        {"rows", std::move(rows)}};
  }
  return json;
}

}  // namespace

std::string ToJson(const StaticReport& report) {
  const PageEstimate& estimate = report.estimate;
  Json phases = Json::object();
  Json modules = Json::object();
  for (const PhaseView& phase : PhasesOf(report)) {
    phases[phase.name] = PhaseJson(phase.tree.cost, phase.bounds);
    modules[phase.name] = TreeJson(phase.tree);
  }
  phases["decode"]["steps"] = StepsJson(report);
  const ocr::ActivationPeaks& peaks = estimate.ledger.peaks;
  const Json json = {
      {"schema_version", kStaticReportVersion},
      {"what", "parameters, FLOPs and bytes of one page in closed form; base units"},
      {"model", {{"name", estimate.model}, {"origin", estimate.model_origin}}},
      {"dimensions", ParseJson<Json>(ocr::ConfigJson(estimate.dimensions))},
      {"shapes", ShapesJson(estimate)},
      {"conventions", Conventions()},
      {"parameters", ParametersJson(estimate)},
      {"roofs", RoofsJson(report.device)},
      {"page", PhaseJson(PageCost(estimate.ledger), PageBounds(report))},
      {"phases", std::move(phases)},
      {"kv_cache_bytes", ValueJson(estimate.ledger.kv_cache_bytes)},
      {"activation_peak_bytes",
       {{"vision", ValueJson(peaks.vision_bytes)},
        {"prefill", ValueJson(peaks.prefill_bytes)},
        {"decode", ValueJson(peaks.decode_bytes)}}},
      {"dispatcher", DispatcherJson(report.dispatcher)},
      {"dispatcher_says", DispatcherSentence(report.dispatcher)},
      {"modules", std::move(modules)}};
  return DumpJson(json, 1) + "\n";
}

}  // namespace ridgeline::estimates
