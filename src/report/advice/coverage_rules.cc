#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

// Share of kernel and graph time outside all regions that makes tables of regions
// misleading.
constexpr double kMuchUnattributed = 0.20;

// How to list the kernels inside CUDA graphs.
std::string_view GraphNodesKnob(const Document& document) {
  return document.is_imported() ? "Capture with nsys --cuda-graph-trace=node"
                                : "Set pipeline.nsys.cuda_graph_trace=node";
}

// A warning: shares of kernel time say little about the GPU.
Advice GraphsHideKernels(const Document& document, const DeviceRow& device) {
  return {.doubt = true,
          .verdict = fmt::format(
              "CUDA graphs take {} of GPU busy time ({}) in {} and were captured as a "
              "whole: kernel shares cover {}",
              Percent(std::min(1.0, device.graphs_s / device.busy_s)),
              Time(device.graphs_s), Quoted(device.source), Time(device.busy_kernels_s)),
          .action = std::string(GraphNodesKnob(document)),
          .evidence = {Cite(document.devices, device, &DeviceRow::graphs_s),
                       Cite(document.devices, device, &DeviceRow::busy_s),
                       Cite(document.devices, device, &DeviceRow::busy_kernels_s)}};
}

// Annotations of a PyTorch trace may not cover all of it.
bool HasAnnotations(const Document& document, const std::string& source) {
  return std::any_of(document.regions.begin(), document.regions.end(),
                     [&](const RegionRow& region) {
                       return region.source == source && region.is_annotation();
                     });
}

}  // namespace

std::vector<Advice> Unattributed(const Document& document) {
  for (const RegionRow& rest : document.regions) {
    if (!rest.is_unattributed() || HasAnnotations(document, rest.source)) continue;
    double all_s = 0;
    int64_t ranges = 0;
    for (const RegionRow& region : document.regions) {
      if (region.source != rest.source) continue;
      all_s += region.gpu_exclusive_s;
      if (!region.is_unattributed()) ++ranges;
    }
    const double outside_s = rest.gpu_exclusive_s;
    if (!(all_s > 0) || outside_s < kMuchUnattributed * all_s) continue;
    return {
        {.verdict = fmt::format(
             "{} of kernel and graph time in {} ({} of {}) is outside all NVTX ranges",
             Percent(outside_s / all_s), Quoted(rest.source), Time(outside_s),
             Time(all_s)),
         .action = ranges == 0
                       ? "Add NVTX ranges around the phases of the program and check "
                         "them with 'ridgeline nvtx-list -- PROGRAM'"
                       : fmt::format("Add NVTX ranges around the work that the {} miss; "
                                     "a range covers only launches from its own thread",
                                     Plural(ranges, "region")),
         .evidence = {Cite(document.regions, rest, &RegionRow::gpu_exclusive_s)}}};
  }
  return {};
}

std::vector<Advice> CudaGraphLevelTrace(const Document& document) {
  for (const DeviceRow& device : document.devices) {
    if (device.graphs < 1) continue;
    if (device.graphs_s > device.busy_kernels_s)
      return {GraphsHideKernels(document, device)};
    return {
        {.verdict =
             fmt::format("{} in {} captured as a whole: their kernels are not listed",
                         Plural(device.graphs, "CUDA graph"), Quoted(device.source)),
         .action = fmt::format(
             "{} to list the kernels inside graphs; it adds overhead per kernel, so use "
             "it for shares, not times",
             GraphNodesKnob(document)),
         .evidence = {Cite(document.devices, device, &DeviceRow::graphs)}}};
  }
  return {};
}

}  // namespace ridgeline::report
