// A loaded model that reads pages. To add a model, add a folder next to this one with a
// function that creates its session, and a line in models/networks/networks.cc.
#pragma once

#include <ATen/ATen.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inference/device.h"
#include "inference/recorder/op_counter.h"
#include "model_io/images/image.h"
#include "model_io/predictions/predictions_file.h"
#include "profiles/op_counts.h"

namespace ridgeline::inference {

// Model options from the configuration; each model uses those that apply to it.
struct SessionOptions {
  // model.*, device, use_flash_attn
  std::filesystem::path path;  // Of the checkpoint.
  std::string dtype = "bf16";
  std::string device = "cpu";
  bool fused_attention = true;               // If supported by the build.
  std::optional<std::string> create_preset;  // For a checkpoint that does not exist.
  int64_t create_seed = 0;
  struct Preprocess {
    bool enable = true;
    int64_t base_size = 1024;
    int64_t image_size = 640;
    bool crop_mode = true;
  } preprocess;
  // infer.*
  std::string prompt;
  int64_t no_repeat_ngram_size = 0;
  std::optional<double> temperature;  // nullopt: no sampling.
  int64_t seed = 0;
};

using profiles::OpCounts;

class Session {
 public:
  virtual ~Session() = default;

  // Reads a page with at most this many new tokens. Stateless between calls. The result
  // has no `image`.
  virtual Result<predictions::Prediction> Read(const images::Image& page,
                                               int64_t max_new_tokens) const = 0;

  // Reads a page with this many decode steps, and counts operators.
  virtual Result<OpCounts> Count(const images::Image& page,
                                 int64_t decode_steps) const = 0;

  // The checkpoint's files.
  virtual std::vector<std::filesystem::path> files() const = 0;

  // The same for an image file; opening it is part of preprocessing.
  Result<predictions::Prediction> ReadFile(const std::filesystem::path& image,
                                           int64_t max_new_tokens) const;
};

// Loads the built-in model of that name. The error for an unknown name lists them.
using LoadSession = Result<std::unique_ptr<Session>> (*)(const std::string& name,
                                                         const SessionOptions& options);

// Receives the outputs of network parts by name: "sam.block3". Empty: not observed.
using Observer = std::function<void(std::string_view name, const at::Tensor& value)>;

inline void Tell(const Observer& observer, std::string_view name,
                 const at::Tensor& value) {
  if (observer) observer(name, value);
}

// Adds the wall time of its lifetime to `seconds`, synchronizing with the device at both
// ends.
class PhaseTimer {
 public:
  PhaseTimer(at::Device device, double& seconds) : device_(device), seconds_(seconds) {
    WaitFor(device_);
    start_ = Clock::now();
  }
  ~PhaseTimer() {
    WaitFor(device_);
    seconds_ += std::chrono::duration<double>(Clock::now() - start_).count();
  }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;

  at::Device device_;
  double& seconds_;
  Clock::time_point start_;
};

}  // namespace ridgeline::inference
