#include "inference/build_info.h"

#include <ATen/Context.h>
#include <ATen/Version.h>
#include <fmt/format.h>

#include <string_view>

#include "inference/torch_versions.h"

namespace ridgeline::inference {
namespace {

// The text after `label`, up to the first of `ends`.
std::string After(const std::string& text, std::string_view label,
                  std::string_view ends) {
  const size_t at = text.find(label);
  if (at == std::string::npos) return "";
  const size_t begin = at + label.size();
  return text.substr(begin, text.find_first_of(ends, begin) - begin);
}

}  // namespace

std::string CudaLines(const std::string& show_config) {
  std::string cuda = After(show_config, "CUDA Runtime ", " ,\n");
  // Without a usable GPU, libtorch only shows its build configuration.
  if (cuda.empty()) cuda = After(show_config, "CUDA_VERSION=", " ,\n");
  std::string lines = fmt::format("cuda {}\n", cuda.empty() ? "none" : cuda);
  if (cuda.empty()) return lines;
  lines += "architectures";
  const std::string flags = After(show_config, "NVCC architecture flags: ", "\n");
  constexpr std::string_view kCode = "code=";
  for (size_t at = 0; (at = flags.find(kCode, at)) != std::string::npos;) {
    at += kCode.size();
    lines += ' ' + flags.substr(at, flags.find_first_of(";, ", at) - at);
  }
  return lines + '\n';
}

std::string BuildInfo() {
  return fmt::format("libtorch {}\n{}gpus {}\n", TORCH_VERSION,
                     CudaLines(at::show_config()), at::getNumGPUs());
}

}  // namespace ridgeline::inference
