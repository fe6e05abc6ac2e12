#pragma once

#include <map>
#include <optional>
#include <string>

#include "config/value/value.h"
#include "model_io/datasets/dataset_options.h"
#include "pipeline/workload.h"

namespace ridgeline::workloads {

// The program that runs models, next to ours; nullopt if it is not part of this build.
std::optional<std::filesystem::path> FindModelProgram();

// The configured model, run in a separate process:
//   ridgeline-model run --config <scratch>/config.yaml --output <output>
// The file is the complete composed configuration with the changes of Changes() and
// PlacedConfig().
class BuiltinModel final : public pipeline::Workload {
 public:
  struct Options {
    std::string name;                 // model.name
    std::filesystem::path directory;  // Working directory; absolute.
    std::map<std::string, std::string> environment;
    config::Value config;              // See ModelConfig.
    std::filesystem::path checkpoint;  // Empty: none, or created on demand.
    datasets::DatasetOptions dataset;
    std::optional<std::filesystem::path> parity_reference;
  };

  explicit BuiltinModel(Options options) : options_(std::move(options)) {}

  std::string Describe() const override;
  std::string Unavailable() const override;
  pipeline::WorkloadKind kind() const override { return pipeline::WorkloadKind::kModel; }
  os::Command AsCommand(const pipeline::WorkloadPlace& place) const override;
  Status Prepare(const pipeline::WorkloadPlace& place) const override;
  std::vector<std::string> NamesInRunDir() const override;
  std::vector<std::string> Changes() const override;
  Result<std::vector<pipeline::InputPath>> Inputs() const override;

 private:
  Options options_;
};

}  // namespace ridgeline::workloads
