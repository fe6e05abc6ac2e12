#include "cli/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

void ReplaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

}  // namespace

std::string TextOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

ProgramResult RunProgram(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment) {
  const fs::path scratch =
      fs::temp_directory_path() / ("ridgeline-cli-" + std::to_string(getpid()));
  fs::create_directories(scratch);
  const std::string out = scratch / "out";
  const std::string err = scratch / "err";
  std::vector<std::string> argv = {RIDGELINE_PROGRAM};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = {"LC_ALL=C", "TZ=UTC"};
  variables.insert(variables.end(), environment.begin(), environment.end());

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, RIDGELINE_SOURCE_DIR);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  pid_t child = 0;
  ProgramResult result;
  const int failed = posix_spawn(&child, argv[0].c_str(), &actions, nullptr,
                                 Pointers(argv).data(), Pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(failed, 0) << "cannot start " << argv[0];
  int status = 0;
  if (failed == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)) {
    result.exit_code = WEXITSTATUS(status);
  }
  result.out = TextOf(out);
  result.err = TextOf(err);
  fs::remove_all(scratch);
  return result;
}

std::string Transcript(const std::vector<std::string>& arguments,
                       const ProgramResult& result) {
  std::string text = "$ ridgeline";
  for (const std::string& argument : arguments) text += " " + argument;
  text += "\n" + result.out + result.err + "[exit " + std::to_string(result.exit_code) +
          "]\n";
  ReplaceAll(text, RIDGELINE_SOURCE_DIR, "<repo>");
  return text;
}

void ExpectGolden(const std::string& name, const std::string& text) {
  const fs::path path = fs::path(RIDGELINE_TESTS_DIR) / "golden/cli" / (name + ".txt");
  if (std::getenv("RIDGELINE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  EXPECT_EQ(text, TextOf(path)) << path << "; RIDGELINE_UPDATE_GOLDEN=1 rewrites it";
}

}  // namespace ridgeline::cli
