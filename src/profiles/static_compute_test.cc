#include "profiles/static_compute.h"

#include <gtest/gtest.h>

namespace ridgeline::profiles {
namespace {

TEST(StaticCosts, AreARowForEveryPhaseAndThePage) {
  results::ResultStore store;
  store.sources.push_back({.file = "earlier"});
  const Status imported = ImportStaticCosts(R"({
    "schema_version": 1,
    "page": {"lower_bound": {"bound": "unknown"}},
    "phases": {"decode": {
      "flops": {"matrix": {"executed": 8, "ideal": 6}, "total": {"executed": 9}},
      "bytes": {"unavoidable": 4, "total": null},
      "lower_bound": {"compute_s": 2e-9, "memory_s": null, "bound": "compute"}}}})",
                                            {.file = "static_compute.json"}, store);
  ASSERT_TRUE(imported.ok()) << imported.error().message();
  ASSERT_EQ(store.sources.size(), 2);
  EXPECT_EQ(store.sources[1].format, "static_costs");
  ASSERT_EQ(store.phase_costs.size(), 2);
  const results::PhaseCost& decode = store.phase_costs[0];
  EXPECT_EQ(decode.source, 1);
  EXPECT_EQ(decode.phase, "decode");
  EXPECT_EQ(decode.flops_matrix, 8);
  EXPECT_EQ(decode.flops_matrix_ideal, 6);
  EXPECT_EQ(decode.flops_total, 9);
  EXPECT_EQ(decode.bytes_unavoidable, 4);
  EXPECT_FALSE(decode.bytes_total);
  EXPECT_DOUBLE_EQ(*decode.least_compute_ns, 2);
  EXPECT_FALSE(decode.least_memory_ns);
  EXPECT_EQ(decode.bound, "compute");
  EXPECT_EQ(store.phase_costs[1].phase, "page");
}

TEST(StaticCosts, AddNothingIfSomethingIsWrong) {
  for (const char* const json :
       {"", "[]", R"({"schema_version": 2})", R"({"schema_version": 1})",
        R"({"schema_version": 1, "page": {}, "phases": []})",
        R"({"schema_version": 1, "page": {}, "phases": {}})",
        R"({"schema_version": 1, "page": 7, "phases": {"decode": {}}})"}) {
    results::ResultStore store;
    EXPECT_FALSE(ImportStaticCosts(json, {.file = "s"}, store).ok()) << json;
    EXPECT_TRUE(store.phase_costs.empty() && store.sources.empty()) << json;
  }
}

}  // namespace
}  // namespace ridgeline::profiles
