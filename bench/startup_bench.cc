// The cost of having a program at all; every other start-up time is to be read
// against it.
#include <benchmark/benchmark.h>

#include "bench/start_program.h"

namespace {

void StartOnly(benchmark::State& state) {
  ridgeline::bench::StartProgram(state, {"--version"});
}
BENCHMARK(StartOnly)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
