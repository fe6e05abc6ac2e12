#include "models/networks/networks.h"

#include <string_view>

#include "models/deepseek_ocr/network/session.h"
#include "models/dummy_shallow_resnet/network/session.h"

namespace ridgeline::networks {
namespace {

struct ModelEntry {
  std::string_view name;
  Result<std::unique_ptr<inference::Session>> (*make)(const inference::SessionOptions&);
};

// All built-in networks.
constexpr ModelEntry kModels[] = {
    {"deepseek_ocr", networks::deepseek_ocr::MakeSession},
    {"dummy_shallow_resnet", networks::dummy_shallow_resnet::MakeSession},
};

}  // namespace

Result<std::unique_ptr<inference::Session>> LoadModel(
    const std::string& name, const inference::SessionOptions& options) {
  std::string names;
  for (const ModelEntry& entry : kModels) {
    if (entry.name == name) return entry.make(options);
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  return Error(ErrorCode::kConfig,
               "model.name: unknown model '" + name + "'; available: " + names);
}

}  // namespace ridgeline::networks
