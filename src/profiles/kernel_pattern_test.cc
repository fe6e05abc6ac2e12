#include "profiles/kernel_pattern.h"

#include <gtest/gtest.h>

#include <regex>

namespace ridgeline::profiles {
namespace {

bool Matches(const std::string& pattern, const std::string& name) {
  return std::regex_search(name, std::regex(pattern));
}

TEST(NcuNamePattern, IsReadable) {
  struct Case {
    const char* name;
    const char* pattern;
  };
  const Case cases[] = {
      {"", "^$"},
      {"copy", "^copy$"},
      {"void f(float *, int)", R"(^void f\(float ?\*, ?int\)$)"},
      {"void f<(int)128>()", R"(^void f<(\(int\))?128[uUlL]*>\(\)$)"},
      {"void f<7>()", R"(^void f<(\([^()]*\))?7[uUlL]*>\(\)$)"},
      {"f<true>()", R"(^f<((\(bool\))?1[uUlL]*|true)>\(\)$)"},
      {"at::native::f(T1::Params)", R"(^(at::native::)?f\((T1::)?Params\)$)"},
      {"at::<unnamed>::f()", R"(^(at::<)?unnamed>::f\(\)$)"},
      {"[lambda(int) (instance 1)]", R"(^\[lambda\(int\) ?\(instance 1\)\]$)"},
      {"a\\b.c{d}^$|?+\n", R"(^a\\b\.c\{d\}\^\$\|\?\+\n$)"},
      {"cut off::", "^cut (off::)?$"},
  };
  for (const Case& c : cases) EXPECT_EQ(NcuNamePattern(c.name), c.pattern);
}

TEST(NcuNamePattern, MatchesOtherSpellings) {
  struct Case {
    const char* name;
    const char* other;
    bool matches;
  };
  const Case cases[] = {
      {"f<(int)128>()", "f<128>()", true},
      {"f<128>()", "f<(int)128>()", true},
      {"f<(int)128>()", "f<(unsigned int)128>()", false},
      {"f<(int)128>()", "f<(int)1280>()", false},
      {"f<(int)-1>()", "f<-1>()", true},
      {"f<(bool)1, (bool)0>()", "f<true, false>()", true},
      {"f<true, false>()", "f<(bool)1, 0>()", true},
      {"f<(bool)1>()", "f<0>()", false},
      {"f<std::array<char *, (unsigned long)2>>()", "f<std::array<char*, 2ul> >()", true},
      {"f<std::array<char*, 2ul> >()", "f<array<char *, 2>>()", true},
      {"f<(at::Kind)3>()", "f<3>()", true},
      {"void a::f(int,int)", "void f(int, int)", true},
      {"void a::f()", "void b::f()", false},
      {"f(unsigned int)", "f(unsignedint)", false},
      {"f(int)", "g(int)", false},
      {"f(int)", "void f(int)", false},
      {"f(int)", "f(int)::g", false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Matches(NcuNamePattern(c.name), c.other), c.matches)
        << c.name << " and " << c.other << ": " << NcuNamePattern(c.name);
  }
}

// As spelled by nsys and ncu on the same machine.
TEST(NcuNamePattern, TellsRecordedKernelsApart) {
  struct Kernel {
    const char* nsys;
    const char* ncu;
  };
  const Kernel kernels[] = {
      {R"(std::enable_if<!T7, void>::type internal::gemvx::kernel<int, int, )"
       R"(__nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float, (bool)0, (bool)1, )"
       R"((bool)1, (bool)0, (int)7, (bool)0, cublasGemvParamsEx<int, )"
       R"(cublasGemvTensorStridedBatched<const __nv_bfloat16>, )"
       R"(cublasGemvTensorStridedBatched<const __nv_bfloat16>, )"
       R"(cublasGemvTensorStridedBatched<__nv_bfloat16>, float>>(T13))",
       R"(enable_if<!T7, void>::type kernel<int, int, __nv_bfloat16, __nv_bfloat16, )"
       R"(__nv_bfloat16, float, 0, 1, 1, 0, 7, 0, cublasGemvParamsEx<int, )"
       R"(cublasGemvTensorStridedBatched<const __nv_bfloat16>, )"
       R"(cublasGemvTensorStridedBatched<const __nv_bfloat16>, )"
       R"(cublasGemvTensorStridedBatched<__nv_bfloat16>, float>>(T13))"},
      {R"(std::enable_if<!T7, void>::type internal::gemvx::kernel<int, int, )"
       R"(__nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float, (bool)0, (bool)1, )"
       R"((bool)1, (bool)0, (int)6, (bool)0, cublasGemvParamsEx<int, )"
       R"(cublasGemvTensorStridedBatched<const __nv_bfloat16>, )"
       R"(cublasGemvTensorStridedBatched<const __nv_bfloat16>, )"
       R"(cublasGemvTensorStridedBatched<__nv_bfloat16>, float>>(T13))",
       R"(enable_if<!T7, void>::type kernel<int, int, __nv_bfloat16, __nv_bfloat16, )"
       R"(__nv_bfloat16, float, 0, 1, 1, 0, 6, 0, cublasGemvParamsEx<int, )"
       R"(cublasGemvTensorStridedBatched<const __nv_bfloat16>, )"
       R"(cublasGemvTensorStridedBatched<const __nv_bfloat16>, )"
       R"(cublasGemvTensorStridedBatched<__nv_bfloat16>, float>>(T13))"},
      {R"(void )"
       R"(cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_128x)"
       R"(2_tn_align8>(T1::Params))",
       R"(void )"
       R"(Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_128x2_tn_alig)"
       R"(n8>(Params))"},
      {R"(void )"
       R"(at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cud)"
       R"(a(at::TensorIteratorBase &)::[lambda() (instance 3)]::operator ()() )"
       R"(const::[lambda() (instance 7)]::operator ()() const::[lambda(float) )"
       R"((instance 1)], std::array<char *, (unsigned long)2>, (int)4, )"
       R"(TrivialOffsetCalculator<(int)1, unsigned int>, )"
       R"(TrivialOffsetCalculator<(int)1, unsigned int>, )"
       R"(at::native::memory::LoadWithCast<(int)1>, )"
       R"(at::native::memory::StoreWithCast<(int)1>>(int, T1, T2, T4, T5, T6, T7))",
       R"(void )"
       R"(unrolled_elementwise_kernel<direct_copy_kernel_cuda(TensorIteratorBase )"
       R"(&)::[lambda() (instance 3)]::operator ()() lambda() (instance )"
       R"(7)]::operator ()() lambda(float) (instance 1)], array<char *, 2>, 4, )"
       R"(TrivialOffsetCalculator<1, unsigned int>, TrivialOffsetCalculator<1, )"
       R"(unsigned int>, LoadWithCast<1>, StoreWithCast<1>>(int, T1, T2, T4, T5, )"
       R"(T6, T7))"},
      {R"(void )"
       R"(cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x)"
       R"(3_tn_align8>(T1::Params))",
       R"(void )"
       R"(Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_tn_alig)"
       R"(n8>(Params))"},
      {R"(void at::native::vectorized_elementwise_kernel<(int)4, )"
       R"(at::native::<unnamed>::silu_kernel(at::TensorIteratorBase &)::[lambda() )"
       R"((instance 1)]::operator ()() const::[lambda() (instance 6)]::operator )"
       R"(()() const::[lambda(c10::BFloat16) (instance 1)], std::array<char *, )"
       R"((unsigned long)2>>(int, T2, T3))",
       R"(void vectorized_elementwise_kernel<4, )"
       R"(unnamed>::silu_kernel(TensorIteratorBase &)::[lambda() (instance )"
       R"(1)]::operator ()() lambda() (instance 6)]::operator ()() lambda(BFloat16) )"
       R"((instance 1)], array<char *, 2>>(int, T2, T3))"},
      {R"(fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::Attention)"
       R"(Kernel<cutlass::bfloat16_t, cutlass::arch::Sm80, (bool)1, (int)64, )"
       R"((int)64, (int)64, (bool)1, (bool)1>::Params))",
       R"(fmha_cutlassF_bf16_aligned_64x64_rf_sm80(AttentionKernel<bfloat16_t, )"
       R"(Sm80, 1, 64, 64, 64, 1, 1>::Params))"},
      {R"(void at::native::elementwise_kernel<(int)128, (int)4, void )"
       R"(at::native::gpu_kernel_impl_nocast<at::native::BinaryFunctor<c10::BFloat16)"
       R"(, c10::BFloat16, c10::BFloat16, )"
       R"(at::native::binary_internal::MulFunctor<float>>>(at::TensorIteratorBase )"
       R"(&, const T1 &)::[lambda(int) (instance 1)]>(int, T3))",
       R"(void elementwise_kernel<128, 4, void )"
       R"(gpu_kernel_impl_nocast<BinaryFunctor<BFloat16, BFloat16, BFloat16, )"
       R"(MulFunctor<float>>>(TensorIteratorBase &, const T1 &)::[lambda(int) )"
       R"((instance 1)]>(int, T3))"},
      {R"(void )"
       R"(at::native::<unnamed>::CatArrayBatchedCopy_vectorized<at::native::<unnamed)"
       R"(>::OpaqueType<(unsigned int)2>, unsigned int, (int)3, (int)128, (int)1, )"
       R"((int)16, (int)8>(char *, )"
       R"(at::native::<unnamed>::CatArrInputTensorMetadata<T1, T2, T4, T5>, )"
       R"(at::native::<unnamed>::TensorSizeStride<T2, (unsigned int)4>, int, T2))",
       R"(void unnamed>::CatArrayBatchedCopy_vectorized<unnamed>::OpaqueType<2>, )"
       R"(unsigned int, 3, 128, 1, 16, 8>(char *, )"
       R"(unnamed>::CatArrInputTensorMetadata<T1, T2, T4, T5>, )"
       R"(unnamed>::TensorSizeStride<T2, 4>, int, T2))"},
      {R"(void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<(int)128, )"
       R"((int)64, (int)128, (int)4, (bool)0, (bool)0, cutlass::bfloat16_t, )"
       R"(Flash_kernel_traits<(int)128, (int)64, (int)128, (int)4, )"
       R"(cutlass::bfloat16_t>>, (bool)0, (bool)0, (bool)0, (bool)0, (bool)1, )"
       R"((bool)0, (bool)1, (bool)0>(flash::Flash_fwd_params))",
       R"(void flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4, 0, )"
       R"(0, bfloat16_t, Flash_kernel_traits<128, 64, 128, 4, bfloat16_t>>, 0, 0, )"
       R"(0, 0, 1, 0, 1, 0>(Flash_fwd_params))"},
      {R"(void at::native::reduce_kernel<(int)512, (int)1, )"
       R"(at::native::ReduceOp<float, at::native::MeanOps<float, float, float, )"
       R"(float>, unsigned int, float, (int)4, (int)4>>(T3))",
       R"(void reduce_kernel<512, 1, ReduceOp<float, MeanOps<float, float, float, )"
       R"(float>, unsigned int, float, 4, 4>>(T3))"},
  };
  for (const Kernel& kernel : kernels) {
    const std::string pattern = NcuNamePattern(kernel.nsys);
    EXPECT_TRUE(Matches(pattern, kernel.nsys)) << pattern;
    for (const Kernel& other : kernels) {
      EXPECT_EQ(Matches(pattern, other.ncu), &other == &kernel) << pattern << "\n"
                                                                << other.ncu;
      EXPECT_EQ(Matches(pattern, other.nsys), &other == &kernel) << other.nsys;
    }
  }
}

}  // namespace
}  // namespace ridgeline::profiles
