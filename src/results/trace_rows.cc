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
    case GpuActivityKind::kGraph:
      return "graph";
  }
  return "kernel";
}

}  // namespace ridgeline::results
