// Composes our own conf/: in this process, and as a whole process from its start to the
// printed configuration. compare_hydra.py compares both with the real Hydra.
#include <benchmark/benchmark.h>

#include "bench/start_program.h"
#include "config/compose/composer.h"
#include "config/tree/to_value.h"
#include "config/value/yaml_dump.h"

namespace {

using namespace ridgeline;  // NOLINT(google-build-using-namespace)

config::ComposeRequest DemoRequest(const config::ConfigFiles& files) {
  config::ComposeRequest request;
  request.files = &files;
  request.config_path = RIDGELINE_SOURCE_DIR "/conf";
  request.working_directory = RIDGELINE_SOURCE_DIR;
  request.config_name = "config";
  request.overrides = {"+preset=demo", "infer.max_new_tokens=16"};
  return request;
}

void ComposeOwnTree(benchmark::State& state) {
  const config::DiskFiles files;
  const config::ComposeRequest request = DemoRequest(files);
  for (auto _ : state) {
    config::Workspace workspace({});
    auto composed = config::Compose(workspace, request);
    if (!composed.ok()) {
      state.SkipWithError(composed.error().message.c_str());
      break;
    }
    benchmark::DoNotOptimize(composed.value().root);
  }
}
BENCHMARK(ComposeOwnTree)->Unit(benchmark::kMillisecond);

void PrintComposed(benchmark::State& state) {
  const config::DiskFiles files;
  config::Workspace workspace({});
  const auto composed = config::Compose(workspace, DemoRequest(files));
  const config::Value value = config::ToValue(*composed.value().root);
  for (auto _ : state) benchmark::DoNotOptimize(config::DumpYaml(value));
}
BENCHMARK(PrintComposed)->Unit(benchmark::kMillisecond);

void StartAndCompose(benchmark::State& state) {
  bench::StartProgram(state, {"run", "+preset=demo", "--cfg", "job"});
}
BENCHMARK(StartAndCompose)->Unit(benchmark::kMillisecond)->UseRealTime();

void CompleteALine(benchmark::State& state) {
  bench::StartProgram(state, {"run", "-sc", "query=bash"},
                      {"COMP_LINE=ridgeline run pipeline.nsys."});
}
BENCHMARK(CompleteALine)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
