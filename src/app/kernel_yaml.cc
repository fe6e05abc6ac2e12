#include "app/kernel_yaml.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "profiles/kernel_pattern.h"

namespace ridgeline::app {

std::string ExactRegex(std::string_view text) {
  return "^" + profiles::RegexQuoted(text) + "$";
}

std::string YamlQuoted(std::string_view text) {
  const bool has_control = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  std::string quoted;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || c == 0x7F) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else if (has_control && (c == '"' || c == '\\')) {
      quoted += {'\\', c};
    } else if (!has_control && c == '\'') {
      quoted += "''";
    } else {
      quoted += c;
    }
  }
  const char quote = has_control ? '"' : '\'';
  return quote + quoted + quote;
}

std::string ToYaml(const KernelYaml& list) {
  std::string yaml = fmt::format(
      "# Kernels by share of kernel time, written by ridgeline top-kernels.\n"
      "# A regex matches one kernel exactly; edit it to match a family of them.\n"
      "source: {}\n",
      YamlQuoted(list.source));
  if (!list.region.empty()) yaml += fmt::format("region: {}\n", YamlQuoted(list.region));
  if (list.kernels.empty()) return yaml + "kernels: []\n";
  yaml += "kernels:\n";
  for (size_t i = 0; i < list.kernels.size(); ++i) {
    const RankedKernel& kernel = list.kernels[i];
    const std::string description =
        fmt::format("rank {}: {:.1f} % of kernel time, {}", i + 1,
                    100 * kernel.time_share, Plural(kernel.calls, "launch"));
    yaml += fmt::format("- name: {}\n  regex: {}\n  description: {}\n",
                        YamlQuoted(kernel.name), YamlQuoted(ExactRegex(kernel.name)),
                        YamlQuoted(description));
    yaml += fmt::format(
        "  rank: {}\n  time_share: {:.6f}\n  time_total_ns: {}\n"
        "  calls: {}\n",
        i + 1, kernel.time_share, kernel.time_total_ns, kernel.calls);
  }
  return yaml;
}

}  // namespace ridgeline::app
