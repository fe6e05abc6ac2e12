#include "inference/recorder/kineto_trace.h"

#include <torch/csrc/autograd/profiler_kineto.h>

#include "inference/torch_errors.h"
#include "os/files.h"
#include "os/owned_directory.h"

namespace ridgeline::inference {
namespace {

namespace profiler = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;
using torch::profiler::impl::ProfilerConfig;
using torch::profiler::impl::ProfilerState;

// Stops the profiler even if `work` fails.
Result<std::unique_ptr<profiler::ProfilerResult>> RunProfiled(
    const ProfilerConfig& config, const std::function<Status()>& work) {
  const std::set<ActivityType> activities = {ActivityType::CPU, ActivityType::CUDA};
  profiler::prepareProfiler(config, activities);
  profiler::enableProfiler(config, activities);
  const Status done = work();
  std::unique_ptr<profiler::ProfilerResult> result = profiler::disableProfiler();
  if (!done.ok()) return Error(done.error());
  return result;
}

}  // namespace

Result<std::string> KinetoTrace(const RecorderOptions& options,
                                const std::filesystem::path& scratch,
                                const std::function<Status()>& work) {
  const ProfilerConfig config(ProfilerState::KINETO, options.shapes, options.memory,
                              options.stacks, /*with_flops=*/options.shapes);
  Status saved = CatchTorch("libtorch's profiler", [&]() -> Status {
    RIDGELINE_TRY(const auto result, RunProfiled(config, work));
    result->save(scratch.string());
    return Ok();
  });
  if (!saved.ok()) {
    return Error(ErrorCode::kUnsupported,
                 "this libtorch cannot trace kernels (built without Kineto?): " +
                     saved.error().message());
  }
  RIDGELINE_TRY(std::string text, os::ReadFile(scratch));
  RIDGELINE_RETURN_IF_ERROR(os::OwnedDirectory(scratch.parent_path()).Remove(scratch));
  return text;
}

}  // namespace ridgeline::inference
