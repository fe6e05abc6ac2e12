// static_compute.json: parameters, FLOPs and bytes of one sample in closed form, the
// ceilings of the device, and the roofline times that follow. docs/static-analysis.md has
// its keys.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cost/flop_check.h"
#include "cost/ledger.h"
#include "cost/roofline.h"
#include "hardware/ceilings.h"
#include "results/result_store.h"

namespace ridgeline::profiles {

inline constexpr const char* kStaticComputeFile = "static_compute.json";

// What is written.
struct StaticReport {
  cost::Estimate estimate;
  hardware::DeviceCeilings device;
  std::optional<cost::FlopCheck> flop_check;  // Empty: not counted.
};

// The phases, in the order of a sample.
struct PhaseView {
  const cost::CostNode& tree;
  cost::RooflineTime bounds;
};
std::vector<PhaseView> PhasesOf(const StaticReport& report);

// Of all phases, one after the other.
cost::RooflineTime PageBounds(const StaticReport& report);

// The modules of the model with their parameters, each once.
std::vector<const cost::CostNode*> TopModules(const cost::Ledger& ledger);

// What the numbers mean, a sentence each.
const std::vector<std::string>& Conventions();

// What was compared with the count of the dispatcher, in one sentence.
std::string FlopCheckSentence(const std::optional<cost::FlopCheck>& check);

// Base units; what is not known is null, and so is a count that does not fit 64 bits.
std::string ToJson(const StaticReport& report);

// What is read back: the costs of the phases, and what they were computed from, so that
// other samples of the run can be counted.
struct StaticCompute {
  std::string model;
  std::string config_json;  // The model's dimensions.
  std::string device;
  cost::PeakRates ceilings;
  cost::PreprocessOptions preprocess;
  cost::ByteWidths bytes;
  int64_t text_tokens = 0;  // Of the prompt.
  std::vector<results::PhaseCost>
      costs;  // Of the phases, then "end_to_end"; without source.
};

// Errors begin with `origin`.
Result<StaticCompute> ParseStaticCompute(std::string_view json, std::string_view origin);

// Its costs as rows. `source` names the file. On an error nothing was added.
Status ImportStaticCosts(std::string_view json, results::Source source,
                         results::ResultStore& store);

}  // namespace ridgeline::profiles
