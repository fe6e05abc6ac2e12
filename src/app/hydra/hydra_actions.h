// Output of Hydra's flags that print instead of running.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/command_support.h"
#include "app/compose_here.h"
#include "app/exit_status.h"
#include "app/hydra/hydra_flags.h"
#include "base/result.h"

namespace ridgeline::app {

// --help and --hydra-help: the templates hydra.help.template and
// hydra.hydra_help.template with the flags, groups and configuration filled in.
ExitStatus ShowHelp(const HydraOptions& options, const Streams& streams);

// --cfg job|hydra|all, with --resolve and --package.
ExitStatus ShowConfig(const HydraOptions& options, const Streams& streams);

// --info all|config|defaults|defaults-tree|plugins|searchpath, formatted like Hydra's.
ExitStatus ShowInfo(const HydraOptions& options, const Streams& streams);

// Completions of a command line: groups, their options, config keys, or files for a value
// that begins like a path. `line` excludes the program name; sorted.
Result<std::vector<std::string>> Completions(std::string_view line, const Here& here);

// --shell-completion install=SHELL | uninstall=SHELL | query=SHELL, for bash, zsh
// and fish. A query reads the line from COMP_LINE.
ExitStatus ShellCompletion(const HydraOptions& options, const Streams& streams);

}  // namespace ridgeline::app
