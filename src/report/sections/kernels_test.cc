#include <gtest/gtest.h>

#include "report/sections/sections.h"

namespace ridgeline::report {
namespace {

using analysis::KernelKind;

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
  struct Want {
    const char* source;
    KernelKind kind;
    int64_t kernels;
    int64_t launches;
    double total_s;
    OptionalNumber share;
  };
  const Want wanted[] = {{"a.sqlite", KernelKind::kGemm, 2, 5, 7e-6, 0.875},
                         {"a.sqlite", KernelKind::kCopy, 1, 2, 1e-6, 0.125},
                         {"b.sqlite", KernelKind::kOther, 1, 1, 0, std::nullopt}};
  const std::vector<KernelKindRow> rows = MakeKernelKinds(StoreOfTwoSources());
  ASSERT_EQ(rows.size(), std::size(wanted));
  for (size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(rows[i].source, wanted[i].source);
    EXPECT_EQ(rows[i].kind, wanted[i].kind);
    EXPECT_EQ(rows[i].kernels, wanted[i].kernels);
    EXPECT_EQ(rows[i].launches, wanted[i].launches);
    EXPECT_DOUBLE_EQ(rows[i].total_s, wanted[i].total_s);
    EXPECT_EQ(rows[i].share, wanted[i].share);
  }
}

TEST(KernelKindsTest, IsEmptyWithoutKernels) { EXPECT_TRUE(MakeKernelKinds({}).empty()); }

}  // namespace
}  // namespace ridgeline::report
