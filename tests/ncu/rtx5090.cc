#include "tests/ncu/rtx5090.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "analysis/ncu_device.h"
#include "hardware/ceilings.h"
#include "report/svg/ncu_plots.h"
#include "runs/ncu_directory.h"

namespace ridgeline::ncu_cases {
namespace {

namespace fs = std::filesystem;
using analysis::BottleneckRule;
using analysis::MemoryLevel;
using analysis::NcuKernel;
using analysis::NcuPrecision;
using reference::Compare;
using reference::Comparison;

struct Run {
  runs::NcuDirectory directory;
  analysis::NcuFindings findings;
};

Result<Run> Analyze(const fs::path& path) {
  Run run;
  RIDGELINE_TRY(run.directory, runs::ReadNcuDirectory(path));
  RIDGELINE_TRY(const hardware::GpuSpec* const gpu,
                hardware::FindGpuSpec("GeForce RTX 5090", hardware::GpuSpecs()));
  run.findings = analysis::FindingsOf(
      run.directory.rows,
      {.rule = BottleneckRule::kThroughputGap, .device = analysis::NcuDeviceOf(*gpu)});
  return run;
}

Json IntensityOf(const NcuKernel& kernel, NcuPrecision precision) {
  const auto flops = FlopsOf(kernel, precision);
  return flops && kernel.dram_bytes ? Json(*flops / *kernel.dram_bytes) : Json();
}

// The report says "memory throughput", which ncu has two of, and does not say which FLOPs
// it counts; all readings are known.
Json ClassesOf(const NcuKernel& kernel, double ridge) {
  Json classes = {{"code_sm_minus_dram_5pp",
                   NameOf(ClassOf(kernel, BottleneckRule::kThroughputGap, {}))}};
  for (const bool is_dram : {false, true}) {
    for (const char* const flops : {"tensor_only", "missing_is_0", "total"}) {
      NcuKernel read = kernel;
      if (is_dram) read.memory_percent = kernel.dram_percent;
      if (std::string(flops) != "total") read.flops[NcuPrecision::kFp32] = 0;
      const std::string name =
          std::string("doc_") + (is_dram ? "dram" : "mem") + "%_AI_" + flops;
      classes[name] =
          NameOf(ClassOf(read, BottleneckRule::kRidge, {.ridge_flops_per_byte = ridge}));
    }
  }
  return classes;
}

Json KernelOf(const Run& run, size_t i) {
  const analysis::NcuLaunchFinding& finding = run.findings.launches[i];
  const NcuKernel& kernel = finding.kernel;
  Json json =
      LaunchAsReference(run.directory.rows, run.directory.rows.launches[i], finding);
  json.erase("ai_from_roofline");
  json["kernel_id"] = run.directory.groups[i];
  json["ai_tensor"] = IntensityOf(kernel, NcuPrecision::kTensor);
  json["ai_total"] = *FlopsTotalOf(kernel) / *kernel.dram_bytes;
  json["flops_fp32_from_roofline"] = *FlopsOf(kernel, NcuPrecision::kFp32);
  json["published_class"] = NameOf(finding.kernel_class);
  json["class"] = ClassesOf(kernel, *run.findings.devices.front().ridge_flops_per_byte);
  return json;
}

// Only the fields that we have; what was published about it otherwise is wrong or told
// twice.
Json WantOf(Json want, const Json& got) {
  want = Comparable(std::move(want));
  for (auto field = want.begin(); field != want.end();) {
    field = got.contains(field.key()) ? std::next(field) : want.erase(field);
  }
  return want;
}

std::string TextOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

NamedComparison CheckPlot(const report::PlotFile& plot, const fs::path& golden) {
  const fs::path path = golden / plot.name;
  if (std::getenv("RIDGELINE_UPDATE_GOLDEN") != nullptr) {
    fs::create_directories(golden);
    std::ofstream(path, std::ios::binary) << plot.svg;
  }
  Comparison comparison = {.checks = 1};
  if (TextOf(path) != plot.svg) {
    comparison.wrong.push_back("differs from " + path.string() +
                               "; RIDGELINE_UPDATE_GOLDEN=1 writes it anew");
  }
  return {"plot " + plot.name, comparison};
}

}  // namespace

std::vector<NamedComparison> CheckRtx5090(const fs::path& directory, const Json& want,
                                          const fs::path& golden) {
  Result<Run> analyzed = Analyze(directory);
  if (!analyzed.ok()) return {{"rtx5090", {.wrong = {analyzed.error().message()}}}};
  const Run& run = analyzed.value();
  std::vector<NamedComparison> comparisons;
  const Json& kernels = want.at("kernels");
  std::map<std::string, int> classes;
  for (size_t i = 0; i < run.findings.launches.size(); ++i) {
    ++classes[std::string(NameOf(run.findings.launches[i].kernel_class))];
    if (i >= kernels.size()) continue;
    const Json got = KernelOf(run, i);
    const std::string name = run.directory.groups[i].substr(0, 11);
    comparisons.push_back({"rtx5090/" + name, Compare(got, WantOf(kernels[i], got))});
  }
  comparisons.push_back({"rtx5090 published classes",
                         Compare(Json(classes), want.at("counts").at("published"))});
  for (const report::PlotFile& plot : report::NcuPlots(run.findings)) {
    comparisons.push_back(CheckPlot(plot, golden));
  }
  return comparisons;
}

}  // namespace ridgeline::ncu_cases
