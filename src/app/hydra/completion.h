#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/compose_here.h"
#include "app/exit_status.h"
#include "app/streams.h"
#include "base/result.h"

namespace ridgeline::app {

// What can follow a command line: groups, their options, config keys, or files
// for a value that begins like a path. `line` has no program name; sorted.
Result<std::vector<std::string>> Completions(std::string_view line, const Here& here);

// --shell-completion install=SHELL | uninstall=SHELL | query=SHELL, for bash, zsh
// and fish. A query reads the line from COMP_LINE.
ExitStatus ShellCompletion(const HydraOptions& options, const Streams& streams);

}  // namespace ridgeline::app
