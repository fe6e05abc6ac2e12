// The report of static analysis: what a page costs, the roofs of the device, and the
// least time that follows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cost/roofline.h"
#include "estimates/dispatcher_count.h"
#include "estimates/page_estimate.h"
#include "hardware/ceilings.h"

namespace ridgeline::estimates {

inline constexpr int kStaticReportVersion = 1;
inline constexpr const char* kStaticReportJson = "static_compute.json";
inline constexpr const char* kStaticReportMarkdown = "static_compute.md";

struct StaticReport {
  PageEstimate estimate;
  hardware::DeviceRoofs device;
  std::optional<DispatcherReport> dispatcher;  // Nothing: nobody counted.
};

// The phases, in the order of a page.
struct PhaseView {
  const char* name;
  const cost::CostNode& tree;
  cost::TimeBounds bounds;
};
std::vector<PhaseView> PhasesOf(const StaticReport& report);

// Of all phases, one after the other.
cost::Cost PageCost(const models::deepseek_ocr::Ledger& ledger);
cost::TimeBounds PageBounds(const StaticReport& report);

// What the numbers mean, a sentence each.
const std::vector<std::string>& Conventions();

// What was compared with the count of the dispatcher, in one sentence.
std::string DispatcherSentence(const std::optional<DispatcherReport>& report);

// Base units; what is not known is null, and so is a count that does not fit 64 bits.
std::string ToJson(const StaticReport& report);

// For people: scaled units, "unknown: ..." where a roof is not known.
std::string ToMarkdown(const StaticReport& report);

// "3.3 B parameters, 4.3 TFLOP per page".
std::string Summary(const StaticReport& report);

}  // namespace ridgeline::estimates
