#include "inference/region.h"

#include <ATen/record_function.h>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

#include <map>
#include <mutex>
#include <string>
#endif

namespace ridgeline::inference {
namespace {

#if __has_include(<nvtx3/nvToolsExt.h>)
nvtxStringHandle_t Registered(const char* name) {
  static std::mutex mutex;
  static std::map<std::string, nvtxStringHandle_t, std::less<>> handles;
  const std::lock_guard lock(mutex);
  const auto found = handles.find(name);
  if (found != handles.end()) return found->second;
  return handles.emplace(name, nvtxDomainRegisterStringA(nullptr, name)).first->second;
}

void PushRange(const char* name) {
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = Registered(name);
  nvtxDomainRangePushEx(nullptr, &attributes);
}

void PopRange() { nvtxDomainRangePop(nullptr); }
#else
void PushRange(const char*) {}
void PopRange() {}
#endif

// Nesting depth on this thread.
thread_local int closed_regions = 0;

at::RecordFunction* BeginAnnotation(const char* name) {
  auto callbacks = at::getStepCallbacksUnlessEmpty(at::RecordScope::USER_SCOPE);
  if (!callbacks) return nullptr;
  auto annotation = std::make_unique<at::RecordFunction>(std::move(*callbacks));
  annotation->before(name);
  return annotation.release();
}

}  // namespace

Annotation::Annotation(const char* name) : annotation_(BeginAnnotation(name)) {}

void Annotation::End::operator()(at::RecordFunction* annotation) const {
  delete annotation;
}

Region::Region(const char* name) : is_seen_(closed_regions == 0) {
  if (!is_seen_) return;
  PushRange(name);
  annotation_.emplace(name);
}

Region::~Region() {
  if (!is_seen_) return;
  annotation_.reset();
  PopRange();
}

ClosedRegion::ClosedRegion(const char* name) : region_(name) { ++closed_regions; }

ClosedRegion::~ClosedRegion() { --closed_regions; }

}  // namespace ridgeline::inference
