#include "hardware/gpu_peaks.h"
#include "inference/device.h"
#include "inference/device_peaks.h"
#include "inference/tasks.h"
#include "os/files.h"

namespace ridgeline::inference {
namespace {

Result<inference::DeviceChoice> Choose(const Options& options) {
  return inference::ChooseDevice(options.session.device, options.session.dtype);
}

}  // namespace

bool RunsOnGpu(const Options& options) {
  const Result<inference::DeviceChoice> choice = Choose(options);
  return choice.ok() && choice.value().device.is_cuda();
}

Status MeasurePeaks(const Options& options, const RunPlace& place) {
  hardware::GpuPeaks peaks = {.device = options.session.device};
  if (RunsOnGpu(options)) {
    peaks = MeasureDevice(Choose(options).value().device);
  } else {
    peaks.reason = at::hasCUDA() ? "device=" + options.session.device +
                                       " is not a GPU of this machine"
                                 : "no CUDA device";
  }
  return os::WriteFileAtomically(place.output / hardware::kGpuPeaksFile, ToJson(peaks));
}

}  // namespace ridgeline::inference
