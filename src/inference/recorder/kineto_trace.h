#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"
#include "inference/recorder/op_recorder.h"

namespace ridgeline::inference {

// Trace of `work` by libtorch's own profiler, including GPU kernels, as text. Fails if
// this libtorch was built without Kineto, like Debian's; `work` may or may not have run
// then. `scratch` is written and removed.
Result<std::string> KinetoTrace(const RecorderOptions& options,
                                const std::filesystem::path& scratch,
                                const std::function<Status()>& work);

}  // namespace ridgeline::inference
