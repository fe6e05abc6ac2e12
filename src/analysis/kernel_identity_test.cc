#include "analysis/kernel_identity.h"

#include <gtest/gtest.h>

namespace ridgeline::analysis {
namespace {

TEST(KernelIdentityTest, TrapNsysNcuAndTorchSpellOneKernelDifferently) {
  struct Case {
    const char* kernel;
    const char* library;
    const char* name;
  };
  const Case cases[] = {
      {"std::enable_if<!T7, void>::type internal::gemvx::kernel<int, int, __nv_bfloat16, "
       "(bool)0, (int)7, cublasGemvParamsEx<int, float>>(T13)",
       "cuBLAS", "GEMV (BF16)"},
      {"enable_if<!T7, void>::type kernel<int, int, __nv_bfloat16, 0, 7, "
       "cublasGemvParamsEx<int, float>>(T13)",
       "cuBLAS", "GEMV (BF16)"},
      {"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_"
       "32x3_tn_align8>(T1::Params)",
       "CUTLASS", "GEMM 256x128x32 (BF16, tensor cores)"},
      {"void Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_128x2_tn_"
       "align8>(Params)",
       "CUTLASS", "GEMM 32x32x128 (BF16, tensor cores)"},
      {"ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_32x6_tn", "cuBLAS",
       "GEMM 128x64 (BF16, tensor cores)"},
      {"ampere_sgemm_128x64_tn", "cuBLAS", "GEMM 128x64 (FP32)"},
      {"void cutlass::Kernel2<cutlass_80_simt_sgemm_128x256_8x4_nn_align1>(T1::Params)",
       "CUTLASS", "GEMM 128x256x8 (FP32)"},
      {"volta_dgemm_64x64_nn", "cuBLAS", "GEMM 64x64 (FP64)"},
      {"fmha_cutlassF_bf16_aligned_64x64_rf_sm80(AttentionKernel<bfloat16_t>::Params)",
       "CUTLASS", "attention (BF16)"},
      {"void flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4, "
       "bfloat16_t>, 0, 0>(Flash_fwd_params)",
       "FlashAttention", "attention split-KV (BF16)"},
      {"void at::native::vectorized_elementwise_kernel<(int)4, "
       "at::native::BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, "
       "at::native::binary_internal::MulFunctor<float>>, std::array<char *, (unsigned "
       "long)3>>(int, T2, T3)",
       "PyTorch ATen", "elementwise multiply (BF16, vectorized)"},
      {"void vectorized_elementwise_kernel<4, unnamed>::silu_kernel(TensorIteratorBase "
       "&)::[lambda() (instance 1)]::operator ()() lambda(BFloat16) (instance 1)], "
       "array<char *, 2>>(int, T2, T3)",
       "PyTorch ATen", "elementwise SiLU (BF16, vectorized)"},
      {"void reduce_kernel<512, 1, ReduceOp<float, MeanOps<float, float, float>, "
       "unsigned int, float, 4>>(T3)",
       "PyTorch ATen", "reduce mean (FP32)"},
      {"void unnamed>::CatArrayBatchedCopy_vectorized<unnamed>::OpaqueType<2>, unsigned "
       "int, 4, 64, 64>(char *)",
       "PyTorch ATen", "concatenate (vectorized)"},
      {"triton_poi_fused_add_mul_3", "Triton", "triton_poi_fused_add_mul_3"},
      {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
       "NCCL", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"},
      {"void my::space::gemm_naive<32>(const float *, int)", "own", "gemm_naive"},
      {"unnamed>::saxpy_kernel(float, const float *, float *, int)", "own",
       "saxpy_kernel"},
      {"kernel_A(double *, int, int)", "own", "kernel_A"},
      {"", "own", ""},
      {"<>(", "own", "<>"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.kernel);
    const KernelIdentity identity = IdentityOf(c.kernel);
    EXPECT_EQ(identity.library, c.library);
    EXPECT_EQ(identity.name, c.name);
  }
}

TEST(KernelIdentityTest, FunctionIsNotThatOfAReturnType) {
  struct Case {
    const char* kernel;
    const char* function;
  };
  const Case cases[] = {
      {"std::enable_if<!T7, void>::type internal::gemvx::kernel<int, int, __nv_bfloat16, "
       "(bool)0, (int)7, cublasGemvParamsEx<int, float>>(T13)",
       "kernel"},
      {"enable_if<!T7, void>::type kernel<int, int, __nv_bfloat16>(T13)", "kernel"},
      {"std::enable_if<less<T1, 4>, void>::type plain(int)", "plain"},
      {"vector<float> made<int>(int)", "made"},
      {"void f<g<int>>(h<int>)", "f"},
      {"f<int>(g<int> const)", "f"},
      {"void f<unnamed>::g<2>, unsigned int, 4>(char *)", "f"},
      {"std::enable_if<!T7, void>::type", "enable_if"},
      {"f<int", "f"},
  };
  for (const Case& c : cases) EXPECT_EQ(FunctionOf(c.kernel), c.function) << c.kernel;
}

TEST(KernelIdentityTest, KnowsFp32GemmsWithoutTensorCores) {
  struct Case {
    const char* kernel;
    bool want;
  };
  const Case cases[] = {
      {"ampere_sgemm_128x64_tn", true},
      {"volta_sgemm_64x64_nn", true},
      {"cutlass_80_simt_sgemm_128x256_8x4_nn_align1", true},
      {"cutlass_80_tensorop_s1688gemm_128x256_16x3_nn_align4", false},
      {"ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_32x6_tn", false},
      {"volta_fp16_sgemm_fp16_128x64_tn", false},
      {"sm80_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize32x32x8", false},
      {"volta_dgemm_64x64_nn", false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(IsFp32GemmWithoutTensorCores(c.kernel), c.want) << c.kernel;
  }
}

}  // namespace
}  // namespace ridgeline::analysis
