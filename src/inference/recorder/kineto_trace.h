#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"
#include "inference/recorder/op_recorder.h"

namespace ridgeline::inference {

// What libtorch's own profiler writes of `work`, kernels of the GPU included: the text of
// its trace. An error if this libtorch was built without Kineto, as Debian's is; `work`
// has then been done or not. `scratch` is written and removed again.
Result<std::string> KinetoTrace(const RecorderOptions& options,
                                const std::filesystem::path& scratch,
                                const std::function<Status()>& work);

}  // namespace ridgeline::inference
