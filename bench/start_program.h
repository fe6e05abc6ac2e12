#pragma once

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace ridgeline::bench {

// Measures runs of the built program from start to end, as seen by a shell; its output is
// discarded. A failing run fails the benchmark.
void StartProgram(benchmark::State& state, const std::vector<std::string>& arguments,
                  const std::vector<std::string>& environment = {});

}  // namespace ridgeline::bench
