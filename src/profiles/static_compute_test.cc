#include "profiles/static_compute.h"

#include <gtest/gtest.h>

namespace ridgeline::profiles {
namespace {

TEST(StaticCosts, AreARowForEveryPhaseAndThePage) {
  results::ResultStore store;
  store.sources.push_back({.file = "earlier"});
  const Status imported = ImportStaticCosts(R"({
    "schema_version": 2,
    "end_to_end": {"roofline": {"bound": "unknown"}},
    "phases": {"decode": {
      "flops": {"matrix": {"executed": 8, "useful": 6}, "total": {"executed": 9}},
      "bytes": {"compulsory": 4, "total": null},
      "roofline": {"compute_s": 2e-9, "memory_s": null, "bound": "compute"}}}})",
                                            {.file = "static_compute.json"}, store);
  ASSERT_TRUE(imported.ok()) << imported.error().message();
  ASSERT_EQ(store.sources.size(), 2);
  EXPECT_EQ(store.sources[1].format, "static_costs");
  ASSERT_EQ(store.phase_costs.size(), 2);
  const results::PhaseCost& decode = store.phase_costs[0];
  EXPECT_EQ(decode.source, 1);
  EXPECT_EQ(decode.phase, "decode");
  EXPECT_EQ(decode.flops_matrix, 8);
  EXPECT_EQ(decode.flops_matrix_useful, 6);
  EXPECT_EQ(decode.flops_total, 9);
  EXPECT_EQ(decode.bytes_compulsory, 4);
  EXPECT_FALSE(decode.bytes_total);
  EXPECT_DOUBLE_EQ(*decode.roofline_compute_ns, 2);
  EXPECT_FALSE(decode.roofline_memory_ns);
  EXPECT_EQ(decode.bound, "compute");
  EXPECT_EQ(store.phase_costs[1].phase, "end_to_end");
}

TEST(StaticCosts, AddNothingIfSomethingIsWrong) {
  for (const char* const json :
       {"", "[]", R"({"schema_version": 3})", R"({"schema_version": 1})",
        R"({"schema_version": 2, "end_to_end": {}, "phases": []})",
        R"({"schema_version": 2, "end_to_end": {}, "phases": {}})",
        R"({"schema_version": 2, "end_to_end": 7, "phases": {"decode": {}}})"}) {
    results::ResultStore store;
    EXPECT_FALSE(ImportStaticCosts(json, {.file = "s"}, store).ok()) << json;
    EXPECT_TRUE(store.phase_costs.empty() && store.sources.empty()) << json;
  }
}

TEST(StaticCompute, ReadsTheNamesOfVersion1) {
  const auto read = ParseStaticCompute(
      R"({"schema_version": 1,
          "roofs": {"device": "L4", "compute_flops_per_s": 8},
          "shapes": {"page": {"width": 1}},
          "page": {"flops": {"matrix": {"executed": 8, "ideal": 6}},
                   "bytes": {"unavoidable": 4},
                   "lower_bound": {"compute_s": 2e-9, "bound": "compute"}},
          "phases": {}})",
      "s");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read.value().device, "L4");
  ASSERT_EQ(read.value().costs.size(), 1);
  const results::PhaseCost& whole = read.value().costs[0];
  EXPECT_EQ(whole.phase, "end_to_end");
  EXPECT_EQ(whole.flops_matrix_useful, 6);
  EXPECT_EQ(whole.bytes_compulsory, 4);
  EXPECT_DOUBLE_EQ(*whole.roofline_compute_ns, 2);
}

}  // namespace
}  // namespace ridgeline::profiles
