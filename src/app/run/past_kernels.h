#pragma once

#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "pipeline/past_results.h"

namespace ridgeline::app {

// Reads the exports of the nsys stage of a run.
class PastKernels final : public pipeline::PastResults {
 public:
  // Both must outlive it.
  PastKernels(artifacts::Manifest& manifest, const artifacts::RunDir& run_dir)
      : manifest_(manifest), run_dir_(run_dir) {}

  Result<std::vector<pipeline::KernelTime>> Kernels() override;

 private:
  artifacts::Manifest& manifest_;
  const artifacts::RunDir& run_dir_;
};

}  // namespace ridgeline::app
