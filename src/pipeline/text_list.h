#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/reader.h"

namespace ridgeline::pipeline {

// A key that is a list of strings and numbers, one string with commas ("cuda,nvtx"), or
// null (empty).
std::vector<std::string> ReadTextList(config::Reader& reader,
                                      config::Workspace& workspace, std::string_view key);

// The same for strings that may contain commas: one string or a list.
std::vector<std::string> ReadTextOrList(config::Reader& reader,
                                        config::Workspace& workspace,
                                        std::string_view key);

}  // namespace ridgeline::pipeline
