#include "estimates/static_report.h"

#include <fmt/format.h>

#include "base/units.h"

namespace ridgeline::estimates {

using cost::TimeBounds;
using Kind = cost::ReconciledRow::Kind;

std::vector<PhaseView> PhasesOf(const StaticReport& report) {
  const cost::RoofRates rates = report.device.rates();
  const models::deepseek_ocr::Ledger& ledger = report.estimate.ledger;
  const auto view = [&rates](const char* name, const cost::CostNode& tree) {
    return PhaseView{name, tree, cost::BoundsOf(tree.cost, rates)};
  };
  return {view("vision", ledger.vision), view("prefill", ledger.prefill),
          view("decode", ledger.decode)};
}

cost::Cost PageCost(const models::deepseek_ocr::Ledger& ledger) {
  cost::Cost cost = ledger.vision.cost;
  cost += ledger.prefill.cost;
  cost += ledger.decode.cost;
  return cost;
}

TimeBounds PageBounds(const StaticReport& report) {
  std::vector<TimeBounds> parts;
  for (const PhaseView& phase : PhasesOf(report)) parts.push_back(phase.bounds);
  return cost::InSequence(parts);
}

const std::vector<std::string>& Conventions() {
  static const std::vector<std::string> sentences = {
      "A multiply-add is two FLOPs.",
      "MFU counts matrix FLOPs only (GEMM, convolution, attention).",
      "Executed FLOPs include padding and masked FLOPs, ideal FLOPs do not.",
      "Compulsory bytes are the weights, read once per forward call, and the KV cache; "
      "MBU "
      "counts these only.",
      "Roofline times use ideal matrix FLOPs and compulsory bytes from DRAM; only data "
      "that "
      "stays in a cache can be faster.",
      "Prefill is the decoder over the prompt, without vision.",
      "Decode steps are infer.max_new_tokens - 1, the maximum; pages that end earlier "
      "have "
      "fewer.",
      "Without recorded routing, prefill reads every expert that the prompt can reach, "
      "also in roofline times."};
  return sentences;
}

std::string DispatcherSentence(const std::optional<DispatcherReport>& report) {
  if (!report) {
    return fmt::format("FLOP check: not run (no {}); all numbers are in closed form.",
                       kDispatcherFile);
  }
  const size_t filled = report->CountOf(Kind::kNotCounted);
  const size_t equal = report->CountOf(Kind::kEqual);
  const size_t differs = report->CountOf(Kind::kDiffers);
  const size_t missing = report->CountOf(Kind::kNotInLedger);
  std::string sentence = fmt::format("FLOP check: {}/{} modules match the dispatcher",
                                     equal, equal + differs + missing);
  if (differs > 0) sentence += fmt::format("; {} differ", differs);
  if (missing > 0) sentence += fmt::format("; {} not in the ledger", missing);
  if (filled > 0) sentence += fmt::format("; {} not counted, in closed form", filled);
  return sentence + ".";
}

std::string Summary(const StaticReport& report) {
  const cost::Count parameters =
      models::deepseek_ocr::ModelParameters(report.estimate.dimensions).total;
  const cost::Count flops = PageCost(report.estimate.ledger).flops_matrix().executed;
  return fmt::format("{} parameters, {}/page", units::Parameters(parameters),
                     units::Flops(flops));
}

}  // namespace ridgeline::estimates
