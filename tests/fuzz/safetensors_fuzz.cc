// Any bytes either are refused or are tensors that fill the data exactly, and whose
// description, written by us, is read as the same.
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model_io/checkpoints/checkpoint.h"
#include "model_io/checkpoints/dtype.h"
#include "model_io/checkpoints/safetensors.h"
#include "model_io/checkpoints/writer.h"
#include "tests/fuzz/fuzz.h"

namespace safetensors_fuzz {

using ridgeline::Result;
using ridgeline::checkpoints::FindTensor;
using ridgeline::checkpoints::InFileOrder;
using ridgeline::checkpoints::ParseSafetensors;
using ridgeline::checkpoints::ParseWeightIndex;
using ridgeline::checkpoints::Safetensors;
using ridgeline::checkpoints::SafetensorsHeader;
using ridgeline::checkpoints::SizeBytes;
using ridgeline::checkpoints::TensorSpec;
using ridgeline::checkpoints::TensorView;
using ridgeline::checkpoints::ToWeightIndexJson;
using ridgeline::checkpoints::WeightMap;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

// Returns the bytes of all tensors.
size_t CheckTensors(const Safetensors& content, std::span<const std::byte> file) {
  size_t total_bytes = 0;
  const std::string* last = nullptr;
  for (const TensorView& tensor : content.tensors) {
    Require(last == nullptr || *last < tensor.name);
    last = &tensor.name;
    Require(std::cmp_equal(tensor.bytes.size(),
                           SizeBytes(tensor.dtype, tensor.shape).value()));
    total_bytes += tensor.bytes.size();
    Require(FindTensor(content.tensors, tensor.name) == &tensor);
    if (tensor.bytes.empty()) continue;
    Require(tensor.bytes.data() >= file.data());
    Require(tensor.bytes.data() + tensor.bytes.size() <= file.data() + file.size());
  }
  return total_bytes;
}

void CheckRoundTrip(const Safetensors& content, size_t total_bytes) {
  std::vector<TensorSpec> specs;
  for (const TensorView& tensor : content.tensors) {
    specs.push_back({.name = tensor.name, .dtype = tensor.dtype, .shape = tensor.shape});
  }
  const Result<std::string> header = SafetensorsHeader(InFileOrder(std::move(specs)));
  Require(header.ok());
  const std::string file = header.value() + std::string(total_bytes, '\0');
  const Result<Safetensors> again =
      ParseSafetensors(std::as_bytes(std::span(file)), "written.safetensors");
  Require(again.ok());
  Require(again.value().tensors.size() == content.tensors.size());
  for (size_t i = 0; i < content.tensors.size(); ++i) {
    const TensorView& before = content.tensors[i];
    const TensorView& after = again.value().tensors[i];
    Require(after.name == before.name && after.dtype == before.dtype &&
            after.shape == before.shape);
  }
}

// The same bytes as the other file of a model that others wrote.
void CheckIndex(std::string_view text) {
  const Result<WeightMap> parsed = ParseWeightIndex(text, "fuzz.json");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.json: "));
    return;
  }
  const std::string json = ToWeightIndexJson(parsed.value(), 0);
  const Result<WeightMap> again = ParseWeightIndex(json, "written.json");
  Require(again.ok() && again.value() == parsed.value());
}

int Run(const uint8_t* data, size_t size) {
  const std::span<const std::byte> file = std::as_bytes(std::span(data, size));
  CheckIndex(AsText(data, size));
  const Result<Safetensors> parsed = ParseSafetensors(file, "fuzz.safetensors");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.safetensors: "));
    return 0;
  }
  CheckRoundTrip(parsed.value(), CheckTensors(parsed.value(), file));
  return 0;
}

}  // namespace safetensors_fuzz

RIDGELINE_FUZZ_TARGET(safetensors_fuzz)
