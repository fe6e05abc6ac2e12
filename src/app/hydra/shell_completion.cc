// Shell side of completion: the scripts that shells load, and their queries.
#include <ostream>
#include <string>

#include "app/command_support.h"
#include "app/hydra/hydra_actions.h"
#include "os/env.h"

namespace ridgeline::app {
namespace {

// '=' must not end a word, or the shell would complete only the text after it.
constexpr std::string_view kBashInstall = R"sh(_ridgeline_complete() {
  local IFS=$'\n'
  COMPREPLY=($(COMP_LINE="${COMP_LINE:0:COMP_POINT}" "${COMP_WORDS[0]}" run -sc query=bash 2>/dev/null | tr ' ' '\n'))
}
COMP_WORDBREAKS=${COMP_WORDBREAKS//=}
complete -o nospace -o default -F _ridgeline_complete ridgeline
)sh";
constexpr std::string_view kBashUninstall = R"sh(complete -r ridgeline
unset -f _ridgeline_complete
)sh";

constexpr std::string_view kZshInstall = R"sh(autoload -Uz bashcompinit && bashcompinit
_ridgeline_complete_zsh() {
  local line="${BUFFER[1,CURSOR]}"
  local -a found
  found=(${(s: :)"$(COMP_LINE="$line" ridgeline run -sc query=zsh 2>/dev/null)"})
  compadd -S '' -- $found
}
compdef _ridgeline_complete_zsh ridgeline
)sh";
constexpr std::string_view kZshUninstall = R"sh(compdef -d ridgeline
unfunction _ridgeline_complete_zsh
)sh";

constexpr std::string_view kFishInstall = R"sh(function _ridgeline_complete
  set -lx COMP_LINE (commandline -cp)
  ridgeline run -sc query=fish 2>/dev/null
end
complete -c ridgeline -x -a '(_ridgeline_complete)'
)sh";
constexpr std::string_view kFishUninstall = R"sh(complete -e -c ridgeline
functions -e _ridgeline_complete
)sh";

struct Shell {
  std::string_view name;
  std::string_view install;
  std::string_view uninstall;
  char separator;  // Between the results of a query.
};
constexpr Shell kShells[] = {
    {"bash", kBashInstall, kBashUninstall, ' '},
    {"fish", kFishInstall, kFishUninstall, '\n'},
    {"zsh", kZshInstall, kZshUninstall, ' '},
};

Result<const Shell*> FindShell(std::string_view name) {
  for (const Shell& shell : kShells) {
    if (shell.name == name) return &shell;
  }
  return Error(ErrorCode::kConfig, "no shell completion for '" + std::string(name) +
                                       "'; expected bash, fish or zsh");
}

// The words after the program name and, if given, the command `run`.
std::string_view WithoutProgram(std::string_view line) {
  const auto skip_word = [&line] {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    line.remove_prefix(std::min(line.find(' '), line.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  };
  skip_word();
  if (line.starts_with("run ")) skip_word();
  return line;
}

ExitStatus Query(const HydraOptions& options, const Shell& shell,
                 const Streams& streams) {
  const std::optional<std::string> line = os::GetEnv("COMP_LINE");
  if (!line) {
    return Fail(streams,
                Error(ErrorCode::kConfig,
                      "the completion query needs the command line in COMP_LINE"));
  }
  HydraOptions bare = options;
  bare.overrides.clear();
  Result<Here> here = PlaceHere(bare);
  if (!here.ok()) return Fail(streams, here.error());
  Result<std::vector<std::string>> found =
      Completions(WithoutProgram(*line), here.value());
  if (!found.ok()) return Fail(streams, found.error());
  for (size_t i = 0; i < found.value().size(); ++i) {
    if (i > 0) streams.out << shell.separator;
    streams.out << found.value()[i];
  }
  streams.out << '\n';
  return ExitStatus::kDone;
}

}  // namespace

ExitStatus ShellCompletion(const HydraOptions& options, const Streams& streams) {
  const std::string word = options.overrides.size() == 1 ? options.overrides[0] : "";
  const size_t equals = word.find('=');
  const std::string action = word.substr(0, equals);
  if (equals == std::string::npos ||
      (action != "install" && action != "uninstall" && action != "query")) {
    return Fail(streams,
                Error(ErrorCode::kConfig,
                      "--shell-completion needs install=SHELL, uninstall=SHELL or "
                      "query=SHELL; e.g. eval \"$(ridgeline run -sc install=bash)\""));
  }
  Result<const Shell*> shell = FindShell(word.substr(equals + 1));
  if (!shell.ok()) return Fail(streams, shell.error());
  if (action == "query") return Query(options, *shell.value(), streams);
  streams.out << (action == "install" ? shell.value()->install
                                      : shell.value()->uninstall);
  return ExitStatus::kDone;
}

}  // namespace ridgeline::app
