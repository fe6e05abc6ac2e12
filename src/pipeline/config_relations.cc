#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "config/tree/select.h"
#include "pipeline/config_keys.h"

namespace ridgeline::pipeline {
namespace {

using config::ErrorKind;
using config::Node;

// The values of one configuration, by key; nothing for what is absent or null.
class Values {
 public:
  Values(config::Workspace& workspace, Node& root) : workspace_(workspace), root_(root) {}

  const Node* Find(std::string_view key) const {
    config::Result<Node*> found = config::Select(workspace_, root_, key);
    if (!found.ok() || found.value() == nullptr || found.value()->IsNone())
      return nullptr;
    return found.value();
  }
  bool IsTrue(std::string_view key, bool otherwise) const {
    const bool* value = ScalarAt<bool>(key);
    return value == nullptr ? otherwise : *value;
  }
  std::string Text(std::string_view key) const {
    const std::string* value = ScalarAt<std::string>(key);
    return value == nullptr ? "" : *value;
  }
  std::optional<int64_t> Int(std::string_view key) const {
    const config::Integer* value = ScalarAt<config::Integer>(key);
    if (value == nullptr) return std::nullopt;
    return value->AsInt64();
  }

  void Fail(std::string_view key, std::string_view what) {
    config::Error error(ErrorKind::kValidation, fmt::format("{}: {}", key, what));
    if (const Node* node = WrittenAt(key)) error.origin = node->origin;
    errors.push_back(std::move(error));
  }

  std::vector<config::Error> errors;

 private:
  template <typename T>
  const T* ScalarAt(std::string_view key) const {
    const Node* node = Find(key);
    if (node == nullptr || !node->is_scalar() || !node->value.is_scalar()) return nullptr;
    return std::get_if<T>(&node->value.scalar());
  }
  // Where the key stands, or the nearest mapping around it.
  const Node* WrittenAt(std::string_view key) const {
    const Node* node = &root_;
    for (const std::string& part : config::SplitKey(key)) {
      Node* const* next = node->children.Find(part);
      if (next == nullptr) break;
      node = *next;
    }
    return node;
  }

  config::Workspace& workspace_;
  Node& root_;
};

void CheckDevice(Values& values) {
  const std::string device = values.Text("device");
  const std::string old = values.Text("run.device");
  if (!old.empty() && old != device) {
    values.Fail(
        "run.device",
        fmt::format("is '{}', but device is '{}'; set only `device`", old, device));
  }
}

void CheckRunDirectory(Values& values, config::Workspace& workspace) {
  if (workspace.hydra == nullptr) return;
  const std::string used = Values(workspace, *workspace.hydra).Text("run.dir");
  const std::string given = values.Text("artifacts.runs_dir");
  if (!given.empty() && !used.empty() && given != used) {
    values.Fail(
        "artifacts.runs_dir",
        fmt::format("is '{}', but hydra.run.dir is '{}'; set only `hydra.run.dir`", given,
                    used));
  }
}

void CheckNsys(Values& values) {
  const bool gated = values.IsTrue("pipeline.nsys.enable", false) &&
                     values.IsTrue("pipeline.nsys.gating_nvtx", true) &&
                     values.Text("pipeline.nsys.capture_range") == "nvtx";
  const Node* const capture = values.Find("pipeline.nsys.nvtx_capture");
  const bool has_list = capture != nullptr && capture->is_list() && capture->size() > 0;
  if (gated && !has_list && values.Text("pipeline.nsys.nvtx_capture").empty()) {
    values.Fail(
        "pipeline.nsys.nvtx_capture",
        "is empty, but capture_range=nvtx needs an NVTX range (prefill, decode, name@*)");
  }
  if (values.Find("pipeline.nsys.nvtx_domain_include") != nullptr &&
      values.Find("pipeline.nsys.nvtx_domain_exclude") != nullptr) {
    values.Fail("pipeline.nsys.nvtx_domain_exclude",
                "nvtx_domain_include and nvtx_domain_exclude are mutually exclusive");
  }
}

void CheckWorkload(Values& values) {
  const Node* command = values.Find("pipeline.workload.command");
  const bool has_command = command != nullptr && !command->items.empty();
  if (has_command && !values.Text("pipeline.workload.module").empty()) {
    values.Fail("pipeline.workload.module",
                "selects the built-in model, but pipeline.workload.command selects a "
                "program; set only one of them");
  }
}

void CheckInference(Values& values) {
  const Node* temperature = values.Find("infer.temperature");
  const bool is_zero =
      temperature != nullptr && config::PythonEqual(temperature->value, config::Value(0));
  if (values.IsTrue("infer.do_sample", false) && is_zero) {
    values.Fail("infer.temperature", "must be above 0 when infer.do_sample is true");
  }
  if (values.Text("infer.context_len_mode") == "fixed" &&
      !values.Int("infer.context_len_fixed")) {
    values.Fail("infer.context_len_fixed", "is required with context_len_mode=fixed");
  }
  if (values.Find("model.create.preset") != nullptr && !values.Int("model.create.seed")) {
    values.Fail("model.create.seed", "is required with a preset");
  }
}

void CheckPreprocess(Values& values) {
  const std::optional<int64_t> patch = values.Int("model.preprocess.patch_size");
  const std::optional<int64_t> ratio = values.Int("model.preprocess.downsample_ratio");
  if (!patch || !ratio) return;
  // 32-bit sides: larger ones are not images, and the product cannot overflow.
  constexpr int64_t kLargest = int64_t{1} << 31;
  if (*patch > kLargest || *ratio > kLargest) return;
  for (std::string_view key :
       {"model.preprocess.base_size", "model.preprocess.image_size"}) {
    const std::optional<int64_t> size = values.Int(key);
    if (!size || *size % (*patch * *ratio) == 0) continue;
    values.Fail(key,
                fmt::format("is {}, not a multiple of patch_size * downsample_ratio = {}",
                            *size, *patch * *ratio));
  }
}

void CheckTorchProfiler(Values& values) {
  if (values.IsTrue("pipeline.torch_profiler.group_by_input_shape", false) &&
      !values.IsTrue("pipeline.torch_profiler.record_shapes", false)) {
    values.Fail("pipeline.torch_profiler.group_by_input_shape",
                "needs pipeline.torch_profiler.record_shapes=true");
  }
}

}  // namespace

std::vector<config::Error> CheckRelations(config::Workspace& workspace,
                                          Node& job_config) {
  Values values(workspace, job_config);
  CheckDevice(values);
  CheckRunDirectory(values, workspace);
  CheckNsys(values);
  CheckWorkload(values);
  CheckInference(values);
  CheckPreprocess(values);
  CheckTorchProfiler(values);
  return std::move(values.errors);
}

}  // namespace ridgeline::pipeline
