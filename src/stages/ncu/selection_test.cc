#include "stages/ncu/selection.h"

#include <gmock/gmock.h>

namespace ridgeline::stages {
namespace {

using pipeline::KernelTime;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<KernelTime> kKernels = {
    {"void gemm<float, (int)128>(float *, const int (&)[4])", 10, 600},
    {"softmax\\kernel[a, b]*", 5, 300},
    {"void copy(char *)", 2, 100},
};

std::vector<std::string> NamesOf(const NcuSelection& selection) {
  std::vector<std::string> names;
  for (const KernelTime& kernel : selection.kernels) {
    names.push_back(kernel.name.substr(0, kernel.name.find_first_of("<\\(")));
  }
  return names;
}

TEST(NcuSelectionTest, TakesTheLongestThatAreNotExcluded) {
  struct Case {
    const char* what;
    NcuOptions options;
    std::vector<std::string> names;
    double share;
  };
  const Case cases[] = {
      {"all", {}, {"void gemm", "softmax", "void copy"}, 1},
      {"two", {.top_kernels = 2}, {"void gemm", "softmax"}, 0.9},
      {"not one that is named",
       {.kernel_exclude = {"void copy(char *)"}},
       {"void gemm", "softmax"},
       0.9},
      {"not what a pattern finds",
       {.kernel_exclude = {"regex:gemm|soft"}},
       {"void copy"},
       0.1},
      {"as many as make up a share", {.plan_share = 0.85}, {"void gemm", "softmax"}, 0.9},
      // 10 launches of 10 passes of 10 ms each take a second; the others still fit.
      {"as many as the time allows",
       {.plan_budget_s = 0.8},
       {"softmax", "void copy"},
       0.4},
      {"as many as the time allows, of few launches",
       {.plan_budget_s = 0.8, .launch_count = 2},
       {"void gemm", "softmax", "void copy"},
       1},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<NcuSelection> selection = SelectKernels(kKernels, c.options, 10);
    ASSERT_TRUE(selection.ok()) << selection.error().message();
    EXPECT_EQ(NamesOf(selection.value()), c.names);
    EXPECT_NEAR(selection.value().share, c.share, 1e-9);
  }
}

TEST(NcuSelectionTest, IsEmptyWithoutKernels) {
  const Result<NcuSelection> selection = SelectKernels({}, {}, 10);
  ASSERT_TRUE(selection.ok());
  EXPECT_THAT(selection.value().filter, IsEmpty());
}

TEST(NcuSelectionTest, NamesABrokenPattern) {
  const Result<NcuSelection> selection =
      SelectKernels(kKernels, {.kernel_exclude = {"regex:(a"}}, 10);
  ASSERT_FALSE(selection.ok());
  EXPECT_THAT(selection.error().message(), HasSubstr("kernel_exclude"));
}

TEST(NcuSelectionTest, KeepsTheFilterShortEnoughForACommandLine) {
  std::vector<KernelTime> many;
  for (int i = 0; i < 30; ++i) {
    many.push_back({std::string(7000, 'k') + std::to_string(i), 1, 100});
  }
  const Result<NcuSelection> selection = SelectKernels(many, {}, 10);
  ASSERT_TRUE(selection.ok());
  EXPECT_LT(selection.value().filter.size(), size_t{128} << 10);
  EXPECT_GT(selection.value().kernels.size(), 5u);
}

TEST(NcuSelectionTest, ReadsBackItsOwnList) {
  const NcuSelection selection = SelectKernels(kKernels, {}, 10).value();
  const auto read = ReadKernelConfig(SelectionYaml(selection), "kernels.yaml");
  ASSERT_TRUE(read.ok()) << read.error().message();
  ASSERT_EQ(read.value().size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read.value()[i].name, kKernels[i].name);
    EXPECT_EQ(read.value()[i].launches, kKernels[i].launches);
    EXPECT_EQ(read.value()[i].time_ns, kKernels[i].time_ns);
  }
}

TEST(NcuSelectionTest, SaysWhatIsWrongWithAList) {
  for (const auto& [yaml, want] : {std::pair("[]", "missing list 'kernels'"),
                                   {"kernels: 3", "missing list 'kernels'"},
                                   {"kernels: [{rank: 1}]", "kernel 1 has no name"}}) {
    const auto read = ReadKernelConfig(yaml, "k.yaml");
    ASSERT_FALSE(read.ok());
    EXPECT_THAT(read.error().message(), HasSubstr("k.yaml"));
    EXPECT_THAT(read.error().message(), HasSubstr(want));
  }
}

TEST(NcuSelectionTest, SamplesLaunches) {
  struct Case {
    const char* what;
    NcuSelection selection;
    NcuOptions options;
    std::optional<int64_t> want;
  };
  const Case cases[] = {
      {"of the selection", {.launches = 45}, {}, 45},
      {"of all kernels", {}, {}, 600},
      {"as many as fit into the timeout", {}, {.timeout_s = 20}, 200},
      {"at least one", {}, {.timeout_s = 0.01}, 1},
      {"all", {}, {.launches_per_kernel = std::nullopt}, std::nullopt},
      {"as many as were asked for", {.launches = 45}, {.launch_count = 7}, std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(SampledLaunches(c.selection, c.options, /*passes=*/10), c.want);
  }
}

TEST(NcuSelectionTest, SaysWhatFitsIntoTheTimeout) {
  const NcuSelection hour = {.estimated_s = 3600};
  EXPECT_TRUE(OverridesThatFit(hour, {}).empty());
  EXPECT_TRUE(OverridesThatFit(hour, {.timeout_s = 7200}).empty());
  EXPECT_EQ(OverridesThatFit(hour, {.timeout_s = 600}),
            std::vector<std::string>{"pipeline.ncu.plan.budget_s=480"});
}

}  // namespace
}  // namespace ridgeline::stages
