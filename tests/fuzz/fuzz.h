// What every fuzz target has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace ridgeline::fuzz {

// Stays in builds without assertions.
inline void Require(bool holds) {
  if (!holds) std::abort();
}

inline std::string_view AsText(const uint8_t* data, size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libFuzzer's bytes.
  return {reinterpret_cast<const char*>(data), size};
}

using Target = int (*)(const uint8_t* data, size_t size);

// Adds a target to the table of the program that replays the seeds (replay/).
bool AddTarget(std::string_view name, Target run);

}  // namespace ridgeline::fuzz

// Makes Run() of namespace <target> the target: libFuzzer calls it, and so does the
// replay of its seeds.
#ifdef RIDGELINE_FUZZ_REPLAY
#define RIDGELINE_FUZZ_TARGET(target)                                      \
  namespace target {                                                       \
  const bool is_added = ridgeline::fuzz::AddTarget(#target, &target::Run); \
  }
#else
#define RIDGELINE_FUZZ_TARGET(target)                                       \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) { \
    return target::Run(data, size);                                         \
  }
#endif
