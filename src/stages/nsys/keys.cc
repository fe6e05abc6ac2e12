#include <algorithm>

#include "pipeline/config_values.h"
#include "stages/nsys/nsys.h"

namespace ridgeline::stages {
namespace {

using pipeline::ConfigKey;
using enum pipeline::ValueKind;

// Trace sources of nsys 2022 to 2025; newer ones can be given in extra_args.
constexpr std::string_view kTraceSources =
    "cuda|cuda-hw|cuda-sw|nvtx|osrt|cublas|cublas-verbose|cudnn|cudla|cudla-verbose|"
    "cusparse|cusparse-verbose|cusolver|cusolver-verbose|mpi|ucx|oshmem|openacc|openmp|"
    "opengl|opengl-annotations|vulkan|vulkan-annotations|nvvideo|python-gil|gds|syscall|"
    "none";

// Empty is equivalent to null: the flag is not passed.
bool IsRangeEnd(std::string_view text) {
  for (std::string_view word : {"", "none", "stop", "stop-shutdown", "repeat"}) {
    if (text == word) return true;
  }
  for (std::string_view prefix : {"repeat:", "repeat-shutdown:"}) {
    if (!text.starts_with(prefix)) continue;
    const std::string_view count = text.substr(prefix.size());
    return !count.empty() && count != "0" && pipeline::IsCount(count);
  }
  return false;
}

constexpr std::string_view kRangeEnd =
    "none, stop, stop-shutdown, repeat[:N] or repeat-shutdown:N";

constexpr ConfigKey kNsysKeys[] = {
    {.path = "pipeline.nsys.trace",
     .kind = kTextOrList,
     .choices = kTraceSources,
     .otherwise = "cuda,nvtx"},
    {.path = "pipeline.nsys.sample",
     .choices = "none|cpu|process-tree|system-wide",
     .otherwise = "none"},
    {.path = "pipeline.nsys.cpuctxsw",
     .choices = "none|process-tree|system-wide",
     .otherwise = "none"},
    {.path = "pipeline.nsys.capture_range",
     .choices = "none|nvtx|cudaProfilerApi|hotkey",
     .otherwise = "none"},
    {.path = "pipeline.nsys.capture_range_end",
     .nullable = true,
     .accepts = IsRangeEnd,
     .expected = kRangeEnd},
    {.path = "pipeline.nsys.nvtx_capture", .kind = kTextOrList, .nullable = true},
    {.path = "pipeline.nsys.nvtx_domain_include",
     .kind = kTextOrList,
     .nullable = true,
     .otherwise = "null"},
    {.path = "pipeline.nsys.nvtx_domain_exclude",
     .kind = kTextOrList,
     .nullable = true,
     .otherwise = "null"},
    {.path = "pipeline.nsys.cuda_graph_trace",
     .nullable = true,
     .choices = "graph|node",
     .otherwise = "null"},
    {.path = "pipeline.nsys.gpu_metrics",
     .kind = kTextOrList,
     .nullable = true,
     .otherwise = "null"},
    {.path = "pipeline.nsys.force_overwrite", .kind = kBool, .otherwise = "true"},
    {.path = "pipeline.nsys.extra_args", .kind = kArguments, .otherwise = "[]"},
    {.path = "pipeline.nsys.enable", .kind = kBool, .otherwise = "false"},
    {.path = "pipeline.nsys.limits.samples",
     .kind = kInteger,
     .nullable = true,
     .min = 1,
     .otherwise = "1"},
    {.path = "pipeline.nsys.limits.repeats",
     .kind = kInteger,
     .nullable = true,
     .min = 1,
     .otherwise = "1"},
    {.path = "pipeline.nsys.limits.max_new_tokens",
     .kind = kInteger,
     .nullable = true,
     .min = 1,
     .otherwise = "512"},
    {.path = "pipeline.nsys.gating_nvtx", .kind = kBool, .otherwise = "true"},
    {.path = "pipeline.nsys.nvtx_dry_run", .kind = kBool, .otherwise = "true"},
    {.path = "pipeline.nsys.redact_env", .kind = kBool, .otherwise = "true"},
    {.path = "pipeline.nsys.timeout_s",
     .kind = kNumber,
     .nullable = true,
     .above = 0,
     .otherwise = "1800"},
};

// If nsys ends one rank, the others wait for it.
void CheckRangeEndOfRanks(pipeline::ConfigValues& values) {
  const std::string range = values.Text("pipeline.nsys.capture_range");
  const std::string end = values.Text("pipeline.nsys.capture_range_end");
  const bool ends_program =
      end.empty() || end == "stop-shutdown" || end.starts_with("repeat-shutdown");
  if (!values.Int("pipeline.workload.ranks.count") || range.empty() || range == "none" ||
      !values.IsTrue("pipeline.nsys.enable", false) || !ends_program) {
    return;
  }
  values.Fail(
      "pipeline.nsys.capture_range_end",
      "must be stop, none or repeat:N with pipeline.workload.ranks: nsys would end "
      "each rank at the end of its range, while others wait for it");
}

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

// Whether nvtx_capture names no range: '', [], or a list with a blank item.
bool NamesNoRange(const pipeline::ConfigValues& values) {
  constexpr const char* kCapture = "pipeline.nsys.nvtx_capture";
  const config::Node* const capture = values.Find(kCapture);
  if (capture == nullptr || !capture->is_list() || capture->size() == 0) {
    return IsBlank(values.Text(kCapture));
  }
  return std::any_of(capture->items.begin(), capture->items.end(),
                     [](const config::Node* item) {
                       return item->value.is_string() && IsBlank(item->value.string());
                     });
}

void CheckNsysValues(pipeline::ConfigValues& values) {
  const bool gated = values.IsTrue("pipeline.nsys.enable", false) &&
                     values.IsTrue("pipeline.nsys.gating_nvtx", true) &&
                     values.Text("pipeline.nsys.capture_range") == "nvtx";
  if (gated && NamesNoRange(values)) {
    values.Fail(
        "pipeline.nsys.nvtx_capture",
        "is empty, but capture_range=nvtx needs an NVTX range (prefill, decode, name@*)");
  }
  if (values.Find("pipeline.nsys.nvtx_domain_include") != nullptr &&
      values.Find("pipeline.nsys.nvtx_domain_exclude") != nullptr) {
    values.Fail("pipeline.nsys.nvtx_domain_exclude",
                "nvtx_domain_include and nvtx_domain_exclude are mutually exclusive");
  }
  CheckRangeEndOfRanks(values);
}

}  // namespace

pipeline::KeyGroup NsysKeys() { return {kNsysKeys, CheckNsysValues}; }

}  // namespace ridgeline::stages
