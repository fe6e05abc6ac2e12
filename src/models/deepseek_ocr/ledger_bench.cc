// Closed form of the full-size model: parameters, FLOPs and bytes of a page.
#include <benchmark/benchmark.h>

#include "models/deepseek_ocr/ledger.h"
#include "models/deepseek_ocr/presets.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

void LedgerOfTheFullModel(benchmark::State& state) {
  const Dimensions full = *Preset("full");
  SampleShape shapes =
      ShapesOfPage({.cols = 2, .rows = 3}, {}, /*text_tokens=*/10).value();
  shapes.decode_steps = state.range(0);
  for (auto _ : state) benchmark::DoNotOptimize(MakeLedger(full, shapes));
}
BENCHMARK(LedgerOfTheFullModel)->Arg(64)->Arg(8191)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ridgeline::models::deepseek_ocr
