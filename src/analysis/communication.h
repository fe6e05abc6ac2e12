// Which kernels move data between devices?
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/string_pool.h"

namespace ridgeline::analysis {

enum class KernelRole : uint8_t {
  kCompute,
  kCommunication,  // The name holds "nccl", in any case: NCCL's and RCCL's kernels.
  // Counted as compute, and reported: the name looks like another library's communication
  // (DeepEP, NVSHMEM, all-reduces of inference engines), for which there is no rule.
  kSuspected,
};

KernelRole RoleOf(std::string_view kernel);

// The roles of names, each looked at once: there may be millions, few of them kernels'.
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
