#include "app/ncu_kernels/kernel_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/digest.h"
#include "config/value/yaml_load.h"
#include "profiles/kernel_pattern.h"

namespace ridgeline::app {
namespace {

bool IsWordChar(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// "^f\(int\)$" -> "f(int)"
std::string WithoutQuoting(std::string_view regex) {
  if (regex.starts_with('^')) regex.remove_prefix(1);
  if (regex.ends_with('$')) regex.remove_suffix(1);
  std::string text;
  for (size_t i = 0; i < regex.size(); ++i) {
    const bool is_quoted = regex[i] == '\\' && i + 1 < regex.size();
    if (!is_quoted) {
      text += regex[i];
    } else if (regex[i + 1] == 'n') {
      text += '\n';
      ++i;
    } else if (!IsWordChar(regex[i + 1])) {
      text += regex[++i];
    } else {
      text += regex[i];
    }
  }
  return text;
}

Error Wrong(const std::string& file, const config::Value& where,
            const std::string& what) {
  return {ErrorCode::kConfig, fmt::format("{}:{}: {}", file, where.line, what)};
}

Result<std::string> TextOf(const config::Dict& entry, const char* key,
                           const std::string& file) {
  const config::Value* value = entry.Find(key);
  if (value == nullptr || value->is_null()) return std::string();
  if (!value->is_string()) {
    return Wrong(file, *value, fmt::format("'{}' of a kernel must be a string", key));
  }
  return value->string();
}

Result<ChosenKernel> KernelOf(const config::Value& entry, const std::string& file) {
  if (!entry.is_dict()) {
    return Wrong(file, entry, "a kernel must be a mapping with 'name' or 'regex'");
  }
  RIDGELINE_TRY(const std::string name, TextOf(entry.dict(), "name", file));
  RIDGELINE_TRY(const std::string regex, TextOf(entry.dict(), "regex", file));
  if (name.empty() && regex.empty()) {
    return Wrong(file, entry, "kernel without 'name' or 'regex'");
  }
  if (name.empty()) return ChosenKernel{.name = regex, .pattern = regex};
  if (regex.empty() || WithoutQuoting(regex) == name) {
    return ChosenKernel{.name = name, .pattern = profiles::NcuNamePattern(name)};
  }
  return ChosenKernel{.name = name, .pattern = regex};
}

}  // namespace

Result<std::vector<ChosenKernel>> ReadKernelList(std::string_view yaml,
                                                 const std::string& file) {
  const config::Result<config::Value> loaded = config::LoadYaml(yaml, file);
  if (!loaded.ok()) return config::ToError(loaded.error());
  const config::Value& root = loaded.value();
  const config::Value* list = root.is_dict() ? root.dict().Find("kernels") : nullptr;
  if (list == nullptr || !list->is_list()) {
    return Error(
        ErrorCode::kConfig,
        file + ": missing list 'kernels'; `ridgeline top-kernels` writes this file");
  }
  if (list->list().empty()) {
    return Error(ErrorCode::kConfig, file + ": list 'kernels' is empty");
  }
  std::vector<ChosenKernel> kernels;
  for (const config::Value& entry : list->list()) {
    RIDGELINE_TRY(ChosenKernel kernel, KernelOf(entry, file));
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

std::vector<ChosenKernel> KernelsOfRegexes(const std::vector<std::string>& regexes) {
  std::vector<ChosenKernel> kernels;
  for (const std::string& regex : regexes) {
    kernels.push_back({.name = regex, .pattern = regex});
  }
  return kernels;
}

std::string DirectoryName(const std::vector<ChosenKernel>& kernels, size_t index) {
  const size_t digits = std::max<size_t>(4, std::to_string(kernels.size()).size());
  return fmt::format("kernel_{:0{}}_{}", index + 1, digits, Md5(kernels[index].name));
}

}  // namespace ridgeline::app
