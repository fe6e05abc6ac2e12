// The tasks of `ridgeline-model`.
#pragma once

#include <filesystem>
#include <ostream>

#include "base/result.h"
#include "inference/options.h"
#include "inference/session.h"
#include "model_io/predictions/predictions_file.h"
#include "profiles/operators/operator_profile.h"

namespace ridgeline::inference {

struct RunPlace {
  std::filesystem::path output;         // Exists; predictions and metrics go here.
  std::filesystem::path progress_file;  // Empty: no progress file.
  // Continue after the last page that an earlier process finished in `output`.
  bool resume = false;
  std::ostream& messages;  // For people: pages that were skipped, and the like.
};

// Result of a run.
struct RunVerdict {
  bool differs = false;  // From the reference; parity.json has the place.
  std::string parity;    // In one sentence; empty: nothing to compare with.
};

// Reads every sample of the dataset as often as the options say. The outputs (of the
// first pass) and pages.jsonl (of all) grow page by page; metrics.json and, with a
// reference, parity.json follow at the end. Pages that cannot be read are skipped and
// named, as dataset.on_error says; if none can be read, that is an error.
Result<RunVerdict> RunPages(const Options& given, const RunPlace& place,
                            inference::LoadSession load);

// A page that was read under the recorder.
struct ProfiledPage {
  profiles::OperatorProfile profile;
  std::string trace;  // The bytes of trace.json.gz.
  predictions::Prediction prediction;
};

// Reads the page three times: without the recorder, with it, and without it again, so
// that what recording costs is known. On a GPU a fourth time under libtorch's own
// profiler, if that can record kernels; the trace is then the one of that. The model must
// be warm. `scratch` is written and removed again.
Result<ProfiledPage> ProfilePage(const inference::Session& session,
                                 const std::filesystem::path& page,
                                 const ProfileOptions& options,
                                 const std::filesystem::path& scratch);

// Processes one page, synthetic or the first of the dataset, and writes dispatcher.json:
// the FLOPs of the dispatched GEMMs by phase, scope and class.
Status CountOps(const Options& options, const RunPlace& place,
                inference::LoadSession load);

// Writes gpu_peaks.json: measured peak FLOP/s and bandwidth of the GPU. For the CPU,
// or without a CUDA device, the file contains the reason instead.
Status MeasurePeaks(const Options& options, const RunPlace& place);

// Whether the options choose a GPU that is there.
bool RunsOnGpu(const Options& options);

}  // namespace ridgeline::inference
