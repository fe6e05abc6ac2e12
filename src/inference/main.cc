// ridgeline-model: runs a built-in model on a dataset. Started by the stages of
// `ridgeline run`; a separate program because loading libtorch takes half a second and
// 170 MB.
#include <exception>
#include <ostream>
#include <string>
#include <vector>

#include "inference/arguments.h"
#include "inference/build_info.h"
#include "inference/tasks.h"
#include "models/networks/networks.h"
#include "os/env.h"
#include "os/files.h"
#include "os/standard_streams.h"

namespace {

using ridgeline::ErrorCode;
using ridgeline::Result;
namespace inference = ridgeline::inference;
namespace networks = ridgeline::networks;
using inference::ModelExit;
using inference::RunVerdict;
using inference::Task;
using ridgeline::os::StandardStreams;

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

Result<RunVerdict> Run(const inference::Arguments& arguments, std::ostream& err) {
  RIDGELINE_TRY(const std::filesystem::path directory, ridgeline::os::CurrentDirectory());
  RIDGELINE_TRY(
      const inference::Options options,
      inference::ReadOptionsFile(arguments.config_file, {directory, arguments.task}));
  RIDGELINE_RETURN_IF_ERROR(ridgeline::os::CreateDirectories(arguments.output_directory));
  return Do(arguments.task, options,
            {arguments.output_directory,
             ridgeline::os::GetEnv("RIDGELINE_PROGRESS_FILE").value_or(""),
             arguments.resume, err});
}

ModelExit Fail(const ridgeline::Error& error, std::ostream& err) {
  err << "ridgeline-model: " << error.message() << '\n';
  return error.code() == ErrorCode::kConfig ? ModelExit::kUsage : ModelExit::kFailed;
}

ModelExit Report(Task task, const RunVerdict& verdict, std::ostream& err) {
  if (!verdict.parity.empty()) {
    err << "ridgeline-model: parity: " << verdict.parity << '\n';
  }
  // A profiler would treat another exit code as a failure; the verdict is in parity.json.
  const bool is_capture = task == Task::kRepresentative;
  return verdict.differs && !is_capture ? ModelExit::kDiffers : ModelExit::kDone;
}

ModelExit Main(const std::vector<std::string>& words, StandardStreams& streams) {
  const Result<inference::Arguments> arguments = inference::ParseArguments(words);
  if (!arguments.ok()) return Fail(arguments.error(), streams.err);
  if (arguments.value().help) {
    streams.out << inference::Usage();
    return ModelExit::kDone;
  }
  if (arguments.value().version) {
    streams.out << inference::BuildInfo();
    return ModelExit::kDone;
  }
  const Result<RunVerdict> run = Run(arguments.value(), streams.err);
  return run.ok() ? Report(arguments.value().task, run.value(), streams.err)
                  : Fail(run.error(), streams.err);
}

}  // namespace

int main(int argc, char** argv) {
  StandardStreams streams;
  try {
    const ModelExit ended = Main({argv + 1, argv + argc}, streams);
    const ridgeline::Status written = streams.Flush();
    return static_cast<int>(written.ok() ? ended : Fail(written.error(), streams.err));
  } catch (const std::exception& e) {
    streams.err << "ridgeline-model: internal error: " << e.what() << '\n';
    return static_cast<int>(ModelExit::kFailed);
  }
}
