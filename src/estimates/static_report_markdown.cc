#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "estimates/static_report.h"

namespace ridgeline::estimates {
namespace {

namespace ocr = models::deepseek_ocr;
using cost::Amount;
using cost::Cost;
using cost::CostClass;
using cost::CostNode;

constexpr size_t kModulesShown = 15;

void AppendShapes(const PageEstimate& estimate, std::string& text) {
  const ocr::LedgerShapes& shapes = estimate.shapes.shapes;
  std::string views;
  for (const ocr::ViewBatch& batch : shapes.views) {
    views += fmt::format("{}{} of {} x {}", views.empty() ? "" : ", ", batch.count,
                         batch.side, batch.side);
  }
  text += fmt::format("- Model: {} ({})\n", estimate.model, estimate.model_origin);
  text += fmt::format("- Page: {} x {} pixels, {}; views: {}\n", estimate.page.width,
                      estimate.page.height, estimate.page_origin, views);
  text += fmt::format("- Prompt: {} tokens ({} image tokens); up to {} decode steps",
                      shapes.prompt_tokens, shapes.image_tokens, shapes.decode_steps);
  if (shapes.decode_steps > 0) {
    text += fmt::format(", context {}", estimate.contexts.first);
    if (estimate.contexts.first != estimate.contexts.last) {
      text += fmt::format(" to {}", estimate.contexts.last);
    }
  }
  text += fmt::format("\n- Bytes per value: weights {}, activations {}, KV cache {}\n",
                      shapes.bytes.weights, shapes.bytes.activations, shapes.bytes.kv);
}

void AppendRoof(const char* what, const std::string& value,
                const hardware::RoofOrigin& origin, std::string& text) {
  const bool is_known = origin.kind != hardware::RoofOrigin::Kind::kUnknown;
  text += fmt::format("| {} | {} | {} |\n", what, is_known ? value : "unknown",
                      is_known ? origin.text : "unknown: " + origin.text);
}

void AppendRoofs(const hardware::DeviceRoofs& device, std::string& text) {
  const hardware::Roofs& roofs = device.roofs;
  text += fmt::format(
      "\n## Ceilings of {}\n\n| Ceiling | Peak | Origin |\n| --- | ---: | --- |\n",
      device.device);
  AppendRoof(fmt::format("compute, {}", hardware::Name(roofs.arithmetic)).c_str(),
             units::Flops(roofs.compute_flops_per_s), roofs.compute_origin, text);
  AppendRoof("memory", units::Bytes(roofs.memory_bytes_per_s), roofs.memory_origin, text);
  if (const auto ridge = cost::RidgePoint(device.rates())) {
    text += fmt::format("\nRidge point: {} FLOP/byte.\n", units::Ratio(ridge));
  }
}

std::string BoundText(const cost::TimeBounds& bounds) {
  return bounds.lower_s ? ">= " + units::Seconds(bounds.lower_s) : "unknown";
}

void AppendPhase(const char* name, const Cost& cost, const cost::TimeBounds& bounds,
                 std::string& text) {
  const Amount matrix = cost.flops_matrix();
  text += fmt::format(
      "| {} | {} | {} | {} | {} | {} | {} | {} |\n", name, units::Flops(matrix.executed),
      units::Flops(matrix.ideal), units::Bytes(cost.bytes.unavoidable()),
      units::Bytes(cost.bytes.total()), units::Ratio(cost.arithmetic_intensity_best()),
      BoundText(bounds), NameOf(bounds.bound));
}

void AppendPhases(const StaticReport& report, std::string& text) {
  text +=
      "\n## Phases\n\n| Phase | Matrix FLOPs | Ideal | Compulsory bytes | All bytes | "
      "Arithmetic intensity | Roofline time | Bound |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n";
  const PageEstimate& estimate = report.estimate;
  for (const PhaseView& phase : PhasesOf(report)) {
    AppendPhase(phase.name, phase.tree.cost, phase.bounds, text);
  }
  AppendPhase("page", PageCost(estimate.ledger), PageBounds(report), text);
  if (estimate.shapes.shapes.decode_steps > 0) {
    const Cost last =
        ocr::DecodeStepCost(estimate.dimensions, estimate.shapes.shapes.bytes,
                            estimate.contexts.last)
            .cost;
    AppendPhase("last decode step", last, cost::BoundsOf(last, report.device.rates()),
                text);
  }
  const ocr::ActivationPeaks& peaks = estimate.ledger.peaks;
  text += fmt::format(
      "\nKV cache at the end: {}. Peak activations: {} in vision, {} in prefill, {} in "
      "decode.\n",
      units::Bytes(estimate.ledger.kv_cache_bytes), units::Bytes(peaks.vision_bytes),
      units::Bytes(peaks.prefill_bytes), units::Bytes(peaks.decode_bytes));
}

void AppendClasses(const ocr::Ledger& ledger, std::string& text) {
  text +=
      "\n## Executed FLOPs by class\n\n| Class | Vision | Prefill | Decode |\n"
      "| --- | ---: | ---: | ---: |\n";
  for (const CostClass cost_class : cost::AllCostClasses()) {
    const auto flops = [cost_class](const CostNode& phase) {
      return phase.cost.flops(cost_class).executed;
    };
    const cost::Count all =
        flops(ledger.vision) + flops(ledger.prefill) + flops(ledger.decode);
    if (all == cost::Count(0)) continue;
    text += fmt::format(
        "| {} | {} | {} | {} |\n", NameOf(cost_class), units::Flops(flops(ledger.vision)),
        units::Flops(flops(ledger.prefill)), units::Flops(flops(ledger.decode)));
  }
}

void AppendParameters(const PageEstimate& estimate, std::string& text) {
  const cost::Parameters all = ocr::ModelParameters(estimate.dimensions);
  text += fmt::format(
      "\n## Parameters\n\n{} in total, {} active per token.\n\n"
      "| Module | Parameters | Active |\n| --- | ---: | ---: |\n",
      units::Digits(all.total), units::Digits(all.activated));
  for (const CostNode* phase : {&estimate.ledger.vision, &estimate.ledger.prefill}) {
    for (const CostNode& module : phase->children) {
      text += fmt::format("| {} | {} | {} |\n", module.name,
                          units::Digits(module.parameters.total),
                          units::Digits(module.parameters.activated));
    }
  }
}

struct Row {
  const char* phase;
  const CostNode* module;
};

void AppendModules(const StaticReport& report, std::string& text) {
  std::vector<Row> rows;
  const std::vector<PhaseView> phases = PhasesOf(report);
  for (const PhaseView& phase : phases) {
    for (const CostNode* leaf : cost::Leaves(phase.tree)) {
      rows.push_back({phase.name, leaf});
    }
  }
  const auto flops = [](const Row& row) {
    return row.module->cost.flops_matrix().executed;
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&flops](const Row& a, const Row& b) { return flops(a) > flops(b); });
  const size_t shown = std::min(rows.size(), kModulesShown);
  text += fmt::format(
      "\n## Top modules by FLOPs\n\n{} of {}; static_compute.json has all.\n\n"
      "| Phase | Module | Matrix FLOPs | Weights read | All bytes |\n"
      "| --- | --- | ---: | ---: | ---: |\n",
      shown, rows.size());
  for (size_t i = 0; i < shown; ++i) {
    const CostNode& module = *rows[i].module;
    text += fmt::format("| {} | {} | {} | {} | {} |\n", rows[i].phase, module.name,
                        units::Flops(flops(rows[i])),
                        units::Bytes(module.cost.bytes.weights_read),
                        units::Bytes(module.cost.bytes.total()));
  }
}

}  // namespace

std::string ToMarkdown(const StaticReport& report) {
  std::string text = fmt::format("# Static analysis: {}\n\n", Summary(report));
  AppendShapes(report.estimate, text);
  AppendPhases(report, text);
  AppendRoofs(report.device, text);
  AppendClasses(report.estimate.ledger, text);
  AppendParameters(report.estimate, text);
  AppendModules(report, text);
  text += fmt::format("\n## FLOP check\n\n{}\n", DispatcherSentence(report.dispatcher));
  text += "\n## Conventions\n\n";
  for (const std::string& sentence : Conventions()) text += "- " + sentence + "\n";
  return text;
}

}  // namespace ridgeline::estimates
