#pragma once

#include <string>
#include <vector>

#include "profiles/operators/recording.h"

namespace ridgeline::profiles {

// Operators by the part of the network that called them: "decoder.layer3.attn.q".
struct ModuleRow {
  std::string module;  // Empty: no part that has a name.
  int64_t calls = 0;
  int64_t self_ns = 0;
  int64_t bytes_self = 0;
  uint64_t flops = 0;

  bool operator==(const ModuleRow&) const = default;
};

// Of the operators that the ring still holds, each where it was called; the most self
// time first. Annotations are no operators and are left out.
std::vector<ModuleRow> ModuleTable(const Recording& recording);

}  // namespace ridgeline::profiles
