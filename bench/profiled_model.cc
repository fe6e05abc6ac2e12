// The built-in model as a C library, so that Python's profiler and ours can observe the
// same computation in one process (compare_torch_profiler.py).
#include <string>

#include "inference/device.h"
#include "inference/options.h"
#include "inference/recorder/op_recorder.h"
#include "inference/region.h"
#include "models/networks/networks.h"
#include "os/files.h"
#include "os/ticks.h"
#include "profiles/operators/operator_profile.h"

namespace {

using namespace ridgeline;

struct Model {
  inference::Options options;
  std::unique_ptr<inference::Session> session;
};

std::string error;

// Seconds; negative: failed, with the reason in `error`.
double Read(const Model& model, const char* image, int64_t tokens) {
  const int64_t begin_ns = os::MonotonicNs();
  const inference::Annotation step("ProfilerStep#0");
  const auto read = model.session->ReadFile(image, tokens);
  if (!read.ok()) {
    error = read.error().message();
    return -1;
  }
  return static_cast<double>(os::MonotonicNs() - begin_ns) * 1e-9;
}

}  // namespace

extern "C" {

const char* ridgeline_error() { return error.c_str(); }

// From a file with a composed configuration. Null on failure.
void* ridgeline_open(const char* config_file, const char* directory) {
  inference::PrepareCpu();
  auto options =
      inference::ReadOptionsFile(config_file, {directory, inference::Task::kProfile});
  if (!options.ok()) {
    error = options.error().message();
    return nullptr;
  }
  auto session = networks::LoadModel(options.value().model, options.value().session);
  if (!session.ok()) {
    error = session.error().message();
    return nullptr;
  }
  return new Model{std::move(options).value(), std::move(session).value()};
}

double ridgeline_read(void* model, const char* image, int64_t tokens) {
  return Read(*static_cast<Model*>(model), image, tokens);
}

// The same under our recorder, as configured. `profile_file` may be null.
double ridgeline_read_recorded(void* handle, const char* image, int64_t tokens,
                               const char* profile_file) {
  const Model& model = *static_cast<Model*>(handle);
  inference::OpRecorder recorder(model.options.profile.recorder);
  const double seconds = Read(model, image, tokens);
  if (seconds < 0 || profile_file == nullptr) return seconds;
  profiles::OperatorProfile profile;
  profile.wall_s = seconds;
  profile.operators =
      profiles::OperatorTable(recorder.Finish(), profiles::GroupBy::kName);
  const Status written = os::WriteFileAtomically(profile_file, profiles::ToJson(profile));
  if (!written.ok()) {
    error = written.error().message();
    return -1;
  }
  return seconds;
}
}
