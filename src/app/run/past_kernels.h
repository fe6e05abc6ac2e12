#pragma once

#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "pipeline/past_results.h"
#include "runs/run_profiles.h"

namespace ridgeline::app {

// The exports of a run's nsys stage; the final reports reuse the profiles read here.
class PastKernels final : public pipeline::PastResults {
 public:
  // All arguments must outlive it.
  PastKernels(artifacts::Manifest& manifest, const artifacts::RunDir& run_dir,
              runs::RunProfiles& profiles)
      : manifest_(manifest), run_dir_(run_dir), profiles_(profiles) {}

  Result<std::vector<pipeline::KernelTime>> Kernels(
      const std::vector<std::string>& ranges) override;

 private:
  artifacts::Manifest& manifest_;
  const artifacts::RunDir& run_dir_;
  runs::RunProfiles& profiles_;
};

}  // namespace ridgeline::app
