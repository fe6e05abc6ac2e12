// Baseline cost of starting any program; compare all other start-up times with it.
#include <benchmark/benchmark.h>

#include "bench/start_program.h"

namespace {

void StartOnly(benchmark::State& state) {
  ridgeline::bench::StartProgram(state, {"--version"});
}
BENCHMARK(StartOnly)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
