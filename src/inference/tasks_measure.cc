#include <nlohmann/json.hpp>

#include "base/json.h"
#include "inference/device.h"
#include "inference/device_peaks.h"
#include "inference/tasks.h"
#include "os/files.h"

namespace ridgeline::inference {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kRoofsVersion = 1;

Json RateJson(const inference::DeviceRate& rate, const char* unit) {
  return {{"name", rate.name},
          {unit, rate.best_per_s},
          {"worst", rate.worst_per_s},
          {"what", rate.what}};
}

std::string ToJson(const inference::DeviceRates& rates, const Json& why) {
  Json json = {{"schema_version", kRoofsVersion},
               {"device", rates.device},
               {"why", why},
               {"arithmetic", Json::array()},
               {"memory", nullptr},
               {"left_out", rates.left_out}};
  for (const inference::DeviceRate& rate : rates.products) {
    json["arithmetic"].push_back(RateJson(rate, "flops_per_s"));
  }
  if (rates.copy) json["memory"] = RateJson(*rates.copy, "bytes_per_s");
  return DumpJson(json, 1) + "\n";
}

Result<inference::DeviceChoice> Choose(const Options& options) {
  return inference::ChooseDevice(options.session.device, options.session.dtype);
}

}  // namespace

bool RunsOnGpu(const Options& options) {
  const Result<inference::DeviceChoice> choice = Choose(options);
  return choice.ok() && choice.value().device.is_cuda();
}

Status MeasureRoofs(const Options& options, const RunPlace& place) {
  inference::DeviceRates rates = {.device = options.session.device};
  Json why = at::hasCUDA()
                 ? "device=" + options.session.device + " is not a GPU of this machine"
                 : "no CUDA device";
  if (RunsOnGpu(options)) {
    rates = inference::MeasureDevice(Choose(options).value().device);
    why = nullptr;
  }
  return os::WriteFileAtomically(place.output / "measured_roofs.json",
                                 ToJson(rates, why));
}

}  // namespace ridgeline::inference
