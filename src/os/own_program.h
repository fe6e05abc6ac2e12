#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace ridgeline::os {

// A program of ours that `ridgeline` starts: beside it or, once installed, in
// ../libexec/ridgeline. Nothing: this build has none of that name.
std::optional<std::filesystem::path> FindOwnProgram(std::string_view name);

}  // namespace ridgeline::os
