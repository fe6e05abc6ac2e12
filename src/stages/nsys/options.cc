#include "stages/nsys/options.h"

#include <algorithm>
#include <charconv>

#include "config/reader.h"
#include "pipeline/text_list.h"
#include "stages/shared/capture_limits.h"

namespace ridgeline::stages {

bool NsysOptions::IsGated() const {
  return capture_range != "none" && !capture_range.empty() &&
         (capture_range != "nvtx" || gating_nvtx);
}

bool NsysOptions::EndsTheProgram() const {
  return IsGated() && (capture_range_end.empty() ||
                       capture_range_end.find("shutdown") != std::string::npos);
}

int NsysOptions::RepeatCount() const {
  const size_t colon = capture_range_end.find(':');
  if (!Repeats() || colon == std::string::npos) return 0;
  int count = 0;
  std::from_chars(capture_range_end.data() + colon + 1,
                  capture_range_end.data() + capture_range_end.size(), count);
  return count;
}

bool NsysOptions::Traces(std::string_view source) const {
  return std::find(trace.begin(), trace.end(), source) != trace.end();
}

bool NsysOptions::RecordsNvtx() const {
  return Traces("nvtx") || WaitsForNvtx() || MentionNvtx(extra_args);
}

config::Result<NsysOptions> ReadNsysOptions(const pipeline::StageConfig& config) {
  NsysOptions options;
  config::Reader reader(config.workspace, config.section);
  reader.IgnoreOthers();
  const auto text = [&reader](std::string_view key, std::string& target) {
    std::optional<std::string> value;
    reader.ReadOptional(key, value);
    if (value) target = *value;
  };
  const auto list = [&](std::string_view key, std::vector<std::string>& target) {
    target = pipeline::ReadTextList(reader, config.workspace, key);
  };
  if (reader.ReadNode("trace") != nullptr) list("trace", options.trace);
  text("sample", options.sample);
  text("cpuctxsw", options.cpuctxsw);
  reader.ReadOptional("gating_nvtx", options.gating_nvtx);
  reader.ReadOptional("nvtx_dry_run", options.nvtx_dry_run);
  reader.ReadOptional("redact_env", options.redact_env);
  RIDGELINE_TRY(options.limits, ReadCaptureLimits(config, reader));
  text("capture_range", options.capture_range);
  text("capture_range_end", options.capture_range_end);
  options.nvtx_capture =
      pipeline::ReadTextOrList(reader, config.workspace, "nvtx_capture");
  list("nvtx_domain_include", options.nvtx_domain_include);
  list("nvtx_domain_exclude", options.nvtx_domain_exclude);
  text("cuda_graph_trace", options.cuda_graph_trace);
  list("gpu_metrics", options.gpu_metrics);
  reader.ReadOptional("force_overwrite", options.force_overwrite);
  list("extra_args", options.extra_args);
  RIDGELINE_RETURN_IF_ERROR(reader.Finish());
  options.limits.records_nvtx = options.RecordsNvtx();
  return options;
}

}  // namespace ridgeline::stages
