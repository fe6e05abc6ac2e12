// Environment of the process: variables, host name, directories, terminals.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"

namespace ridgeline::os {

// The variable's value; empty optional if it is not set (an empty value is different).
std::optional<std::string> GetEnv(const std::string& name);

// A snapshot of all variables, for code that must not see later changes.
std::map<std::string, std::string> Environment();

Result<std::string> HostName();
Result<std::filesystem::path> CurrentDirectory();

// Path of the running executable, symbolic links resolved.
Result<std::filesystem::path> ExecutablePath();

enum class Stream { kInput, kOutput, kError };

// Colors and redrawn lines are for terminals only.
bool IsTerminal(Stream stream);

// Width in columns; 0 if it is not a terminal or does not support redrawing.
int TerminalColumns(Stream stream);

int64_t ProcessId();

// Peak RSS of this process, mapped files included.
int64_t PeakMemoryBytes();
bool IsProcessAlive(int64_t pid);

}  // namespace ridgeline::os
