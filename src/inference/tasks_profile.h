#pragma once

#include <filesystem>

#include "base/result.h"
#include "inference/options.h"
#include "inference/session.h"
#include "model_io/predictions/predictions_file.h"
#include "profiles/operators/operator_profile.h"

namespace ridgeline::inference {

// A page that was read under the recorder.
struct ProfiledPage {
  profiles::Profile profile;
  std::string trace;  // The bytes of trace.json.gz.
  predictions::PagePrediction prediction;
};

// Reads the page three times: without the recorder, with it, and without it again, so
// that what recording costs is known. On a GPU a fourth time under libtorch's own
// profiler, if that can record kernels; the trace is then the one of that. The model must
// be warm. `scratch` is written and removed again.
Result<ProfiledPage> ProfilePage(const inference::Session& session,
                                 const std::filesystem::path& page,
                                 const ProfileOptions& options,
                                 const std::filesystem::path& scratch);

}  // namespace ridgeline::inference
