#include "inference/device.h"

#include <ATen/Parallel.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <limits>
#include <thread>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "inference/torch_errors.h"
#include "os/env.h"

namespace ridgeline::inference {
namespace {

Result<at::ScalarType> ScalarTypeOf(const std::string& dtype) {
  if (dtype == "fp32" || dtype == "float32") return at::kFloat;
  if (dtype == "fp16" || dtype == "float16") return at::kHalf;
  if (dtype == "bf16" || dtype == "bfloat16") return at::kBFloat16;
  return Error(ErrorCode::kConfig, "model.dtype: unsupported dtype '" + dtype + "'");
}

}  // namespace

Result<DeviceChoice> ChooseDevice(const std::string& device, const std::string& dtype) {
  RIDGELINE_TRY(const at::ScalarType wanted, ScalarTypeOf(dtype));
  const bool has_cuda = at::hasCUDA();
  if (device == "cpu" || (device == "auto" && !has_cuda)) return DeviceChoice{};
  if (!has_cuda) {
    return Error(
        ErrorCode::kUnsupported,
        "device=" + device +
            ": libtorch finds no GPU; use device=cpu, or see `ridgeline doctor`");
  }
  return CatchTorch("device", [&]() -> Result<DeviceChoice> {
    DeviceChoice choice;
    choice.device = at::Device(device == "auto" ? "cuda:0" : device);
    choice.dtype = wanted;
    // Fails early, with libtorch's message, if there is no such device.
    at::empty({1}, at::TensorOptions().device(choice.device));
    return choice;
  });
}

void WaitFor(at::Device device) {
  if (device.is_cpu()) return;
  const c10::impl::VirtualGuardImpl guard(device.type());
  guard.synchronizeStream(guard.getStream(device));
}

void PrepareCpu() {
#if defined(__GLIBC__)
  // malloc would mmap activations of these sizes every time, and the kernel would zero
  // every page: half the time of a pass for small models.
  mallopt(M_MMAP_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
  if (os::GetEnv("OMP_NUM_THREADS")) return;
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  at::set_num_threads(static_cast<int>(threads));
}

}  // namespace ridgeline::inference
