#include "report/summaries/json_parts.h"

#include <utility>

namespace ridgeline::summaries {
namespace {

using analysis::DurationStats;
using Json = nlohmann::ordered_json;

Json CommunicationJson(const results::DeviceTime& time) {
  const int64_t overlap_ns = time.communication_ns - time.communication_exposed_ns;
  return {{"kernels", time.communication_count},
          {"time_total_ns", time.communication_total_ns},
          {"union_ns", time.communication_ns},
          {"overlap_with_compute_ns", overlap_ns},
          {"overlap_share", ShareOf(overlap_ns, time.communication_ns)},
          {"exposed_ns", time.communication_exposed_ns},
          {"suspected_kernels", time.communication_suspected_count},
          {"suspected_time_total_ns", time.communication_suspected_total_ns}};
}

}  // namespace

double ShareOf(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

Json StatsJson(const std::optional<DurationStats>& stats) {
  if (!stats) return {};
  return {{"count", stats->count},     {"total_ns", stats->total_ns},
          {"mean_ns", stats->mean_ns}, {"median_ns", stats->median_ns},
          {"min_ns", stats->min_ns},   {"max_ns", stats->max_ns}};
}

Json DeviceTimeJson(const results::DeviceTime& time) {
  return {{"activities", time.activity_count},
          {"streams", time.stream_count},
          {"first_start_ns", time.first_start_ns},
          {"last_end_ns", time.last_end_ns},
          {"span_ns", time.span_ns},
          {"busy_ns", time.busy_ns},
          {"busy_kernels_ns", time.busy_kernels_ns},
          {"idle_ns", time.idle_ns},
          {"gaps", time.gap_count},
          {"gap_max_ns", time.gap_max_ns},
          {"compute_union_ns", time.compute_ns},
          {"memory_union_ns", time.memory_ns},
          {"memory_exposed_ns", time.memory_exposed_ns},
          {"communication", CommunicationJson(time)},
          {"launched_inside_trace_only",
           {{"activities", time.launched_inside_count},
            {"span_ns", time.launched_inside_span_ns},
            {"busy_ns", time.launched_inside_busy_ns},
            {"idle_ns", time.launched_inside_idle_ns}}}};
}

Json LaunchJson(const analysis::LaunchDelays& launch) {
  return {{"runtime_calls_with_correlation", launch.runtime_calls_with_correlation},
          {"duplicate_correlations", launch.duplicate_correlations},
          {"kernels_matched", launch.kernels_matched},
          {"kernels_unmatched", launch.kernels_unmatched},
          {"call_start_to_kernel_start", StatsJson(launch.start_to_start)},
          {"call_end_to_kernel_start", StatsJson(launch.end_to_start)},
          {"negative_start_to_start", launch.negative_start_to_start}};
}

Json LeftOutJson(const results::ImportCounts& left_out) {
  Json list = Json::array();
  for (size_t i = 0; i < results::ImportCounterTexts().size(); ++i) {
    const auto counter = static_cast<results::ImportCounter>(i);
    if (left_out.Get(counter) == 0) continue;
    list.push_back({{"name", TextOf(counter).name},
                    {"count", left_out.Get(counter)},
                    {"sentence", TextOf(counter).sentence}});
  }
  return list;
}

}  // namespace ridgeline::summaries
