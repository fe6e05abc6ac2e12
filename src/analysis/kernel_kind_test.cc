#include "analysis/kernel_kind.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ridgeline::analysis {
namespace {

struct KernelCase {
  const char* kernel;
  const char* want;
};

void ExpectKinds(std::initializer_list<KernelCase> cases) {
  for (const KernelCase& c : cases) {
    EXPECT_EQ(NameOf(KindOf(c.kernel)), c.want) << c.kernel;
  }
}

TEST(KernelKindTest, KnowsProductsOfMatrices) {
  ExpectKinds({
      {"ampere_bf16_s16816gemm_bf16_128x64_ldg8_relu_f2f_stages_64x4_tn", "gemm"},
      {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_cublas", "gemm"},
      {"nvjet_tst_192x192_64x4_2x1_v_bz_coopB_bias_TNN", "gemm"},
      {"volta_sgemm_32x128_nt", "gemm"},
      {"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4>(P)",
       "gemm"},
      {"void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_relu>(P)",
       "gemm"},
      {"void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<X>>(P)", "gemm"},
      {"void gemmSN_NN_kernel<float, cublasGemvTensorStridedBatched<float>>(P)", "gemm"},
      {"void cublasLt::splitKreduce_kernel<32, 16, int, float>(P)", "gemm"},
      {"void epilogue::impl::globalKernel<float, float>(int)", "gemm"},
      {"void marlin::Marlin<half, 256>(int4 const*)", "gemm"},
      {"fused_moe_kernel", "gemm"},
      {"triton_tem_fused_mm_3", "gemm"},
      {"mul_mat_q<(ggml_type)12, 64>", "gemm"},
      {"Cijk_Ailk_Bljk_HHS_BH_MT128x128x16", "gemm"},
      {"void gemv2T_kernel_val<int, float>(P)", "gemv"},
      {"void gemvNSP_kernel<float, 1, 16>(P)", "gemv"},
      {"std::enable_if<!T7, void>::type internal::gemvx::kernel<int, (int)7>(T13)",
       "gemv"},
      {"void mul_mat_vec_q<(ggml_type)12, 1>(void const*)", "gemv"},
  });
}

TEST(KernelKindTest, KnowsWhatIsMadeOfOtherKinds) {
  ExpectKinds({
      {"void pytorch_flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<64>>(P)",
       "attention"},
      {"void cutlass::device_kernel<flash::FlashAttnFwdSm90<MainloopGemm>>(P)",
       "attention"},
      {"fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::P)",
       "attention"},
      {"void vllm::paged_attention_v2_kernel<unsigned short, 128>(float*)", "attention"},
      {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16", "attention"},
      {"BatchDecodeWithPagedKVCacheKernel", "attention"},
      {"void vllm::reshape_and_cache_flash_kernel<unsigned short>(P)", "copy"},
      {"sm80_xmma_fprop_implicit_gemm_bf16bf16_nhwc_execute_kernel_cudnn", "convolution"},
      {"void implicit_convolve_sgemm<float, float, 128>(int)", "convolution"},
      {"cask_cudnn::computeOffsetsKernel(cask_cudnn::ComputeOffsetsParams)",
       "convolution"},
      {"void cutlass__5x_cudnn::Kernel<cutlass_tensorop_bf16_s16816fprop_optimized>(T1)",
       "convolution"},
      {"void cudnn::ops::nchwToNhwcKernel<float, float>(P)", "copy"},
      {"void cudnn::bn_fw_tr_1C11_kernel_NCHW<float>(P)", "norm"},
      {"void vllm::moe::topkGatingSoftmax<4, 64>(float const*)", "moe"},
      {"moe_align_block_size_kernel", "moe"},
  });
}

TEST(KernelKindTest, LooksIntoElementwiseKernels) {
  ExpectKinds({
      {"void at::native::vectorized_elementwise_kernel<4, "
       "at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3> >(int)",
       "elementwise"},
      {"void at::native::vectorized_elementwise_kernel<8, "
       "at::native::bfloat16_copy_kernel_cuda(at::TensorIteratorBase &)::[lambda]>(int)",
       "copy"},
      {"void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl<at::"
       "native::(anonymous namespace)::direct_copy_kernel_cuda(X&)::{lambda()#2}> >(int)",
       "copy"},
      {"void at::native::unrolled_elementwise_kernel<Gemm, softmax_reduce>(int)",
       "elementwise"},
      {"void at::native::index_elementwise_kernel<128, 4, X>(int)", "index"},
      {"void (anonymous namespace)::elementwise_kernel_with_index<int, X>(int)",
       "elementwise"},
      {"unnamed>::silu_kernel<4>(int)", "elementwise"},
  });
}

TEST(KernelKindTest, KnowsTheRest) {
  ExpectKinds({
      {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevComm*)", "communication"},
      {"void vllm::cross_device_reduce_1stage<half, 2>(P)", "communication"},
      {"void deep_ep::intranode::dispatch<8, 768>(int4*)", "communication"},
      {"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float>(P)",
       "norm"},
      {"void vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(P)", "norm"},
      {"LayerNormForwardCUDAKernel", "norm"},
      {"RMSNormKernel", "norm"},
      {"void (anonymous namespace)::softmax_warp_forward<float, float, 10>(P)",
       "softmax"},
      {"void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float>(P)",
       "softmax"},
      {"void vllm::rotary_embedding_kernel<c10::BFloat16, true>(P)", "rope"},
      {"rope_neox<true, float>", "rope"},
      {"void vllm::act_and_mul_kernel<c10::BFloat16>(P)", "elementwise"},
      {"triton_poi_fused_add_cos_sin_0", "elementwise"},
      {"triton_red_fused__to_copy_mean_pow_2", "reduction"},
      {"triton_per_fused_sum_1", "reduction"},
      {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
       "at::native::ArgMaxOps<float> > >(T3)",
       "reduction"},
      {"void cub::DeviceScanKernel<cub::DeviceScanPolicy<int>::Policy600>(P)",
       "reduction"},
      {"void at::native::(anonymous namespace)::max_pool_forward_nchw<float>(P)",
       "reduction"},
      {"void at::native::vectorized_gather_kernel<16, long>(char*)", "index"},
      {"void at::native::(anonymous namespace)::indexSelectLargeIndex<float>(P)",
       "index"},
      {"k_get_rows_float<float, float>", "index"},
      {"void at::native::sbtopk::gatherTopK<c10::BFloat16, unsigned int, 2>(P)", "sort"},
      {"void cub::DeviceRadixSortOnesweepKernel<X>(P)", "sort"},
      {"void flashinfer::sampling::TopPSamplingFromProbKernel<1024>(P)", "sort"},
      {"dequantize_block_q4_K<float>", "quantization"},
      {"void vllm::scaled_fp8_quant_kernel<c10::BFloat16>(P)", "quantization"},
      {"void fbgemm_gpu::permute_2D_data_kernel<false, int>(int)", "copy"},
      {"void at::native::(anonymous namespace)::CatArrayBatchedCopy<float>(P)", "copy"},
      {"transpose_readWrite_alignment_kernel", "copy"},
      {"cpy_f32_f16", "copy"},
  });
}

TEST(KernelKindTest, SaysSoWhereANameSaysNothing) {
  ExpectKinds({{"", "other"},
               {"kernel", "other"},
               {"Fan2(float *, int)", "other"},
               {"void mine<cutlass::gemm::GemmShape<64, 64, 8>>(float*)", "other"},
               {"<<<(((", "other"},
               {"normal_kernel(float*)", "other"},
               {"void fbgemm_gpu::_offsets_range_cuda_kernel<int>(long)", "other"}});
}

TEST(KernelKindTest, GivesEveryKindANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(KernelKind::kOther); ++kind) {
    names.insert(NameOf(static_cast<KernelKind>(kind)));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(KernelKind::kOther) + 1);
}

}  // namespace
}  // namespace ridgeline::analysis
