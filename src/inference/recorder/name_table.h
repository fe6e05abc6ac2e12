#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

namespace ridgeline::inference {

// Names of operators by their address, which stays the same for an operator; a name of
// somebody's own may be another one at the same address, so that it is compared.
class NameTable {
 public:
  uint32_t Find(const char* name) {
    Slot& slot = cache_[(reinterpret_cast<uintptr_t>(name) >> 4) % cache_.size()];
    if (slot.address == name && std::strcmp(name, slot.text) == 0) return slot.id;
    const auto [found, is_new] = ids_.try_emplace(name, ids_.size());
    slot = {name, found->first.c_str(), found->second};
    return found->second;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names(ids_.size());
    for (const auto& [name, id] : ids_) names[id] = name;
    return names;
  }

 private:
  struct Slot {
    const char* address = nullptr;
    const char* text = nullptr;
    uint32_t id = 0;
  };
  std::array<Slot, 1024> cache_;
  std::unordered_map<std::string, uint32_t> ids_;
};

}  // namespace ridgeline::inference
