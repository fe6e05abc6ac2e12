#include "models/registry.h"

#include <fmt/format.h>

#include "models/deepseek_ocr/model.h"

namespace ridgeline::models {
namespace {

// Names must match those in models/networks/networks.cc.
constexpr ModelEntry kModels[] = {
    {.name = "deepseek_ocr",
     .open = deepseek_ocr::Open,
     .create = deepseek_ocr::Create,
     .has_output_options = true,
     .fixed_keys = deepseek_ocr::kFixedKeys,
     .renamed_keys = deepseek_ocr::kRenamedKeys},
    // A small classifier with random weights: no checkpoint, and no need for a closed
    // form of its FLOPs.
    {.name = "dummy_shallow_resnet"},
};

}  // namespace

std::span<const ModelEntry> AllModels() { return kModels; }

const ModelEntry* FindModel(std::string_view name) {
  for (const ModelEntry& entry : kModels) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::string WhyNotEstimated(std::string_view model) {
  const ModelEntry* const found = FindModel(model);
  if (found != nullptr && found->open != nullptr) return "";
  std::string names;
  for (const ModelEntry& entry : kModels) {
    if (entry.open == nullptr) continue;
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  return fmt::format("no FLOP ledger for model {}; only {} has one", model, names);
}

Result<std::unique_ptr<Model>> OpenModel(std::string_view name,
                                         const ModelSource& source) {
  const std::string why_not = WhyNotEstimated(name);
  if (!why_not.empty()) return Error(ErrorCode::kUnsupported, why_not);
  return FindModel(name)->open(source);
}

Result<std::unique_ptr<Model>> OpenAnyModel(const ModelSource& source) {
  Result<std::unique_ptr<Model>> first = Error(ErrorCode::kUnsupported, "no models");
  bool has_first = false;
  for (const ModelEntry& entry : kModels) {
    if (entry.open == nullptr) continue;
    Result<std::unique_ptr<Model>> opened = entry.open(source);
    if (opened.ok()) return opened;
    if (!has_first) first = std::move(opened);
    has_first = true;
  }
  return first;
}

}  // namespace ridgeline::models
