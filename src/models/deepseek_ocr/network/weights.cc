#include "models/deepseek_ocr/network/weights.h"

#include <ATen/CPUGeneratorImpl.h>
#include <c10/util/Exception.h>

#include "model_io/checkpoints/checkpoint.h"
#include "models/deepseek_ocr/tensor_list.h"

namespace ridgeline::networks::deepseek_ocr {
namespace {

Result<at::ScalarType> ScalarTypeOf(const checkpoints::TensorView& tensor) {
  switch (tensor.dtype) {
    case checkpoints::DType::kF32:
      return at::kFloat;
    case checkpoints::DType::kF16:
      return at::kHalf;
    case checkpoints::DType::kBf16:
      return at::kBFloat16;
    default:
      return Error(ErrorCode::kUnsupported,
                   "tensor " + tensor.name + " is not F32, F16 or BF16");
  }
}

Result<at::Tensor> MakeTensor(const checkpoints::TensorView& view) {
  RIDGELINE_TRY(const at::ScalarType stored, ScalarTypeOf(view));
  // ATen has no const tensors; weights are never written to.
  void* data = const_cast<std::byte*>(view.bytes.data());
  return at::from_blob(data, view.shape, at::TensorOptions().dtype(stored));
}

}  // namespace

Result<Weights> Weights::Load(std::shared_ptr<const checkpoints::Checkpoint> checkpoint,
                              const models::deepseek_ocr::Dimensions& dimensions,
                              const WeightOptions& options) {
  RIDGELINE_RETURN_IF_ERROR(checkpoints::CheckInventory(
      *checkpoint, models::deepseek_ocr::TensorList(dimensions)));
  Weights weights;
  for (const checkpoints::TensorView& view : checkpoint->tensors()) {
    RIDGELINE_TRY(at::Tensor tensor, MakeTensor(view));
    weights.tensors_.emplace(view.name, std::move(tensor));
  }
  weights.checkpoint_ = std::move(checkpoint);
  weights.options_ = options;
  return weights;
}

Weights Weights::Random(const models::deepseek_ocr::Dimensions& dimensions,
                        uint64_t seed) {
  Weights weights;
  at::Generator generator = at::detail::createCPUGenerator(seed);
  for (const auto& expected : models::deepseek_ocr::TensorList(dimensions)) {
    weights.tensors_.emplace(expected.name, at::randn(expected.shape, generator) * 0.02);
  }
  return weights;
}

at::Tensor Weights::Get(const std::string& name) const {
  const auto found = tensors_.find(name);
  TORCH_INTERNAL_ASSERT(found != tensors_.end(), name);
  return found->second.to(options_.device, options_.dtype);
}

at::Tensor Weights::GetMatrix(const std::string& name) const {
  const auto found = tensors_.find(name);
  TORCH_INTERNAL_ASSERT(found != tensors_.end(), name);
  const bool stays = options_.device.is_cpu() && options_.dtype == at::kFloat &&
                     found->second.scalar_type() == at::kBFloat16;
  return stays ? found->second : Get(name);
}

inference::Linear Weights::GetLinear(const std::string& name) const {
  return {GetMatrix(name + ".weight"), Get(name + ".bias")};
}

inference::Linear Weights::GetLinearWithoutBias(const std::string& name) const {
  return {GetMatrix(name + ".weight"), {}};
}

inference::LayerNorm Weights::GetNorm(const std::string& name, double epsilon) const {
  return {Get(name + ".weight"), Get(name + ".bias"), epsilon};
}

inference::GatedMlp Weights::GetMlp(const std::string& name) const {
  return {GetLinearWithoutBias(name + ".gate_proj"),
          GetLinearWithoutBias(name + ".up_proj"),
          GetLinearWithoutBias(name + ".down_proj")};
}

std::vector<std::filesystem::path> Weights::files() const {
  std::vector<std::filesystem::path> files;
  if (checkpoint_ == nullptr) return files;
  for (const checkpoints::CheckpointFile& file : checkpoint_->files()) {
    files.push_back(file.path);
  }
  return files;
}

}  // namespace ridgeline::networks::deepseek_ocr
