#include "report/sections/static_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "base/plural.h"
#include "base/units.h"
#include "report/printers/markdown.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

using cost::Amount;
using cost::Cost;
using cost::CostClass;
using cost::CostNode;
using profiles::PhaseView;
using profiles::StaticReport;

constexpr size_t kModulesShown = 15;

void AppendShapes(const cost::Estimate& estimate, std::string& text) {
  const cost::SampleShape& shapes = estimate.shape;
  std::string views;
  for (const cost::ViewBatch& batch : shapes.views) {
    views += fmt::format("{}{} of {} x {}", views.empty() ? "" : ", ",
                         Plural(batch.count, "view"), batch.side, batch.side);
  }
  text += fmt::format("- Model: {} ({})\n", estimate.model, estimate.model_origin);
  text += fmt::format("- Page: {} x {} pixels, {}; {}\n", estimate.page.width,
                      estimate.page.height, estimate.page_origin, views);
  text +=
      fmt::format("- Prompt: {} ({}); up to {}", Plural(shapes.prompt_tokens, "token"),
                  Plural(shapes.image_tokens, "image token"),
                  Plural(shapes.decode_steps, "decode step"));
  if (shapes.decode_steps > 0) {
    text += fmt::format(", context {}", estimate.contexts.first);
    if (estimate.contexts.first != estimate.contexts.last) {
      text += fmt::format(" to {}", estimate.contexts.last);
    }
  }
  text += fmt::format("\n- Bytes per value: weights {}, activations {}, KV cache {}\n",
                      shapes.bytes.weights, shapes.bytes.activations, shapes.bytes.kv);
}

void AppendCeiling(const char* what, const std::string& value,
                   const hardware::CeilingSource& origin, std::string& text) {
  const bool is_known = origin.kind != hardware::CeilingSource::Kind::kUnknown;
  text += fmt::format("| {} | {} | {} |\n", what, is_known ? value : "unknown",
                      is_known ? origin.text : "unknown: " + origin.text);
}

void AppendCeilings(const hardware::DeviceCeilings& device, std::string& text) {
  const hardware::Ceilings& ceilings = device.ceilings;
  text += fmt::format(
      "\n## Ceilings of {}\n\n| Ceiling | Peak | Origin |\n| --- | ---: | --- |\n",
      device.device);
  AppendCeiling(fmt::format("compute, {}", hardware::Name(ceilings.arithmetic)).c_str(),
                units::Flops(ceilings.compute_flops_per_s), ceilings.peak_flops_source,
                text);
  AppendCeiling("memory", units::Bytes(ceilings.memory_bytes_per_s),
                ceilings.peak_bandwidth_source, text);
  if (const auto ridge = cost::RidgePoint(device.rates())) {
    text += fmt::format("\nRidge point: {} FLOP/byte.\n", units::Ratio(ridge));
  }
}

std::string BoundText(const cost::RooflineTime& bounds) {
  return bounds.lower_s ? ">= " + units::Seconds(bounds.lower_s) : "unknown";
}

// Of the FLOPs and bytes on which the bound rests.
std::optional<double> UsefulIntensityOf(const Cost& cost) {
  const double bytes = cost.bytes.compulsory().as_double();
  if (!(bytes > 0)) return std::nullopt;
  return cost.flops_matrix().useful.as_double() / bytes;
}

void AppendPhase(const std::string& name, const Cost& cost,
                 const cost::RooflineTime& bounds, std::string& text) {
  const Amount matrix = cost.flops_matrix();
  text += fmt::format(
      "| {} | {} | {} | {} | {} | {} | {} | {} |\n", name, units::Flops(matrix.executed),
      units::Flops(matrix.useful), units::Bytes(cost.bytes.compulsory()),
      units::Bytes(cost.bytes.total()), units::Ratio(UsefulIntensityOf(cost)),
      BoundText(bounds), NameOf(bounds.bound));
}

