#include <fmt/format.h>

#include <algorithm>

#include "profiles/kernel_pattern.h"
#include "stages/ncu/ncu.h"
#include "stages/shared/file_name.h"

namespace ridgeline::stages {
namespace {

std::vector<NcuJob> JobPerRange(const NcuOptions& options) {
  std::vector<NcuJob> jobs;
  for (const std::string& expression : options.nvtx_include) {
    NcuJob job = {options, "", ""};
    job.options.nvtx_include = {expression};
    std::string label = AsFileName(RangeLabel(expression));
    const auto is_taken = [&label](const NcuJob& other) {
      return other.suffix == "." + label;
    };
    while (std::any_of(jobs.begin(), jobs.end(), is_taken)) label += "_";
    job.base = "regions/" + label + "/run";
    job.suffix = "." + label;
    jobs.push_back(std::move(job));
  }
  return jobs;
}

std::vector<NcuJob> JobPerKernel(const NcuOptions& options,
                                 const NcuSelection& selection) {
  std::vector<NcuJob> jobs;
  for (const pipeline::KernelTime& kernel : selection.kernels) {
    const std::string suffix = fmt::format(".{:04}", jobs.size() + 1);
    NcuJob job = {options, "run" + suffix, suffix};
    job.options.kernel_name = "regex:" + profiles::NcuNamePattern(kernel.name);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

}  // namespace

std::vector<NcuAttempt> AttemptsOf(const NcuOptions& options, int64_t passes) {
  std::vector<NcuAttempt> attempts = {{options, {}}};
  const auto drop = [&attempts](const std::string& what, auto change) {
    NcuAttempt next = attempts.back();
    change(next.options);
    next.dropped.push_back(what);
    attempts.push_back(std::move(next));
  };
  if (!options.kernel_name.empty() || options.launch_skip) {
    drop("the kernel selection", [passes](NcuOptions& o) {
      o.kernel_name.clear();
      o.launch_skip.reset();
      if (!ReplaysRanges(o)) o.sampled_launches = SampledLaunches({}, o, passes);
    });
  }
  // Range replay makes no sense without ranges.
  if (options.IsGated() && !ReplaysRanges(options)) {
    drop(fmt::format("nvtx.include ({})", fmt::join(options.nvtx_include, ", ")),
         [](NcuOptions& o) { o.gating_nvtx = false; });
  }
  if (!options.set.empty() || !options.sections.empty()) {
    drop("set and sections", [](NcuOptions& o) {
      o.set.clear();
      o.sections.clear();
    });
  }
  if (!options.metrics.empty()) {
    drop("metrics", [](NcuOptions& o) { o.metrics.clear(); });
  }
  return attempts;
}

bool ReplaysRanges(const NcuOptions& options) {
  return options.replay_mode == "range" || options.replay_mode == "app-range";
}

std::string RangeLabel(const std::string& expression) {
  std::string label = expression.substr(expression.find('@') + 1);  // npos + 1 is 0.
  label.erase(std::remove_if(label.begin(), label.end(),
                             [](char c) { return c == '/' || c == '[' || c == ']'; }),
              label.end());
  return label;
}

std::vector<std::string> RangesOf(const NcuOptions& options) {
  std::vector<std::string> ranges;
  if (!options.IsGated()) return ranges;
  for (std::string expression : options.nvtx_include) {
    if (expression.starts_with("regex:")) return {};
    while (expression.ends_with('/')) expression.pop_back();
    ranges.push_back(RangeLabel(expression.substr(expression.rfind('/') + 1)));
  }
  return ranges;
}

std::vector<NcuJob> JobsOf(const NcuOptions& options, const NcuSelection& selection) {
  if (ReplaysRanges(options) && options.IsGated()) return JobPerRange(options);
  const bool counts = options.launch_count || options.launch_skip;
  if (counts && selection.kernels.size() > 1) return JobPerKernel(options, selection);
  return {{options, "run", ""}};
}

}  // namespace ridgeline::stages
