#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/reader.h"

namespace ridgeline::pipeline {

// A key that is a list of texts and numbers, one text with commas ("cuda,nvtx"), or
// null: nothing.
std::vector<std::string> ReadTextList(config::Reader& reader,
                                      config::Workspace& workspace, std::string_view key);

// The same for texts that may hold commas: one text, or a list of them.
std::vector<std::string> ReadTextOrList(config::Reader& reader,
                                        config::Workspace& workspace,
                                        std::string_view key);

}  // namespace ridgeline::pipeline
