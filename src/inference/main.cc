// ridgeline-model: a built-in model on a dataset. The stages of `ridgeline run` start it;
// it is a separate program because loading libtorch takes half a second and 170 MB.
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "inference/arguments.h"
#include "inference/build_info.h"
#include "inference/tasks.h"
#include "models/networks/networks.h"
#include "os/env.h"
#include "os/files.h"

namespace {

using ridgeline::ErrorCode;
using ridgeline::Result;
namespace inference = ridgeline::inference;
namespace networks = ridgeline::networks;
using inference::ModelExit;
using inference::RunVerdict;
using inference::Task;

Result<RunVerdict> Do(Task task, const inference::Options& options,
                      const inference::RunPlace& place) {
  switch (task) {
    case Task::kRun:
    case Task::kRepresentative:
    case Task::kProfile:
      return inference::RunPages(options, place, networks::LoadModel);
    case Task::kCount:
      if (inference::RunsOnGpu(options)) {
        RIDGELINE_RETURN_IF_ERROR(inference::MeasurePeaks(options, place));
      }
      RIDGELINE_RETURN_IF_ERROR(inference::CountOps(options, place, networks::LoadModel));
      break;
    case Task::kMeasure:
      RIDGELINE_RETURN_IF_ERROR(inference::MeasurePeaks(options, place));
      break;
  }
  return RunVerdict{};
}

Result<RunVerdict> Run(const inference::Arguments& arguments) {
  RIDGELINE_TRY(const std::filesystem::path directory, ridgeline::os::CurrentDirectory());
  RIDGELINE_TRY(
      const inference::Options options,
      inference::ReadOptionsFile(arguments.config_file, {directory, arguments.task}));
  RIDGELINE_RETURN_IF_ERROR(ridgeline::os::CreateDirectories(arguments.output_directory));
  return Do(
      arguments.task, options,
      {arguments.output_directory,
       ridgeline::os::GetEnv("RIDGELINE_PROGRESS_FILE").value_or(""), arguments.resume});
}

ModelExit Fail(const ridgeline::Error& error) {
  std::cerr << "ridgeline-model: " << error.message() << '\n';
  return error.code() == ErrorCode::kConfig ? ModelExit::kUsage : ModelExit::kFailed;
}

ModelExit Report(const RunVerdict& verdict) {
  if (!verdict.parity.empty()) {
    std::cerr << "ridgeline-model: parity: " << verdict.parity << '\n';
  }
  return verdict.differs ? ModelExit::kDiffers : ModelExit::kDone;
}

ModelExit Main(const std::vector<std::string>& words) {
  const Result<inference::Arguments> arguments = inference::ParseArguments(words);
  if (!arguments.ok()) return Fail(arguments.error());
  if (arguments.value().help) {
    std::cout << inference::Usage();
    return ModelExit::kDone;
  }
  if (arguments.value().version) {
    std::cout << inference::BuildInfo();
    return ModelExit::kDone;
  }
  const Result<RunVerdict> run = Run(arguments.value());
  return run.ok() ? Report(run.value()) : Fail(run.error());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return static_cast<int>(Main({argv + 1, argv + argc}));
  } catch (const std::exception& e) {
    std::cerr << "ridgeline-model: internal error: " << e.what() << '\n';
    return static_cast<int>(ModelExit::kFailed);
  }
}
