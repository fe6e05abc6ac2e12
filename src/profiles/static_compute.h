// static_compute.json: parameters, FLOPs and bytes of one sample in closed form, the
// ceilings of the device, and the resulting roofline times. See docs/static-analysis.md
// for its keys.
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

// Contents of the file.
struct StaticReport {
  cost::Estimate estimate;
  hardware::DeviceCeilings device;
  std::optional<cost::FlopCheck> flop_check;  // nullopt: not counted.
};

// The phases, in execution order.
struct PhaseView {
  const cost::CostNode& tree;
  cost::RooflineTime bounds;
};
std::vector<PhaseView> PhasesOf(const StaticReport& report);

// Over all phases, in sequence.
cost::RooflineTime PageBounds(const StaticReport& report);

// Top-level modules of the model with their parameters, without duplicates.
std::vector<const cost::CostNode*> TopModules(const cost::Ledger& ledger);

// Meaning of the numbers, one sentence each.
const std::vector<std::string>& Conventions();

// Result of the comparison with the dispatcher, in one sentence.
std::string FlopCheckSentence(const std::optional<cost::FlopCheck>& check);

// Base units; unknown values and counts that exceed 64 bits are null.
std::string ToJson(const StaticReport& report);

// The part that is read back: the costs of the phases and their inputs, to compute the
// cost of other samples of the run.
struct StaticCompute {
  std::string model;
  std::string config_json;  // The model's dimensions.
  std::string device;
  cost::PeakRates ceilings;
  cost::PreprocessOptions preprocess;
  cost::ByteWidths bytes;
  int64_t text_tokens = 0;                // In the prompt.
  std::vector<results::PhaseCost> costs;  // Phases, then "end_to_end"; without source.
};

// Errors begin with `origin`.
Result<StaticCompute> ParseStaticCompute(std::string_view json, std::string_view origin);

// Adds its costs as rows. `source` names the file. Adds nothing on an error.
Status ImportStaticCosts(std::string_view json, results::Source source,
                         results::ResultStore& store);

}  // namespace ridgeline::profiles
