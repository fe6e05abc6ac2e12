#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "os/command.h"
#include "os/env.h"

namespace ridgeline::os {

Error ReplaceProcess(const Command& command) {
  Result<std::filesystem::path> program = FindProgram(command);
  if (!program.ok()) return std::move(program).error();
  std::vector<std::string> words = command.argv;
  std::vector<std::string> variables;
  std::map<std::string, std::string> environment = Environment();
  for (const auto& [name, value] : command.environment) environment[name] = value;
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  };
  if (command.directory.empty() || ::chdir(command.directory.c_str()) == 0) {
    ::execve(program.value().c_str(), pointers(words).data(), pointers(variables).data());
  }
  return {ErrorCode::kCannotStart,
          program.value().string() + ": " + std::strerror(errno)};
}

}  // namespace ridgeline::os
