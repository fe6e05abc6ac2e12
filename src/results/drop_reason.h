// Records dropped or changed by importers. Nothing is dropped silently: each reason has a
// counter and a text for reports.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ridgeline::results {

enum class DropReason : uint8_t {
  kElementNotAnObject,
  kMetadataEvent,
  kFlowEvent,
  kInstantEvent,
  kPhaseUnknown,
  kGpuAnnotation,
  kPythonFunction,
  kCategoryNotRead,
  kTimeMissing,
  kTimeNotANumber,
  kTimeOutOfRange,
  kDurationNegative,
  kNameMissing,
  kNameNotUtf8,
  kRuntimeCallWithoutCorrelation,
  kTooManyStreams,
  kRowTimeMissing,
  kRowTimeOutOfRange,
  kRowEndsBeforeItBegins,
  kRowNameUnknown,
  kRowCorrelationUnusable,
  kNvtxRangeNeverClosed,
  kNvtxNoRange,
  kNvtxNoThread,
  kNvtxTooDeep,
  kNvtxTooManyOpen,
  kLineOfOtherReport,
  kLineTimeUnusable,
  kLineTimeOutOfRange,
  kLineOfToolError,
  kRowCutOff,
  kMetricWithoutValue,
  kFlopsTooLarge,
  kCount,  // Number of reasons.
};

struct DropReasonText {
  std::string_view name;      // In results.sqlite and JSON; never changes.
  std::string_view sentence;  // After a number: "12 instant events".
  bool is_loss = false;       // Measured data is missing from the results.
};

// In the order of the enumerators.
std::span<const DropReasonText> DropReasonTexts();
const DropReasonText& TextOf(DropReason counter);

class DropCounts {
 public:
  void Add(DropReason counter, int64_t count = 1) {
    counts_[static_cast<size_t>(counter)] += count;
  }
  void Add(const DropCounts& other) {
    for (size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  }
  int64_t Get(DropReason counter) const { return counts_[static_cast<size_t>(counter)]; }

 private:
  std::array<int64_t, static_cast<size_t>(DropReason::kCount)> counts_ = {};
};

}  // namespace ridgeline::results
