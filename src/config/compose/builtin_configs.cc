#include "config/compose/builtin_configs.h"

#include <string>
#include <utility>

namespace ridgeline::config {
namespace {

struct BuiltinFile {
  std::string_view path;  // Below the package.
  std::string_view text;
};

constexpr BuiltinFile kFiles[] = {
    {"hydra/env/default.yaml", ""},
    {"hydra/output/default.yaml", R"(# @package hydra

run:
  dir: outputs/${now:%Y-%m-%d}/${now:%H-%M-%S}
sweep:
  dir: multirun/${now:%Y-%m-%d}/${now:%H-%M-%S}
  subdir: ${hydra.job.num}
)"},
    {"hydra/help/default.yaml", R"(app_name: ${hydra.job.name}
header: |
  ${hydra.help.app_name} is powered by Hydra.
footer: |
  Powered by Hydra (https://hydra.cc)
  Use --hydra-help to view Hydra specific help
template: |
  ${hydra.help.header}
  == Configuration groups ==
  Compose your configuration from those groups (group=option)

  $APP_CONFIG_GROUPS

  == Config ==
  Override anything in the config (foo.bar=value)

  $CONFIG

  ${hydra.help.footer}
)"},
    {"hydra/hydra_help/default.yaml", R"(template: |
  Hydra (${hydra.runtime.version})
  See https://hydra.cc for more info.

  == Flags ==
  $FLAGS_HELP

  == Configuration groups ==
  Compose your configuration from those groups (For example, append hydra/job_logging=disabled to command line)

  $HYDRA_CONFIG_GROUPS

  Use '--cfg hydra' to Show the Hydra config.
)"},
    {"hydra/hydra_logging/default.yaml", R"(version: 1
formatters:
  simple:
    format: "[%(asctime)s][HYDRA] %(message)s"
handlers:
  console:
    class: logging.StreamHandler
    formatter: simple
    stream: ext://sys.stdout
root:
  level: INFO
  handlers: [console]
loggers:
  logging_example:
    level: DEBUG
disable_existing_loggers: false
)"},
    {"hydra/hydra_logging/disabled.yaml", R"(version: 1
root:
  level: ERROR
disable_existing_loggers: true
)"},
    {"hydra/hydra_logging/hydra_debug.yaml", R"(version: 1
formatters:
  simple:
    format: '[%(asctime)s][%(name)s][%(levelname)s] - %(message)s'
handlers:
  file:
    class: logging.FileHandler
    mode: w
    formatter: simple
    filename: hydra-${hydra.job.name}.log
    delay: true
root:
  level: ERROR
  handlers: [file]
loggers:
  hydra:
    level: DEBUG
disable_existing_loggers: false
)"},
    {"hydra/hydra_logging/none.yaml", R"(version: 1
root: null
disable_existing_loggers: false
)"},
    {"hydra/job_logging/default.yaml", R"(version: 1
formatters:
  simple:
    format: '[%(asctime)s][%(name)s][%(levelname)s] - %(message)s'
handlers:
  console:
    class: logging.StreamHandler
    formatter: simple
    stream: ext://sys.stdout
  file:
    class: logging.FileHandler
    formatter: simple
    filename: ${hydra.runtime.output_dir}/${hydra.job.name}.log
root:
  level: INFO
  handlers: [console, file]
disable_existing_loggers: false
)"},
    {"hydra/job_logging/disabled.yaml", R"(version: 1
root:
  level: ERROR
disable_existing_loggers: true
)"},
    {"hydra/job_logging/none.yaml", R"(version: 1
root: null
disable_existing_loggers: false
)"},
    {"hydra/job_logging/stdout.yaml", R"(version: 1
formatters:
  simple:
    format: '%(message)s'
handlers:
  console:
    class: logging.StreamHandler
    formatter: simple
    stream: ext://sys.stdout
root:
  level: INFO
  handlers: [console]
disable_existing_loggers: false
)"},
};

MemoryFiles MakePackages() {
  MemoryFiles files;
  const std::string root = PackageRoot("hydra.conf") + "/";
  for (const BuiltinFile& file : kFiles) {
    files.Add(root + std::string(file.path), std::string(file.text));
  }
  return files;
}

}  // namespace

const ConfigFiles& BuiltinPackages() {
  static const MemoryFiles files = MakePackages();
  return files;
}

std::string PackageRoot(std::string_view package) {
  // The colon keeps the empty package, whose name is a prefix of every other, from
  // matching as a directory.
  return "/package:" + std::string(package);
}

}  // namespace ridgeline::config
