#include "networks/shared/region.h"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

#include <map>
#include <mutex>
#include <string>
#endif

namespace ridgeline::networks {

#if __has_include(<nvtx3/nvToolsExt.h>)
namespace {

nvtxStringHandle_t Registered(const char* name) {
  static std::mutex mutex;
  static std::map<std::string, nvtxStringHandle_t, std::less<>> handles;
  const std::lock_guard lock(mutex);
  const auto found = handles.find(name);
  if (found != handles.end()) return found->second;
  return handles.emplace(name, nvtxDomainRegisterStringA(nullptr, name)).first->second;
}

}  // namespace

Region::Region(const char* name) {
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = Registered(name);
  nvtxDomainRangePushEx(nullptr, &attributes);
}

Region::~Region() { nvtxDomainRangePop(nullptr); }
#else
Region::Region(const char*) {}
Region::~Region() {}
#endif

}  // namespace ridgeline::networks
