#include "inference/scope.h"

#include <c10/util/Exception.h>

namespace ridgeline::inference {
namespace {

// Of this thread.
thread_local ScopeTrail* trail = nullptr;

}  // namespace

ScopeTrail::ScopeTrail() {
  TORCH_INTERNAL_ASSERT(trail == nullptr);
  trail = this;
}

ScopeTrail::~ScopeTrail() { trail = nullptr; }

void ScopeTrail::Push(const char* name, size_t index) {
  const auto [found, is_new] =
      places_.try_emplace({current(), name, index}, static_cast<uint32_t>(paths_.size()));
  if (is_new) {
    std::string path = paths_[current()];
    if (!path.empty()) path += '.';
    path += name;
    if (index > 0) path += std::to_string(index - 1);
    paths_.push_back(std::move(path));
  }
  open_.push_back(found->second);
}

Scope::Scope(const char* name) : is_pushed_(trail != nullptr) {
  if (is_pushed_) trail->Push(name, 0);
}

Scope::Scope(const char* name, size_t index) : is_pushed_(trail != nullptr) {
  if (is_pushed_) trail->Push(name, index + 1);
}

Scope::~Scope() {
  if (is_pushed_ && trail != nullptr) trail->open_.pop_back();
}

}  // namespace ridgeline::inference