void AppendPhases(const StaticReport& report, std::string& text) {
  text +=
      "\n## Phases\n\nArithmetic intensity: useful FLOPs per compulsory byte. Roofline "
      "times and bounds use both.\n\n"
      "| Phase | FLOPs, executed | FLOPs, useful | Compulsory bytes | Bytes incl. "
      "activations | Arithmetic intensity (FLOP/byte) | Roofline time | Roofline limit "
      "|\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n";
  const cost::Estimate& estimate = report.estimate;
  const bool has_vision =
      std::any_of(estimate.ledger.phases.begin(), estimate.ledger.phases.end(),
                  [](const CostNode& phase) { return phase.name == "vision"; });
  for (const PhaseView& phase : profiles::PhasesOf(report)) {
    AppendPhase(CostedPhaseName(phase.tree.name, has_vision), phase.tree.cost,
                phase.bounds, text);
  }
  AppendPhase("end_to_end", estimate.ledger.total(), profiles::PageBounds(report), text);
  if (estimate.last_step) {
    AppendPhase("last decode step", *estimate.last_step,
                cost::RooflineTimeOf(*estimate.last_step, report.device.rates()), text);
  }
  std::vector<std::string> peaks;
  for (const cost::ActivationPeak& peak : estimate.ledger.peaks) {
    peaks.push_back(fmt::format("{} in {}", units::Bytes(peak.bytes), peak.phase));
  }
  text +=
      fmt::format("\nKV cache at the end: {}. Peak activations: {}.\n",
                  units::Bytes(estimate.ledger.kv_cache_bytes), fmt::join(peaks, ", "));
}

// "prefill" as a heading.
std::string Capitalized(std::string name) {
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(name[0]));
  return name;
}

void AppendClasses(const cost::Ledger& ledger, std::string& text) {
  std::string titles;
  std::string aligned;
  for (const CostNode& phase : ledger.phases) {
    titles += " " + Capitalized(phase.name) + " |";
    aligned += " ---: |";
  }
  text += fmt::format("\n## Executed FLOPs by class\n\n| Class |{}\n| --- |{}\n", titles,
                      aligned);
  for (const CostClass cost_class : cost::AllCostClasses()) {
    cost::Count all;
    std::string cells;
    for (const CostNode& phase : ledger.phases) {
      const cost::Count flops = phase.cost.flops(cost_class).executed;
      all += flops;
      cells += " " + units::Flops(flops) + " |";
    }
    if (all == cost::Count(0)) continue;
    text += fmt::format("| {} |{}\n", NameOf(cost_class), cells);
  }
}

void AppendParameters(const cost::Estimate& estimate, std::string& text) {
  const cost::Parameters& all = estimate.parameters;
  text += fmt::format(
      "\n## Parameters\n\n{} parameters; decoder: {} active per token.\n\n"
      "| Module | Parameters | Active |\n| --- | ---: | ---: |\n",
      units::Digits(all.total), units::Digits(all.active));
  for (const CostNode* module : profiles::TopModules(estimate.ledger)) {
    text += fmt::format("| {} | {} | {} |\n", module->name,
                        units::Digits(module->parameters.total),
                        units::Digits(module->parameters.active));
  }
}

struct ModuleRow {
  std::string_view phase;
  const CostNode* module;
};

void AppendModules(const StaticReport& report, std::string& text) {
  std::vector<ModuleRow> rows;
  const std::vector<PhaseView> phases = profiles::PhasesOf(report);
  for (const PhaseView& phase : phases) {
    for (const CostNode* leaf : cost::Leaves(phase.tree)) {
      rows.push_back({phase.tree.name, leaf});
    }
  }
  const auto flops = [](const ModuleRow& row) {
    return row.module->cost.flops_matrix().executed;
  };
  std::stable_sort(
      rows.begin(), rows.end(),
      [&flops](const ModuleRow& a, const ModuleRow& b) { return flops(a) > flops(b); });
  const size_t shown = std::min(rows.size(), kModulesShown);
  text += fmt::format(
      "\n## Top modules by FLOPs\n\n{} of {}; static_compute.json has all.\n\n"
      "| Phase | Module | Matrix FLOPs | Weights read | Bytes incl. activations |\n"
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

std::string StaticReportMarkdown(const StaticReport& report) {
  std::string text =
      fmt::format("# Static analysis: {}\n\n", StaticReportSummary(report));
  AppendShapes(report.estimate, text);
  AppendPhases(report, text);
  AppendCeilings(report.device, text);
  AppendClasses(report.estimate.ledger, text);
  AppendParameters(report.estimate, text);
  AppendModules(report, text);
  text += fmt::format("\n## FLOP check\n\n{}\n",
                      profiles::FlopCheckSentence(report.flop_check));
  text += "\n## Conventions\n\n";
  for (const std::string& sentence : profiles::Conventions())
    text += "- " + sentence + "\n";
  return text;
}

std::string StaticReportSummary(const StaticReport& report) {
  const cost::Count flops = report.estimate.ledger.total().flops_matrix().executed;
  return fmt::format("{} parameters, {}/page",
                     units::Parameters(report.estimate.parameters.total),
                     units::Flops(flops));
}

}  // namespace ridgeline::report
