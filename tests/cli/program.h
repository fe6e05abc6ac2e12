#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ridgeline::cli {

struct ProgramResult {
  int exit_code = -1;
  std::string out;
  std::string err;
};

// Runs the built `ridgeline` in the repository's root, with `environment` added
// to a bare one, and waits for it.
ProgramResult RunProgram(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment = {});

// What a terminal would have shown, with the repository's path replaced:
//   $ ridgeline run --cfg job
//   ...
//   [exit 0]
std::string Transcript(const std::vector<std::string>& arguments,
                       const ProgramResult& result);

// The whole of a file.
std::string TextOf(const std::filesystem::path& path);

// Compares with tests/golden/cli/<name>.txt; RIDGELINE_UPDATE_GOLDEN=1 rewrites it.
void ExpectGolden(const std::string& name, const std::string& text);

}  // namespace ridgeline::cli
