#include <gtest/gtest.h>

#include "report/sections/run_report_parts.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;

results::ResultStore StoreOfTwoSources() {
  results::ResultStore store;
  store.sources.push_back({.file = "a.sqlite"});
  store.sources.push_back({.file = "b.sqlite"});
  store.devices.push_back({.source = 0, .label = "0"});
  store.devices.push_back({.source = 0, .label = "1"});
  store.devices.push_back({.source = 1, .label = "0"});
  const auto add = [&store](results::DeviceId device, const char* name, int64_t count,
                            int64_t time_ns) {
    store.kernel_totals.push_back({.device = device,
                                   .name = store.names.Intern(name),
                                   .count = count,
                                   .time_total_ns = time_ns});
  };
  add(0, "cpy_f32_f16", 2, 1'000);
  add(0, "ampere_sgemm_32x32_nn", 1, 4'000);
  add(1, "ampere_sgemm_32x32_nn", 1, 2'000);
  add(1, "volta_sgemm_64x64_tn", 3, 1'000);
  add(2, "mine", 1, 0);
  return store;
}

TEST(KernelKindsTest, AddsUpDevicesOfASource) {
  EXPECT_EQ(KernelKindsJson(StoreOfTwoSources()), Json::parse(R"([
    {"source": "a.sqlite", "kind": "gemm", "kernels": 2, "launches": 5,
     "total_s": 7e-06, "share": 0.875},
    {"source": "a.sqlite", "kind": "copy", "kernels": 1, "launches": 2,
     "total_s": 1e-06, "share": 0.125},
    {"source": "b.sqlite", "kind": "other", "kernels": 1, "launches": 1,
     "total_s": 0.0, "share": null}])"));
}

TEST(KernelKindsTest, IsEmptyWithoutKernels) {
  EXPECT_EQ(KernelKindsJson({}), Json::array());
}

}  // namespace
}  // namespace ridgeline::report
