#include "estimates/static_report.h"

#include <fmt/format.h>

#include "estimates/scaled.h"

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
      "A multiplication and an addition are two FLOPs.",
      "Matrix FLOPs are those of products of matrices; an MFU is made of nothing else.",
      "Executed is what the network multiplies; ideal leaves out what masks hide and "
      "what only fills up windows.",
      "Unavoidable bytes are weights, read once per forward call, and the KV cache; an "
      "MBU is made of these.",
      "Lower bounds are made of ideal matrix FLOPs and of unavoidable bytes, which are "
      "taken to come from memory: only what fits into a cache can be faster.",
      "Prefill is the decoder over the prompt, without vision.",
      "Decode steps are one less than infer.max_new_tokens: as many as there may be. A "
      "page that ends earlier has fewer.",
      "Without recorded choices, every expert that a prompt could reach is read, also in "
      "lower bounds of prefill."};
  return sentences;
}

std::string DispatcherSentence(const std::optional<DispatcherReport>& report) {
  if (!report) {
    return fmt::format(
        "Nothing was counted while the network ran; the numbers are the closed form's. "
        "They are compared with {} where it is given.",
        kDispatcherFile);
  }
  const size_t filled = report->CountOf(Kind::kNotCounted);
  std::string sentence = fmt::format(
      "{} modules counted by the dispatcher are equal, {} differ, {} are not "
      "in the ledger",
      report->CountOf(Kind::kEqual), report->CountOf(Kind::kDiffers),
      report->CountOf(Kind::kNotInLedger));
  if (filled > 0) {
    sentence +=
        fmt::format("; {} were not counted and are filled from the closed form", filled);
  }
  return sentence + ".";
}

std::string Summary(const StaticReport& report) {
  const cost::Count parameters =
      models::deepseek_ocr::ModelParameters(report.estimate.dimensions).total;
  const cost::Count flops = PageCost(report.estimate.ledger).flops_matrix().executed;
  return fmt::format("{} parameters, {} per page", Parameters(parameters), Flops(flops));
}

}  // namespace ridgeline::estimates
