// What every fuzz target has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

// The target itself: libFuzzer calls it, and so does the replay of its seeds.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace ridgeline::fuzz {

// Stays in builds without assertions.
inline void Require(bool holds) {
  if (!holds) std::abort();
}

inline std::string_view AsText(const uint8_t* data, size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libFuzzer's bytes.
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace ridgeline::fuzz
