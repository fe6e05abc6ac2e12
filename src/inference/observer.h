#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <string_view>

namespace ridgeline::inference {

// Sees what comes out of the parts of a network, by name: "sam.block3". Empty: nobody.
using Observer = std::function<void(std::string_view name, const at::Tensor& value)>;

inline void Tell(const Observer& observer, std::string_view name,
                 const at::Tensor& value) {
  if (observer) observer(name, value);
}

}  // namespace ridgeline::inference
