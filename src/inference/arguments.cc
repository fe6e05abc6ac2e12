#include "inference/arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/tree/suggest.h"

namespace ridgeline::inference {
namespace {

struct TaskName {
  const char* name;
  Task task;
  const char* help;
};

constexpr TaskName kTasks[] = {
    {"run", Task::kRun,
     "run the model on every sample of the dataset; write metrics.json"},
    {"profile", Task::kProfile,
     "run, and one sample under the operator recorder; write trace.json.gz"},
    {"count", Task::kCount,
     "count the operators of one sample; on a GPU, measure its ceilings as well"},
    {"measure", Task::kMeasure, "measure peak FLOP/s and bandwidth of the GPU"},
};

constexpr const char* kRepresentative = "--representative";
constexpr const char* kResume = "--resume";

std::string Suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = config::Nearest(word, known);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

Error Wrong(const std::string& message) {
  return {ErrorCode::kConfig, message + "\nhint: see `ridgeline-model --help`"};
}

Result<Task> ParseTask(const std::string& word) {
  std::vector<std::string> names;
  for (const TaskName& task : kTasks) {
    if (word == task.name) return task.task;
    names.emplace_back(task.name);
  }
  return Wrong(fmt::format("unknown task '{}': expected {}{}", word,
                           fmt::join(names, ", "), Suggestion(word, names)));
}

Status CheckComplete(const Arguments& arguments) {
  if (arguments.config_file.empty()) return Wrong("--config FILE is missing");
  if (arguments.output_directory.empty()) return Wrong("--output DIR is missing");
  return Ok();
}

}  // namespace

Result<Arguments> ParseArguments(std::span<const std::string> words) {
  Arguments arguments;
  const auto is_help = [](const std::string& word) {
    return word == "--help" || word == "-h";
  };
  arguments.help = std::any_of(words.begin(), words.end(), is_help);
  if (arguments.help) return arguments;
  arguments.version = words.size() == 1 && words.front() == "--version";
  if (arguments.version) return arguments;
  if (words.empty()) return Wrong("a task is missing");
  RIDGELINE_TRY(arguments.task, ParseTask(words.front()));
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& flag = words[i];
    if (flag == kRepresentative && arguments.task == Task::kRun) {
      arguments.task = Task::kRepresentative;
      continue;
    }
    if (flag == kResume &&
        (arguments.task == Task::kRun || arguments.task == Task::kProfile)) {
      arguments.resume = true;
      continue;
    }
    if (flag != "--config" && flag != "--output") {
      return Wrong(fmt::format("unknown flag '{}' of {}{}", flag, words.front(),
                               Suggestion(flag, {"--config", "--output"})));
    }
    if (++i == words.size()) return Wrong(flag + " needs a value");
    (flag == "--config" ? arguments.config_file : arguments.output_directory) = words[i];
  }
  RIDGELINE_RETURN_IF_ERROR(CheckComplete(arguments));
  return arguments;
}

std::string Usage() {
  std::string text =
      "ridgeline-model TASK --config FILE --output DIR\n"
      "  Runs a built-in model on libtorch. `ridgeline run` starts it for each stage;\n"
      "  `ridgeline workload` composes a configuration and starts it alone.\n"
      "\n"
      "tasks:\n";
  for (const TaskName& task : kTasks) {
    text += fmt::format("  {:<10}{}\n", task.name, task.help);
  }
  return text +
         "\n"
         "flags:\n"
         "  --config FILE      a complete composed configuration, such as\n"
         "                     RUN/tmp/workload/STAGE/config.yaml\n"
         "  --output DIR       directory for metrics, predictions and profiles\n"
         "  --representative   run: at most run.representative_max_new_tokens tokens "
         "per\n"
         "                     sample and the outputs of pipeline.torch_profiler, as "
         "the\n"
         "                     nsys and ncu stages do\n"
         "  --resume           run, profile: continue after the last page in\n"
         "                     DIR/pages.jsonl\n"
         "  --version          show the version of libtorch, what its CUDA build was\n"
         "                     compiled for, and how many GPUs it sees\n"
         "  --help, -h         show this help\n"
         "\n"
         "exit codes: 0 done, 1 failed, 2 wrong arguments or configuration,\n"
         "            3 predictions differ from parity.reference\n";
}

}  // namespace ridgeline::inference
