#include "app/ncu_kernels/kernel_list.h"

#include <gtest/gtest.h>

#include "app/kernel_yaml.h"

namespace ridgeline::app {
namespace {

TEST(KernelList, ReadsWhatTopKernelsWrites) {
  const std::string name = R"(void f<(int)4, a::B>(T1 *, char \[2]))";
  const std::string yaml =
      ToYaml({.source = "x.sqlite", .region = "", .kernels = {{.name = name}}});
  const auto kernels = ReadKernelList(yaml, "k.yaml");
  ASSERT_TRUE(kernels.ok()) << kernels.error().message();
  ASSERT_EQ(kernels.value().size(), 1u);
  EXPECT_EQ(kernels.value()[0].name, name);
  EXPECT_EQ(kernels.value()[0].pattern,
            R"(^void f<(\(int\))?4[uUlL]*, ?(a::)?B>\(T1 ?\*, ?char ?\\\[2\]\)$)");
}

TEST(KernelList, KeepsARegexThatSomebodyEdited) {
  struct Case {
    const char* yaml;
    const char* name;
    const char* pattern;
  };
  const Case cases[] = {
      // Quoted by Python's re.escape().
      {R"(kernels: [{name: 'f<a, b>(T &)', regex: '^f<a,\ b>\(T\ \&\)$'}])",
       "f<a, b>(T &)", R"(^f<a, ?b>\(T ?&\)$)"},
      {R"(kernels: [{name: 'f<a, b>(T)', regex: '.*f<.*'}])", "f<a, b>(T)", ".*f<.*"},
      {R"(kernels: [{name: 'f2', regex: '^f\d$'}])", "f2", R"(^f\d$)"},
      {"kernels: [{name: f}]", "f", "^f$"},
      {"kernels: [{regex: gemm.*}]", "gemm.*", "gemm.*"},
      {"kernels: [{name: f, regex: null, description: 'Kernel #1'}]", "f", "^f$"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.yaml);
    const auto kernels = ReadKernelList(c.yaml, "k.yaml");
    ASSERT_TRUE(kernels.ok()) << kernels.error().message();
    EXPECT_EQ(kernels.value()[0].name, c.name);
    EXPECT_EQ(kernels.value()[0].pattern, c.pattern);
  }
}

TEST(KernelList, SaysWhatIsWrong) {
  struct Case {
    const char* yaml;
    const char* message;
  };
  const Case cases[] = {
      {"", "k.yaml: missing list 'kernels'; `ridgeline top-kernels` writes this file"},
      {"kernels: 3",
       "k.yaml: missing list 'kernels'; `ridgeline top-kernels` writes this file"},
      {"kernels: []", "k.yaml: list 'kernels' is empty"},
      {"kernels:\n- name: f\n- g",
       "k.yaml:3: a kernel must be a mapping with 'name' or 'regex'"},
      {"kernels:\n- rank: 1", "k.yaml:2: kernel without 'name' or 'regex'"},
      {"kernels:\n- name: 7", "k.yaml:2: 'name' of a kernel must be a string"},
  };
  for (const Case& c : cases) {
    const auto kernels = ReadKernelList(c.yaml, "k.yaml");
    ASSERT_FALSE(kernels.ok()) << c.yaml;
    EXPECT_EQ(kernels.error().message(), c.message);
  }
  EXPECT_FALSE(ReadKernelList("kernels: [", "k.yaml").ok());
}

TEST(KernelList, NamesDirectoriesByPlaceAndName) {
  std::vector<ChosenKernel> kernels = KernelsOfRegexes({"f", "abc"});
  EXPECT_EQ(DirectoryName(kernels, 1), "kernel_0002_900150983cd24fb0d6963f7d28e17f72");
  kernels.resize(12345, {.name = "abc", .pattern = "abc"});
  EXPECT_EQ(DirectoryName(kernels, 2), "kernel_00003_900150983cd24fb0d6963f7d28e17f72");
  // The name used by the earlier script.
  const std::vector<ChosenKernel> recorded = KernelsOfRegexes(
      {"void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_128x2_"
       "tn_align8>(T1::Params)"});
  EXPECT_EQ(DirectoryName(recorded, 0), "kernel_0001_0a7671622339a06b4a022feebfe90426");
}

}  // namespace
}  // namespace ridgeline::app
