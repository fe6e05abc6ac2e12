// Any files, config name and overrides: composing either is refused or gives a
// configuration that can be resolved, prepared and dumped, and whose dump comes back.
//
// The input is text: first the config name, then one override per line, then files
// that each begin with a line ">path":
//
//   config
//   db=pg
//   +a=1
//   >config.yaml
//   defaults:
//   - db: my
//   >db/my.yaml
//   host: my
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/compose/composer.h"
#include "config/compose/job.h"
#include "config/compose/multirun.h"
#include "config/tree/to_value.h"
#include "config/value/yaml_dump.h"
#include "config/value/yaml_load.h"
#include "tests/fuzz/fuzz.h"

namespace compose_fuzz {

using namespace ridgeline::config;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

struct Input {
  MemoryFiles files;
  ComposeRequest request;
};

void ReadInput(std::string_view text, Input& input) {
  std::vector<std::string> lines;
  std::string path;
  std::string content;
  const auto finish_file = [&] {
    if (!path.empty()) input.files.Add(JoinPath("/srv/app/conf", path), content);
    content.clear();
  };
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.starts_with('>')) {
      finish_file();
      path = line.substr(1);
    } else if (path.empty()) {
      lines.emplace_back(line);
    } else {
      content.append(line).append("\n");
    }
  }
  finish_file();
  ComposeRequest& request = input.request;
  request.files = &input.files;
  request.config_path = "/srv/app/conf";
  request.working_directory = "/srv/app";
  if (lines.empty()) return;
  if (!lines[0].empty()) request.config_name = lines[0];
  request.overrides.assign(lines.begin() + 1, lines.end());
}

World FuzzWorld() {
  return World{.environment = {{"USER", "ada"}, {"EMPTY", ""}},
               .now = {.year = 2024, .month = 3, .day = 5}};
}

// Values whose dump does not come back, and why: yaml_load_fuzz.cc. Interpolation
// makes text of bytes that no file may hold, such as half a character.
bool IsPlain(const Value& value) {
  if (value.is_list()) {
    for (const Value& item : value.list()) {
      if (!IsPlain(item)) return false;
    }
    return true;
  }
  if (value.is_dict()) {
    for (const auto& [key, item] : value.dict()) {
      if (!IsPlain(Value(key)) || !IsPlain(item)) return false;
    }
    return true;
  }
  if (!value.is_string()) return !value.is_float();
  for (const char c : value.string()) {
    if (c < ' ' || c > '~') return false;
  }
  return true;
}

void CheckDump(const Value& value) {
  const std::string dumped = DumpYaml(value);
  const Result<Value> again = LoadYaml(dumped, "dumped.yaml");
  if (!IsPlain(value)) return;
  // Keys and packages may nest deeper than a file.
  if (!again.ok() && again.error().kind == ErrorKind::kLimit) return;
  Require(again.ok());
  Require(PythonEqual(again.value(), value));
}

void CheckRun(const ComposeRequest& request) {
  Workspace workspace(FuzzWorld());
  const Result<Composition> composed = Compose(workspace, request);
  if (!composed.ok()) {
    Require(!Describe(composed.error()).empty());
    return;
  }
  Node& root = *composed.value().root;
  const Result<Job> job = PrepareJob(workspace, composed.value(), "/srv/app");
  if (!job.ok()) Require(!job.error().message.empty());
  Node& config = JobConfig(workspace, root);
  CheckDump(ToValue(config));
  const Result<Value> resolved = ToResolvedValue(workspace, config);
  if (resolved.ok()) CheckDump(resolved.value());
  if (ResolveInPlace(workspace, config).ok()) CheckDump(ToValue(config));
  DumpYaml(ToValue(HydraConfig(workspace, root)));
}

// The first jobs of a sweep; there may be a million.
void CheckSweep(ComposeRequest request) {
  request.mode = RunMode::kMultirun;
  Workspace workspace(FuzzWorld());
  const Result<Composition> composed = Compose(workspace, request);
  if (!composed.ok()) return;
  const Result<Sweep> sweep = PlanSweep(workspace, composed.value(), request);
  if (!sweep.ok() || sweep.value().batches.empty()) return;
  int number = 0;
  for (const JobOverrides& overrides : sweep.value().batches[0]) {
    if (number == 2) break;
    Workspace job_workspace(FuzzWorld());
    const Result<SweepJob> job =
        ComposeSweepJob(job_workspace, request, sweep.value(), overrides, number++);
    if (job.ok())
      CheckDump(ToValue(JobConfig(job_workspace, *job.value().composition.root)));
  }
}

// A million jobs take seconds; basic_sweeper_test.cc has them.
bool IsLargeSweep(const ComposeRequest& request) {
  size_t commas = 0;
  for (const std::string& override : request.overrides) {
    if (override.find("range") != std::string::npos) return true;
    for (const char c : override) commas += c == ',' ? 1 : 0;
  }
  return commas > 20;
}

int Run(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  Input input;
  ReadInput(text, input);
  CheckRun(input.request);
  if (!IsLargeSweep(input.request)) CheckSweep(input.request);
  return 0;
}

}  // namespace compose_fuzz

RIDGELINE_FUZZ_TARGET(compose_fuzz)
