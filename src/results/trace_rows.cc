#include "results/trace_rows.h"

namespace ridgeline::results {

const char* NameOf(GpuActivityKind kind) {
  switch (kind) {
    case GpuActivityKind::kKernel:
      return "kernel";
    case GpuActivityKind::kMemcpy:
      return "memcpy";
    case GpuActivityKind::kMemset:
      return "memset";
  }
  return "kernel";
}

}  // namespace ridgeline::results
