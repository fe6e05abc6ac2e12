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
  std::filesystem::path output;         // Must exist; predictions and metrics go here.
  std::filesystem::path progress_file;  // Empty: no progress file.
  // Continue after the last page finished by an earlier process in `output`.
  bool resume = false;
  std::ostream& messages;  // For people: skipped pages etc.
};

// Result of a run.
struct RunVerdict {
  bool differs = false;  // From the reference; details are in parity.json.
  std::string parity;    // One sentence; empty: no reference.
};

// Reads every sample of the dataset as often as configured. The outputs (first pass) and
// pages.jsonl (all passes) grow page by page; metrics.json and, with a reference,
// parity.json follow at the end. Unreadable pages are skipped and reported according to
// dataset.on_error; fails if no page is readable.
Result<RunVerdict> RunPages(const Options& given, const RunPlace& place,
                            inference::LoadSession load);

// A page read under the recorder.
struct ProfiledPage {
  profiles::OperatorProfile profile;
  std::string trace;  // Contents of trace.json.gz.
  predictions::Prediction prediction;
};

// Reads the page three times: without the recorder, with it, and without it again, to
// measure the profiling overhead. On a GPU a fourth time under libtorch's own profiler,
// if that supports kernels; its trace is then used. The model must be warmed up.
// `scratch` is written and removed.
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

// Whether the options select an available GPU.
bool RunsOnGpu(const Options& options);

}  // namespace ridgeline::inference
