// A ProcessRunner for tests: starts nothing, replies from a script and records the
// commands. Thread-safe, like the real one.
//
//   os::FakeProcessRunner processes;
//   processes.Reply("git --version", {.output = "git version 2.39.5\n"});
//   processes.Reply("nsys", {.exit_code = 1});            // Any other nsys command.
//   processes.Fail("ncu", Error(ErrorCode::kNotFound, "ncu: not in PATH"));
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/process_runner.h"

namespace ridgeline::os {

class FakeProcessRunner final : public ProcessRunner {
 public:
  // Side effect of a command, such as writing files.
  using Effect = std::function<void(const Command&, const ProcessOptions&)>;

  // For commands whose words, joined by spaces, equal `beginning` or start with it and a
  // space. The longest match wins; among equal ones, the last.
  void Reply(std::string beginning, ProcessResult result, Effect effect = nullptr) {
    Add({std::move(beginning), std::move(result), std::move(effect)});
  }
  void Fail(std::string beginning, Error error) {
    Add({std::move(beginning), std::move(error), nullptr});
  }

  // An unscripted command is not found, as on a machine without the program.
  Result<ProcessResult> Run(const Command& command,
                            const ProcessOptions& options) override {
    std::string line;
    for (const std::string& word : command.argv) line += (line.empty() ? "" : " ") + word;
    Script chosen = {"", Error(ErrorCode::kNotFound, line + ": not found"), nullptr};
    {
      const std::lock_guard lock(mutex_);
      commands_.push_back(command);
      for (const Script& script : scripts_) {
        const bool longer = script.beginning.size() >= chosen.beginning.size();
        if (longer && Fits(script.beginning, line)) chosen = script;
      }
    }
    if (!chosen.answer.ok()) return chosen.answer;
    if (chosen.effect) chosen.effect(command, options);
    ProcessResult& result = chosen.answer.value();
    if (options.on_output && !result.output.empty()) options.on_output(result.output);
    result.output_bytes = static_cast<int64_t>(result.output.size());
    return chosen.answer;
  }

  // In the order in which they were run.
  std::vector<Command> commands() const {
    const std::lock_guard lock(mutex_);
    return commands_;
  }

 private:
  struct Script {
    std::string beginning;
    Result<ProcessResult> answer;
    Effect effect;
  };

  static bool Fits(std::string_view beginning, std::string_view line) {
    return line.starts_with(beginning) &&
           (line.size() == beginning.size() || line[beginning.size()] == ' ');
  }

  void Add(Script script) {
    const std::lock_guard lock(mutex_);
    scripts_.push_back(std::move(script));
  }

  mutable std::mutex mutex_;
  std::vector<Script> scripts_;
  std::vector<Command> commands_;
};

}  // namespace ridgeline::os
