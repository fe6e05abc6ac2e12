#include "inference/device_peaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>

#include "inference/device.h"
#include "inference/torch_errors.h"
#include "inference/torch_versions.h"

namespace ridgeline::inference {
namespace {

using hardware::GpuPeaks;
using hardware::GpuRate;
using Work = std::function<void()>;

constexpr int kMaxRepeats = 1000;

double SecondsOf(const Work& work, int times, at::Device device) {
  WaitFor(device);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) work();
  WaitFor(device);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return std::max(took.count(), 1e-9);
}

// `amount`: FLOPs or bytes of one call of `work`. The first call is not timed: libraries
// load kernels and memory is allocated.
GpuRate RateOf(const Work& work, double amount, at::Device device,
               const MeasurePlan& plan) {
  work();
  const double once_s = SecondsOf(work, 1, device);
  const int times =
      static_cast<int>(std::clamp(plan.round_s / once_s, 1.0, double{kMaxRepeats}));
  GpuRate rate;
  for (int round = 0; round < plan.rounds; ++round) {
    const double per_s = amount * times / SecondsOf(work, times, device);
    rate.best_per_s = std::max(rate.best_per_s, per_s);
    rate.worst_per_s = round == 0 ? per_s : std::min(rate.worst_per_s, per_s);
  }
  return rate;
}

Result<GpuRate> MeasureProduct(at::ScalarType dtype, int64_t side, at::Device device,
                               const MeasurePlan& plan) {
  return CatchTorch("product", [&]() -> Result<GpuRate> {
    const auto options = at::TensorOptions().device(device);
    // Zeros would draw less power, and a power-limited device would look faster.
    const at::Tensor a = at::rand({side, side}, options).to(dtype);
    const at::Tensor b = at::rand({side, side}, options).to(dtype);
    at::Tensor c = at::empty({side, side}, options.dtype(dtype));
    const double flops = 2.0 * static_cast<double>(side) * static_cast<double>(side) *
                         static_cast<double>(side);
    GpuRate rate = RateOf([&] { at::mm_out(c, a, b); }, flops, device, plan);
    rate.what = fmt::format("GEMM {0} x {0}, best of {1} rounds", side, plan.rounds);
    return rate;
  });
}

Result<GpuRate> MeasureCopy(at::Device device, const MeasurePlan& plan) {
  return CatchTorch("copy", [&]() -> Result<GpuRate> {
    const auto options = at::TensorOptions().device(device).dtype(at::kByte);
    const at::Tensor from = at::ones({plan.copy_bytes}, options);
    at::Tensor to = at::empty({plan.copy_bytes}, options);
    const double bytes = 2.0 * static_cast<double>(plan.copy_bytes);
    GpuRate rate = RateOf([&] { to.copy_(from); }, bytes, device, plan);
    rate.name = "copy";
    rate.what = fmt::format("device copy of {} bytes, best of {} rounds", plan.copy_bytes,
                            plan.rounds);
    return rate;
  });
}

struct NamedType {
  const char* name;
  at::ScalarType dtype;
};
constexpr std::array kTypes = {NamedType{"bf16", at::kBFloat16},
                               NamedType{"fp16", at::kHalf},
                               NamedType{"fp32", at::kFloat}};

}  // namespace

hardware::GpuPeaks MeasureDevice(at::Device device, const MeasurePlan& plan) {
  const at::NoGradGuard no_gradients;
  GpuPeaks rates = {.device = device.str()};
  for (const NamedType& type : kTypes) {
    GpuRate best = {.name = type.name};
    for (const int64_t side : plan.sides) {
      Result<GpuRate> rate = MeasureProduct(type.dtype, side, device, plan);
      if (!rate.ok()) {
        rates.left_out.push_back(
            fmt::format("{}, side {}: {}", type.name, side, rate.error().message()));
        continue;
      }
      if (rate.value().best_per_s <= best.best_per_s) continue;
      best = std::move(rate).value();
      best.name = type.name;
    }
    if (best.best_per_s > 0) rates.products.push_back(std::move(best));
  }
  Result<GpuRate> copy = MeasureCopy(device, plan);
  if (copy.ok()) {
    rates.copy = std::move(copy).value();
  } else {
    rates.left_out.push_back(copy.error().message());
  }
  return rates;
}

}  // namespace ridgeline::inference
