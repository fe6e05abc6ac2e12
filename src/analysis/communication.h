// Identifies kernels that move data between devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/string_pool.h"

namespace ridgeline::analysis {

enum class KernelRole : uint8_t {
  kCompute,
  kCommunication,  // Name contains "nccl", in any case (NCCL, RCCL).
  // Counted as compute, but reported: the name looks like communication by another
  // library (DeepEP, NVSHMEM, all-reduces of inference engines) that has no rule.
  kSuspected,
};

KernelRole RoleOf(std::string_view kernel);

// Caches the role of each name: a trace may have millions of names, few of them kernels.
class KernelRoles {
 public:
  explicit KernelRoles(const StringPool& names) : names_(names), roles_(names.size()) {}

  KernelRole Of(StringId kernel) {
    std::optional<KernelRole>& role = roles_[kernel];
    if (!role) role = RoleOf(names_.text(kernel));
    return *role;
  }

 private:
  const StringPool& names_;
  std::vector<std::optional<KernelRole>> roles_;
};

}  // namespace ridgeline::analysis
