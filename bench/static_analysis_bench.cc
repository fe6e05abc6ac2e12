// The complete static analysis of the full-size model, without measuring the CPU: from a
// preset, or from config.json and tokenizer.json of the official model (found below
// RIDGELINE_SHARED), to both reports. No weights are read.
#include <benchmark/benchmark.h>

#include "models/estimate.h"
#include "os/env.h"
#include "os/files.h"
#include "report/sections/static_report.h"

namespace ridgeline {
namespace {

using models::EstimateOptions;

EstimateOptions FullModel() {
  return {.model = "deepseek_ocr",
          .model_path = "/nonexistent/model",
          .preset = "full",
          .prompt = "<image>\n<|grounding|>Convert the document to markdown. "};
}

void Analyse(const EstimateOptions& options, benchmark::State& state) {
  for (auto _ : state) {
    const profiles::StaticReport report = {
        models::EstimateSample(options, hardware::DeviceKind::kGpu).value(),
        hardware::DeviceCeilings{.device = "a GPU"}, std::nullopt};
    benchmark::DoNotOptimize(profiles::ToJson(report));
    benchmark::DoNotOptimize(report::StaticReportMarkdown(report));
  }
}

void StaticAnalysisOfThePreset(benchmark::State& state) { Analyse(FullModel(), state); }
BENCHMARK(StaticAnalysisOfThePreset)->Unit(benchmark::kMillisecond);

void StaticAnalysisOfTheOfficialModel(benchmark::State& state) {
  EstimateOptions options = FullModel();
  const std::filesystem::path shared =
      os::GetEnv("RIDGELINE_SHARED").value_or(RIDGELINE_SOURCE_DIR "/../shared");
  options.model_path = shared / "golden/deepseek_ocr/official";
  if (!os::IsRegularFile(options.model_path / "config.json")) {
    state.SkipWithError("the official configuration is not there");
    return;
  }
  Analyse(options, state);
}
BENCHMARK(StaticAnalysisOfTheOfficialModel)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ridgeline
