#include "results/drop_reason.h"

namespace ridgeline::results {
namespace {

constexpr bool kLoss = true;

constexpr DropReasonText kTexts[] = {
    {"element_not_an_object", "elements of traceEvents that are not objects", kLoss},
    {"metadata_event", "metadata events (phase M): names of processes and threads"},
    {"flow_event",
     "flow events (phases s, t, f); launches are matched by correlation id"},
    {"instant_event", "instant events (phases i, I)"},
    {"phase_unknown", "events with an unsupported phase"},
    {"gpu_annotation",
     "annotations on GPU tracks (gpu_user_annotation); their work is counted already"},
    {"python_function", "Python frames (python_function)"},
    {"category_not_read", "complete events with an unsupported category"},
    {"time_missing", "complete events without ts or dur", kLoss},
    {"time_not_a_number", "complete events with a non-numeric ts or dur", kLoss},
    {"time_out_of_range", "complete events with a ts or dur beyond 146 years", kLoss},
    {"duration_negative", "complete events with a negative duration", kLoss},
    {"name_missing", "events without a name; kept under an empty name"},
    {"name_not_utf8", "names with invalid UTF-8; kept, shown with U+FFFD"},
    {"runtime_call_without_correlation",
     "runtime calls without a correlation id; not matched to launches"},
    {"too_many_streams", "GPU activities beyond the first 16 million streams of the file",
     kLoss},
    {"row_time_missing", "rows without start or end", kLoss},
    {"row_time_out_of_range", "rows with a time beyond 73 years", kLoss},
    {"row_ends_before_it_begins", "rows that end before they start", kLoss},
    {"row_name_unknown", "names missing from StringIds; kept, shown as #number"},
    {"row_correlation_unusable",
     "runtime calls without a correlation id or thread; not matched to launches"},
    {"nvtx_range_never_closed",
     "NVTX ranges never closed; kept, extended to the last event"},
    {"nvtx_no_range",
     "NVTX rows other than ranges (marks, names of categories and threads)"},
    {"nvtx_no_thread", "NVTX ranges without a thread", kLoss},
    {"nvtx_too_deep",
     "NVTX ranges nested deeper than 64 levels; kept, shown on level 64 (pushes without "
     "a pop?)"},
    {"nvtx_too_many_open",
     "NVTX start/end ranges with more than 64 later ones open; GPU work launched after "
     "that is not counted in them"},
    {"line_of_other_report", "lines of other reports or of progress output"},
    {"line_time_unusable", "rows with a non-numeric time or count", kLoss},
    {"line_time_out_of_range",
     "rows with a negative time or count, or one that is too large", kLoss},
    {"line_of_tool_error", "error messages of the tool; launches may be missing", kLoss},
    {"row_cut_off", "truncated rows; the tool may have been killed while writing", kLoss},
    {"metric_without_value", "metrics without a value (n/a, no data, nan, inf)"},
    {"flops_too_large",
     "calls or regions with FLOPs beyond 2^63 (damaged shapes?); not counted", kLoss},
};
static_assert(std::size(kTexts) == static_cast<size_t>(DropReason::kCount));

}  // namespace

std::span<const DropReasonText> DropReasonTexts() { return kTexts; }

const DropReasonText& TextOf(DropReason counter) {
  return kTexts[static_cast<size_t>(counter)];
}

}  // namespace ridgeline::results
