#include "report/sections/incomplete_stages.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::report {
namespace {

using artifacts::State;

// The reason of a stage begins with it.
constexpr std::string_view kNotPythonProgram = "not a Python program";

// Whether the stage was enabled on the command line: +pipeline.nsys.enable=true.
bool IsAskedFor(const Document& document, const StageRow& stage) {
  const std::string toggle = fmt::format("pipeline.{}.enable=true", stage.name);
  const Texts& words = document.run.arguments;
  return std::any_of(
      words.begin(), std::find(words.begin(), words.end(), "--"),
      [&toggle](std::string_view word) {
        word.remove_prefix(std::min(word.find_first_not_of('+'), word.size()));
        return word == toggle;
      });
}

}  // namespace

std::vector<const StageRow*> IncompleteStages(const Document& document) {
  std::vector<const StageRow*> stages;
  for (const StageRow& stage : document.stages) {
    const bool is_complete =
        stage.state == State::kDone || stage.state == State::kDisabled;
    const bool is_not_for_it = stage.state == State::kSkipped &&
                               stage.reason.value_or("").starts_with(kNotPythonProgram);
    if (is_complete || (is_not_for_it && !IsAskedFor(document, stage))) continue;
    stages.push_back(&stage);
  }
  return stages;
}

}  // namespace ridgeline::report
