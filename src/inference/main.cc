// ridgeline-model: the built-in model on a dataset. `ridgeline workload` starts it; it is
// a separate program because loading libtorch takes half a second and 170 MB.
//
//   ridgeline-model --config-file FILE [--output-dir DIR] [--stage NAME]
//
// The stage static_analysis counts operators and measures the GPU; measure_roofs only
// measures. All other stages process the pages.
// Exit code 3 if the output differs from the reference.
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "inference/options.h"
#include "inference/tasks.h"
#include "models/networks/networks.h"
#include "os/env.h"
#include "os/files.h"

namespace {

using ridgeline::Error;
using ridgeline::ErrorCode;
namespace inference = ridgeline::inference;
namespace networks = ridgeline::networks;

struct Arguments {
  std::string config_file;
  std::string output_dir;
  std::string stage = "workload";
};

ridgeline::Result<Arguments> Parse(const std::vector<std::string>& words) {
  Arguments arguments;
  for (size_t i = 0; i + 1 < words.size(); i += 2) {
    if (words[i] == "--config-file") {
      arguments.config_file = words[i + 1];
    } else if (words[i] == "--output-dir") {
      arguments.output_dir = words[i + 1];
    } else if (words[i] == "--stage") {
      arguments.stage = words[i + 1];
    } else {
      return Error(ErrorCode::kConfig, "unknown flag " + words[i]);
    }
  }
  if (words.size() % 2 != 0 || arguments.config_file.empty() ||
      arguments.output_dir.empty()) {
    return Error(ErrorCode::kConfig,
                 "usage: ridgeline-model --config-file FILE --output-dir DIR "
                 "[--stage NAME]");
  }
  return arguments;
}

ridgeline::Result<inference::RunVerdict> Run(const std::vector<std::string>& words) {
  RIDGELINE_TRY(const Arguments arguments, Parse(words));
  RIDGELINE_TRY(const std::filesystem::path directory, ridgeline::os::CurrentDirectory());
  RIDGELINE_TRY(
      const inference::Options options,
      inference::ReadOptionsFile(arguments.config_file, {directory, arguments.stage}));
  RIDGELINE_RETURN_IF_ERROR(ridgeline::os::CreateDirectories(arguments.output_dir));
  const inference::RunPlace place = {
      arguments.output_dir,
      ridgeline::os::GetEnv("RIDGELINE_PROGRESS_FILE").value_or("")};
  if (arguments.stage == "measure_roofs") {
    RIDGELINE_RETURN_IF_ERROR(inference::MeasureRoofs(options, place));
    return inference::RunVerdict{};
  }
  // static_analysis counts operators and measures ceilings instead of processing pages.
  if (arguments.stage == "static_analysis") {
    if (inference::RunsOnGpu(options)) {
      RIDGELINE_RETURN_IF_ERROR(inference::MeasureRoofs(options, place));
    }
    RIDGELINE_RETURN_IF_ERROR(inference::CountOps(options, place, networks::LoadModel));
    return inference::RunVerdict{};
  }
  return inference::RunPages(options, place, networks::LoadModel);
}

constexpr int kDiffers = 3;

int Report(const ridgeline::Result<inference::RunVerdict>& run) {
  if (!run.ok()) {
    std::cerr << "ridgeline-model: " << run.error().message() << '\n';
    return run.error().code() == ErrorCode::kConfig ? 2 : 1;
  }
  for (const std::string& problem : run.value().problems) {
    std::cerr << "ridgeline-model: " << problem << '\n';
  }
  if (!run.value().parity.empty()) {
    std::cerr << "ridgeline-model: parity: " << run.value().parity << '\n';
  }
  return run.value().differs ? kDiffers : 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Report(Run({argv + 1, argv + argc}));
  } catch (const std::exception& e) {
    std::cerr << "ridgeline-model: internal error: " << e.what() << '\n';
    return 1;
  }
}
