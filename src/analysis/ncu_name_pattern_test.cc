#include "analysis/ncu_name_pattern.h"

#include <gtest/gtest.h>

#include <regex>

namespace ridgeline::analysis {
namespace {

bool Matches(const char* demangled, const std::string& name) {
  return std::regex_match(name, std::regex(NcuNamePattern(demangled)));
}

TEST(NcuNamePatternTest, FindsAKernelHoweverItIsSpelled) {
  struct Case {
    const char* name;
    const char* spelled;
  };
  const Case cases[] = {
      {"void gemm<float, (int)128, (bool)1>(T1 *)", "void gemm<float, 128, true>(T1*)"},
      {"void gemm<float, 128, true>(T1*)", "void gemm<float, (int)128, (bool)1>(T1 *)"},
      {"a<(unsigned int)4>", "a<4>"},
      {"a<(long)-4>", "a<-4>"},
      {"a<b<c> >(const int (&)[4])", "a<b<c>>(const int(&)[4])"},
      {"softmax\\kernel[a, b]*", "softmax\\kernel[a, b]*"},
      {"f<(at::native::Mode)2>()", "f<2>()"},
      {"void at::native::(anonymous namespace)::k<1>(int)",
       "void at::native::(anonymous namespace)::k<1>(int)"},
      {"ampere_sgemm_128x64_nn", "ampere_sgemm_128x64_nn"},
  };
  for (const Case& c : cases) {
    EXPECT_TRUE(Matches(c.name, c.name)) << c.name << "\n" << NcuNamePattern(c.name);
    EXPECT_TRUE(Matches(c.name, c.spelled)) << c.spelled << "\n"
                                            << NcuNamePattern(c.name);
  }
}

TEST(NcuNamePatternTest, FindsNoOtherKernel) {
  struct Case {
    const char* name;
    const char* other;
  };
  const Case cases[] = {
      {"void gemm<float, (int)128>(T1 *)", "void gemm<float, 64>(T1*)"},
      {"void gemm<float, (int)12>(T1 *)", "void gemm<float, 128>(T1*)"},
      {"a<(bool)0>", "a<true>"},
      {"a<(bool)0>", "a<1>"},
      {"a.b", "aXb"},
      {"a*", "aa"},
      {"unsigned int", "unsignedint"},
  };
  for (const Case& c : cases) EXPECT_FALSE(Matches(c.name, c.other)) << c.name;
}

}  // namespace
}  // namespace ridgeline::analysis
