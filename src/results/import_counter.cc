#include "results/import_counter.h"

namespace ridgeline::results {
namespace {

constexpr ImportCounterText kTexts[] = {
    {"element_not_an_object", "elements of traceEvents are no objects"},
    {"metadata_event", "events only name processes and threads (phase M)"},
    {"flow_event",
     "events are ends of arrows (phases s, t, f); launches are matched by correlation"},
    {"instant_event", "events are instants (phases i, I)"},
    {"phase_unknown", "events have a phase that is not read"},
    {"gpu_annotation",
     "ranges on GPU tracks only name work that is counted already (gpu_user_annotation)"},
    {"python_function", "events are Python frames (python_function)"},
    {"category_not_read", "complete events have a category that is not read"},
    {"time_missing", "complete events have no ts or no dur"},
    {"time_not_a_number", "complete events have a ts or dur that is no number"},
    {"time_out_of_range", "complete events have a ts or dur beyond 146 years"},
    {"duration_negative", "complete events end before they begin"},
    {"name_missing", "events have no name; they are counted under an empty one"},
    {"name_not_utf8", "names hold bytes that are no UTF-8; these are shown replaced"},
    {"runtime_call_without_correlation",
     "runtime calls have no correlation and launch nothing"},
    {"too_many_streams",
     "GPU activities lie on streams behind the first 16 million of the file"},
    {"row_time_missing", "rows have no start or no end"},
    {"row_time_out_of_range", "rows have a time beyond 73 years"},
    {"row_ends_before_it_begins", "rows end before they begin"},
    {"row_name_unknown",
     "names are numbers that StringIds does not have; they are shown as #number"},
    {"row_correlation_unusable",
     "runtime calls have no correlation or no thread and launch nothing"},
    {"nvtx_range_never_closed",
     "NVTX ranges were never closed; they count until the last event"},
    {"nvtx_no_range", "NVTX rows are no ranges (marks, names of categories and threads)"},
    {"nvtx_no_thread", "NVTX ranges have no thread"},
    {"line_of_other_report", "lines belong to other reports or only tell of progress"},
    {"line_time_unusable", "rows have a time or a count that is no number"},
    {"line_of_tool_error", "lines tell of failures of the tool; launches may be missing"},
    {"row_cut_off", "rows are cut off: the tool may have died while it wrote them"},
    {"metric_without_value", "metrics have no value (n/a, no data, nan, inf)"},
};
static_assert(std::size(kTexts) == static_cast<size_t>(ImportCounter::kCount));

}  // namespace

std::span<const ImportCounterText> ImportCounterTexts() { return kTexts; }

const ImportCounterText& TextOf(ImportCounter counter) {
  return kTexts[static_cast<size_t>(counter)];
}

}  // namespace ridgeline::results
