// Environment of the process: variables, host name, directories, terminals.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"

namespace ridgeline::os {

// The variable's value; nothing when it is not set, which is not the same as empty.
std::optional<std::string> GetEnv(const std::string& name);

// Every variable as it is now, for code that must not see later changes.
std::map<std::string, std::string> Environment();

Result<std::string> HostName();
Result<std::filesystem::path> CurrentDirectory();

// The program that is running, links resolved.
Result<std::filesystem::path> ExecutablePath();

enum class Stream { kInput, kOutput, kError };

// Colours and redrawn lines are for terminals only.
bool IsTerminal(Stream stream);

// Width in columns; 0 if it is not a terminal, or one that cannot be redrawn.
int TerminalColumns(Stream stream);

int64_t ProcessId();

// Peak RSS of this process, mapped files included.
int64_t PeakMemoryBytes();
bool IsProcessAlive(int64_t pid);

}  // namespace ridgeline::os
