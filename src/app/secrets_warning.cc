#include "app/secrets_warning.h"

#include <fmt/format.h>

#include "base/plural.h"

namespace ridgeline::app {

std::string SecretsWarning(const profiles::ProfileInfo& info) {
  if (info.environment_values == 0) return "";
  std::string text = fmt::format("{} contains {} of the process environment", info.file,
                                 Plural(info.environment_values, "variable"));
  if (info.environment_secrets > 0) {
    text +=
        fmt::format(", {} {} secret (API_KEY, TOKEN, PASSWORD)", info.environment_secrets,
                    info.environment_secrets == 1 ? "looks" : "look");
  }
  return text + "; none were imported. Check before sharing the file";
}

}  // namespace ridgeline::app
