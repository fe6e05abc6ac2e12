// libridgeline-ranges.so: NVTX ranges for the Python agent, which loads it with ctypes.
// Ranges use registered strings: nsys starts and stops captures only at those, unless
// NSYS_NVTX_PROFILER_REGISTER_ONLY=0. Without a tool each call is a load and a branch.
#include <nvtx3/nvToolsExt.h>

namespace {

nvtxEventAttributes_t Attributes(void* name) {
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = static_cast<nvtxStringHandle_t>(name);
  return attributes;
}

}  // namespace

extern "C" {

// A handle for the name, valid until the process exits; null without a tool.
__attribute__((visibility("default"))) void* ridgeline_range_register(const char* name) {
  return nvtxDomainRegisterStringA(nullptr, name);
}

__attribute__((visibility("default"))) void ridgeline_range_push(void* name) {
  const nvtxEventAttributes_t attributes = Attributes(name);
  nvtxDomainRangePushEx(nullptr, &attributes);
}

__attribute__((visibility("default"))) void ridgeline_range_pop() {
  nvtxDomainRangePop(nullptr);
}

// For ranges that do not nest, such as those of coroutines.
__attribute__((visibility("default"))) nvtxRangeId_t ridgeline_range_start(void* name) {
  const nvtxEventAttributes_t attributes = Attributes(name);
  return nvtxDomainRangeStartEx(nullptr, &attributes);
}

__attribute__((visibility("default"))) void ridgeline_range_end(nvtxRangeId_t id) {
  nvtxDomainRangeEnd(nullptr, id);
}

}  // extern "C"
