#include "analysis/communication.h"

#include <gtest/gtest.h>

namespace ridgeline::analysis {
namespace {

// Communication by libraries other than NCCL has no rule: report it as suspected, do not
// miss it.
TEST(CommunicationTest, TellsKernelsByTheirNames) {
  struct Case {
    const char* kernel;
    KernelRole want;
  };
  const Case cases[] = {
      {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)",
       KernelRole::kCommunication},
      {"ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t", KernelRole::kCommunication},
      {"NCCL_thing", KernelRole::kCommunication},
      {"void deep_ep::intranode::dispatch<8, 768, 8192>(int4*)", KernelRole::kSuspected},
      {"void vllm::cross_device_reduce_1stage<half, 2>", KernelRole::kSuspected},
      {"nvshmemi_transfer_quiet", KernelRole::kSuspected},
      {"void tensorrt_llm::kernels::oneShotAllReduceKernel", KernelRole::kSuspected},
      {"void at::native::reduce_kernel<512, 1>", KernelRole::kCompute},
      {"void at::native::vectorized_gather_kernel", KernelRole::kCompute},
      {"sm90_xmma_gemm_bf16", KernelRole::kCompute},
      {"", KernelRole::kCompute},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.kernel);
    EXPECT_EQ(RoleOf(c.kernel), c.want);
  }
}

}  // namespace
}  // namespace ridgeline::analysis
