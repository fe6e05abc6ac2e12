#include "inference/build_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::inference {
namespace {

TEST(BuildInfoTest, ReadsWhatLibtorchWasCompiledFor) {
  struct Case {
    const char* config;
    const char* want;
  };
  const Case cases[] = {
      {"PyTorch built with:\n  - GCC 10.2\n  - OpenMP 201511\n", "cuda none\n"},
      {"PyTorch built with:\n  - CUDA Runtime 12.8\n  - NVCC architecture flags: "
       "-gencode;arch=compute_80,code=sm_80;-gencode;arch=compute_90,code=compute_90\n"
       "  - CuDNN 91.0.2\n",
       "cuda 12.8\narchitectures sm_80 compute_90\n"},
      {"  - Build settings: BLAS_INFO=mkl, CUDA_VERSION=12.8, CUDNN_VERSION=9.8.0, \n",
       "cuda 12.8\narchitectures\n"},
      {"  - CUDA Runtime 11.3", "cuda 11.3\narchitectures\n"},
  };
  for (const Case& c : cases) EXPECT_EQ(CudaLines(c.config), c.want);
}

TEST(BuildInfoTest, HasAllKeys) {
  EXPECT_THAT(BuildInfo(), testing::MatchesRegex("libtorch [0-9.]+[^\n]*\ncuda "
                                                 "[^\n]+\n(architectures[^\n]*\n)?gpus "
                                                 "[0-9]+\n"));
}

}  // namespace
}  // namespace ridgeline::inference
