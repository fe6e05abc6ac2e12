#include "profiles/static_compute.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json.h"
#include "profiles/op_counts.h"

namespace ridgeline::profiles {
namespace {

using cost::Amount;
using cost::Cost;
using cost::CostClass;
using cost::CostNode;
using cost::Count;
using Json = nlohmann::ordered_json;
using Kind = cost::ReconciledRow::Kind;

constexpr int kStaticComputeVersion = 2;
constexpr const char* kWholeSample = "end_to_end";

constexpr RenamedKey kRenamedStaticKeys[] = {
    {"ideal", "useful"},
    {"activated", "active"},
    {"unavoidable", "compulsory"},
    {"lower_bound", "roofline"},
    {"matrix_flops_per_unavoidable_byte", "arithmetic_intensity"},
    {"roofs", "ceilings"},
};
constexpr const char* kDecodePhase = "decode";

// --- writing

Json ValueJson(Count count) { return count.is_exact() ? Json(count.value()) : Json(); }

Json ValueJson(const Amount& amount) {
  return {{"executed", ValueJson(amount.executed)}, {"useful", ValueJson(amount.useful)}};
}

Json ValueJson(const cost::Parameters& parameters) {
  return {{"total", ValueJson(parameters.total)},
          {"active", ValueJson(parameters.active)}};
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
          {"compulsory", ValueJson(bytes.compulsory())}};
}

// For a module: only nonzero ones.
Json ShortBytes(const cost::Traffic& bytes) {
  Json json = BytesJson(bytes);
  for (const char* sum : {"total", "compulsory"}) json.erase(sum);
  for (auto it = json.begin(); it != json.end();) {
    it = *it == 0 ? json.erase(it) : std::next(it);
  }
  return json;
}

Json BoundsJson(const cost::RooflineTime& bounds) {
  return {{"compute_s", OrNull(bounds.compute_s)},
          {"memory_s", OrNull(bounds.memory_s)},
          {"time_s", OrNull(bounds.lower_s)},
          {"bound", NameOf(bounds.bound)}};
}

Json CostJson(const Cost& cost) {
  return {{"flops",
           {{"matrix", ValueJson(cost.flops_matrix())},
            {"total", ValueJson(cost.flops_total())},
            {"by_class", ByClass(cost)}}},
          {"bytes", BytesJson(cost.bytes)},
          {"matrix_flops_per_byte", OrNull(cost.arithmetic_intensity())},
          {"arithmetic_intensity", OrNull(cost.arithmetic_intensity_best())}};
}

Json PhaseCostJson(const Cost& cost, const cost::RooflineTime& bounds) {
  Json json = CostJson(cost);
  json["roofline"] = BoundsJson(bounds);
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

const char* ContextMode(cost::ContextRule::Mode mode) {
  switch (mode) {
    case cost::ContextRule::Mode::kAuto:
      return "auto";
    case cost::ContextRule::Mode::kMax:
      return "max";
    case cost::ContextRule::Mode::kFixed:
      return "fixed";
  }
  return "";
}

Json ShapesJson(const cost::Estimate& estimate) {
  const cost::SampleShape& shape = estimate.shape;
  const cost::PreprocessOptions& preprocess = estimate.preprocess;
  Json views = Json::array();
  for (const cost::ViewBatch& batch : shape.views) {
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
          {"grid", {{"cols", shape.grid.cols}, {"rows", shape.grid.rows}}},
          {"views", std::move(views)},
          {"text_tokens", shape.text_tokens()},
          {"image_tokens", shape.image_tokens},
          {"prompt_tokens", shape.prompt_tokens},
          {"decode_steps", shape.decode_steps},
          {"context_len_mode", ContextMode(estimate.context.mode)},
          {"context_first", estimate.contexts.first},
          {"context_last", estimate.contexts.last},
          {"bytes_per_value",
           {{"weights", shape.bytes.weights},
            {"router_weights", shape.bytes.router_weights},
            {"activations", shape.bytes.activations},
            {"kv", shape.bytes.kv}}}};
}

Json ParametersJson(const cost::Estimate& estimate) {
  Json json = ValueJson(estimate.parameters);
  json["modules"] = Json::array();
  for (const CostNode* module : TopModules(estimate.ledger)) {
    Json row = {{"name", module->name}};
    row.update(ValueJson(module->parameters));
    json["modules"].push_back(std::move(row));
  }
  return json;
}

Json CeilingsJsonOf(const hardware::DeviceCeilings& device) {
  const hardware::Ceilings& ceilings = device.ceilings;
  const auto origin = [](const hardware::CeilingSource& from) {
    return Json{{"kind", hardware::NameOf(from.kind)}, {"text", from.text}};
  };
  return {{"device", device.device},
          {"arithmetic", hardware::Name(ceilings.arithmetic)},
          {"compute_flops_per_s", OrNull(ceilings.compute_flops_per_s)},
          {"peak_flops_source", origin(ceilings.peak_flops_source)},
          {"memory_bytes_per_s", OrNull(ceilings.memory_bytes_per_s)},
          {"peak_bandwidth_source", origin(ceilings.peak_bandwidth_source)},
          {"ridge_flops_per_byte", OrNull(cost::RidgePoint(device.rates()))}};
}

// Per token, for the first and the last step.
Json StepsJson(const StaticReport& report) {
  const cost::Estimate& estimate = report.estimate;
  if (!estimate.first_step || !estimate.last_step) return {};
  const auto step = [&](int64_t context, const Cost& cost) {
    Json json = {{"context", context}};
    json.update(PhaseCostJson(cost, cost::RooflineTimeOf(cost, report.device.rates())));
    return json;
  };
  return {{"first", step(estimate.contexts.first, *estimate.first_step)},
          {"last", step(estimate.contexts.last, *estimate.last_step)}};
}

Json PeaksJson(const cost::Ledger& ledger) {
  Json json = Json::object();
  for (const cost::ActivationPeak& peak : ledger.peaks) {
    json[peak.phase] = ValueJson(peak.bytes);
  }
  return json;
}

// Counted minus ledger; null if one of them is unknown.
Json DifferenceJson(const cost::ReconciledRow& row) {
  if (!row.ledger || !row.counted) return {};
  if (!row.ledger->is_exact() || !row.counted->is_exact()) return {};
  return static_cast<int64_t>(row.counted->value() - row.ledger->value());
}

Json FlopCheckJson(const std::optional<cost::FlopCheck>& check) {
  if (!check) return {};
  Json json = Json::object();
  for (const cost::CheckedPhase& phase : check->phases) {
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

// --- reading

constexpr int64_t kMaxTokens = int64_t{1} << 31;  // More indicates a corrupt file.
constexpr int64_t kMaxSide = int64_t{1} << 16;

const Json* At(const Json& json, const char* pointer) {
  const Json::json_pointer at(pointer);
  return json.contains(at) ? &json[at] : nullptr;
}

bool TrueAt(const Json& json, const char* pointer) {
  const Json* const value = At(json, pointer);
  return value != nullptr && *value == Json(true);
}

// nullopt if the file has null: the value did not fit.
std::optional<int64_t> WholeAt(const Json& json, const char* pointer) {
  const Json* const value = At(json, pointer);
  if (value == nullptr || !value->is_number_unsigned()) return std::nullopt;
  const auto count = value->get<uint64_t>();
  if (count > std::numeric_limits<int64_t>::max()) return std::nullopt;
  return static_cast<int64_t>(count);
}

std::optional<double> NanosecondsAt(const Json& json, const char* pointer) {
  const std::optional<double> seconds = ValueAt<double>(json, pointer);
  if (!seconds) return std::nullopt;
  return *seconds * 1e9;
}

Result<results::PhaseCost> ParseCost(const std::string& phase, const Json& json) {
  const auto bound = ValueAt<std::string>(json, "/roofline/bound");
  if (!bound) {
    return Error(ErrorCode::kParse, "phase '" + phase + "': missing roofline/bound");
  }
  results::PhaseCost cost;
  cost.phase = phase;
  cost.flops_matrix = WholeAt(json, "/flops/matrix/executed");
  cost.flops_matrix_useful = WholeAt(json, "/flops/matrix/useful");
  cost.flops_total = WholeAt(json, "/flops/total/executed");
  cost.bytes_compulsory = WholeAt(json, "/bytes/compulsory");
  cost.bytes_total = WholeAt(json, "/bytes/total");
  cost.roofline_compute_ns = NanosecondsAt(json, "/roofline/compute_s");
  cost.roofline_memory_ns = NanosecondsAt(json, "/roofline/memory_s");
  cost.bound = *bound;
  return cost;
}

Status ParseCosts(const Json& json, std::vector<results::PhaseCost>& costs) {
  const auto phases = json.find("phases");
  const auto whole = json.find(kWholeSample);
  if (phases == json.end() || !phases->is_object() || whole == json.end()) {
    return Error(ErrorCode::kParse, "missing 'phases' or 'end_to_end'");
  }
  Json all = *phases;
  all[kWholeSample] = *whole;
  for (const auto& [phase, value] : all.items()) {
    RIDGELINE_TRY(results::PhaseCost cost, ParseCost(phase, value));
    costs.push_back(std::move(cost));
  }
  return Ok();
}

void UpgradeFromVersion1(Json& json) {
  RenameKeys(json, kRenamedStaticKeys);
  // Renames only the key of the whole page: "page" among the shapes keeps its name.
  if (json.contains("page")) json[kWholeSample] = std::move(json["page"]);
}

Result<StaticCompute> ParseReport(std::string_view text) {
  auto json = ParseJson<Json>(text);
  const auto version =
      json.is_object() ? MemberIn<int64_t>(json, "schema_version") : std::nullopt;
  if (version.value_or(0) < 1 || *version > kStaticComputeVersion) {
    return Error(ErrorCode::kParse,
                 fmt::format("not a static analysis of schema version 1 to {}",
                             kStaticComputeVersion));
  }
  if (*version == 1) UpgradeFromVersion1(json);
  const auto side = [&json](const char* pointer) {
    return static_cast<int>(
        std::clamp<int64_t>(ValueAt<int64_t>(json, pointer).value_or(0), 0, kMaxSide));
  };
  const auto width = [&json](const char* pointer) {
    return ValueAt<int64_t>(json, pointer).value_or(0);
  };
  StaticCompute report = {
      .model = ValueAt<std::string>(json, "/model/name").value_or(""),
      .config_json = json.contains("dimensions") ? DumpJson(json["dimensions"]) : "",
      .device = ValueAt<std::string>(json, "/ceilings/device").value_or("a device"),
      .ceilings = {ValueAt<double>(json, "/ceilings/compute_flops_per_s"),
                   ValueAt<double>(json, "/ceilings/memory_bytes_per_s")},
      .preprocess = {.enable = TrueAt(json, "/shapes/preprocess/enable"),
                     .base_size = side("/shapes/preprocess/base_size"),
                     .image_size = side("/shapes/preprocess/image_size"),
                     .crop_mode = TrueAt(json, "/shapes/preprocess/crop_mode")},
      .bytes = {.weights = width("/shapes/bytes_per_value/weights"),
                .router_weights = width("/shapes/bytes_per_value/router_weights"),
                .activations = width("/shapes/bytes_per_value/activations"),
                .kv = width("/shapes/bytes_per_value/kv")},
      .text_tokens = std::clamp<int64_t>(width("/shapes/text_tokens"), 0, kMaxTokens),
      .costs = {}};
  RIDGELINE_RETURN_IF_ERROR(ParseCosts(json, report.costs));
  return report;
}

}  // namespace

std::vector<PhaseView> PhasesOf(const StaticReport& report) {
  std::vector<PhaseView> views;
  for (const CostNode& phase : report.estimate.ledger.phases) {
    views.push_back({phase, cost::RooflineTimeOf(phase.cost, report.device.rates())});
  }
  return views;
}

cost::RooflineTime PageBounds(const StaticReport& report) {
  std::vector<cost::RooflineTime> parts;
  for (const PhaseView& phase : PhasesOf(report)) parts.push_back(phase.bounds);
  return cost::InSequence(parts);
}

std::vector<const CostNode*> TopModules(const cost::Ledger& ledger) {
  std::vector<const CostNode*> modules;
  for (const CostNode& phase : ledger.phases) {
    for (const CostNode& module : phase.children) {
      const bool is_known = std::any_of(
          modules.begin(), modules.end(),
          [&module](const CostNode* known) { return known->name == module.name; });
      if (!is_known) modules.push_back(&module);
    }
  }
  return modules;
}

const std::vector<std::string>& Conventions() {
  static const std::vector<std::string> sentences = {
      "A multiply-add is two FLOPs.",
      "MFU counts matrix FLOPs only (GEMM, convolution, attention).",
      "Executed FLOPs include padding and masked FLOPs, useful FLOPs do not.",
      "Compulsory bytes are the weights, read once per forward call, and the KV cache; "
      "MBU counts these only.",
      "Roofline times use useful matrix FLOPs and compulsory bytes from DRAM; only data "
      "that stays in a cache can be faster.",
      "Prefill is the decoder over the prompt, without vision.",
      "Decode steps are infer.max_new_tokens - 1, the maximum; pages that end earlier "
      "have fewer.",
      "Without recorded routing, prefill reads every expert that the prompt can reach, "
      "also in roofline times."};
  return sentences;
}

std::string FlopCheckSentence(const std::optional<cost::FlopCheck>& check) {
  if (!check) {
    return fmt::format("FLOP check: not run (no {}); all numbers are in closed form.",
                       kOpCountsFile);
  }
  const size_t filled = check->CountOf(Kind::kNotCounted);
  const size_t equal = check->CountOf(Kind::kEqual);
  const size_t differs = check->CountOf(Kind::kDiffers);
  const size_t missing = check->CountOf(Kind::kNotInLedger);
  std::string sentence = fmt::format("FLOP check: {}/{} modules match the dispatcher",
                                     equal, equal + differs + missing);
  if (differs > 0) sentence += fmt::format("; {} differ", differs);
  if (missing > 0) sentence += fmt::format("; {} not in the ledger", missing);
  if (filled > 0) sentence += fmt::format("; {} not counted, in closed form", filled);
  return sentence + ".";
}

std::string ToJson(const StaticReport& report) {
  const cost::Estimate& estimate = report.estimate;
  Json phases = Json::object();
  Json modules = Json::object();
  for (const PhaseView& phase : PhasesOf(report)) {
    phases[phase.tree.name] = PhaseCostJson(phase.tree.cost, phase.bounds);
    modules[phase.tree.name] = TreeJson(phase.tree);
  }
  if (phases.contains(kDecodePhase)) phases[kDecodePhase]["steps"] = StepsJson(report);
  const Json json = {
      {"schema_version", kStaticComputeVersion},
      {"what", "parameters, FLOPs and bytes of one page in closed form; base units"},
      {"model", {{"name", estimate.model}, {"origin", estimate.model_origin}}},
      {"dimensions", ParseJson<Json>(estimate.config_json)},
      {"shapes", ShapesJson(estimate)},
      {"conventions", Conventions()},
      {"parameters", ParametersJson(estimate)},
      {"ceilings", CeilingsJsonOf(report.device)},
      {kWholeSample, PhaseCostJson(estimate.ledger.total(), PageBounds(report))},
      {"phases", std::move(phases)},
      {"kv_cache_bytes", ValueJson(estimate.ledger.kv_cache_bytes)},
      {"activation_peak_bytes", PeaksJson(estimate.ledger)},
      {"dispatcher", FlopCheckJson(report.flop_check)},
      {"flop_check", FlopCheckSentence(report.flop_check)},
      {"modules", std::move(modules)}};
  return DumpJson(json, 1) + "\n";
}

Result<StaticCompute> ParseStaticCompute(std::string_view json, std::string_view origin) {
  Result<StaticCompute> report = ParseReport(json);
  if (!report.ok()) return std::move(report).error().While(std::string(origin));
  return report;
}

Status ImportStaticCosts(std::string_view json, results::Source source,
                         results::ResultStore& store) {
  RIDGELINE_TRY(StaticCompute report, ParseStaticCompute(json, source.file));
  for (results::PhaseCost& cost : report.costs) {
    cost.source = static_cast<results::SourceId>(store.sources.size());
    store.phase_costs.push_back(std::move(cost));
  }
  source.format = "static_costs";
  store.sources.push_back(std::move(source));
  return Ok();
}

}  // namespace ridgeline::profiles
