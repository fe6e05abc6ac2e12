#include "workloads/python_options.h"

#include <fmt/format.h>

#include "collectors/python/expression.h"
#include "config/reader.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "ranks/launcher.h"

namespace ridgeline::workloads {
namespace {

using config::Node;
using config::Value;
using config::Workspace;
using pipeline::WorkloadTask;

PythonOptions::Agent AgentOf(std::string_view text) {
  if (text == "always") return PythonOptions::Agent::kAlways;
  return text == "never" ? PythonOptions::Agent::kNever : PythonOptions::Agent::kAuto;
}

std::vector<std::string> TextsOf(const Value* list) {
  std::vector<std::string> texts;
  if (list == nullptr || !list->is_list()) return texts;
  for (const Value& item : list->list()) texts.push_back(config::Str(item));
  return texts;
}

const Value* MemberOf(const Value& dict, std::string_view key) {
  for (const auto& [name, value] : dict.dict()) {
    if (config::Str(Value(name)) == key) return &value;
  }
  return nullptr;
}

// {target: "package.module:Class.method", name: step, arguments: [batch], call: true}
config::Result<python::Region> RegionOf(const Node& written, const Value& value) {
  constexpr std::string_view kExpected =
      "a list of mappings with target (\"package.module:Class.method\"), name, and "
      "optionally arguments (a list), call and optional (true or false)";
  if (!value.is_dict()) return config::WrongValue(written, written, kExpected);
  for (const auto& [name, unused] : value.dict()) {
    const std::string key = config::Str(Value(name));
    if (key != "target" && key != "name" && key != "arguments" && key != "call" &&
        key != "optional") {
      return config::WrongValue(written, written, kExpected);
    }
  }
  const Value* const target = MemberOf(value, "target");
  const Value* const name = MemberOf(value, "name");
  const Value* const call = MemberOf(value, "call");
  const Value* const optional = MemberOf(value, "optional");
  if (target == nullptr || (call != nullptr && !call->is_bool()) ||
      (optional != nullptr && !optional->is_bool())) {
    return config::WrongValue(written, written, kExpected);
  }
  python::Region region = {
      .target = config::Str(*target),
      .name = {},
      .arguments = TextsOf(MemberOf(value, "arguments")),
      .is_call = call != nullptr && config::Str(*call) == "True",
      .is_optional = optional != nullptr && config::Str(*optional) == "True"};
  const size_t colon = region.target.find(':');
  if (colon == 0 || colon == region.target.npos || colon + 1 == region.target.size()) {
    return config::WrongValue(written, written, kExpected);
  }
  region.name = name == nullptr ? region.target.substr(colon + 1) : config::Str(*name);
  return region;
}

config::Status ReadRegions(Workspace& workspace, Node* node, PythonOptions& options) {
  if (node == nullptr || node->IsNone()) return Ok();
  RIDGELINE_TRY(const Value values, config::ToResolvedValue(workspace, *node));
  if (!values.is_list()) return config::WrongValue(*node, *node, "a list of regions");
  for (const Value& value : values.list()) {
    RIDGELINE_TRY(python::Region region, RegionOf(*node, value));
    options.regions.push_back(std::move(region));
  }
  return Ok();
}

void ReadExpressions(config::Reader& reader, std::string_view key,
                     std::vector<std::string>& expressions) {
  reader.ReadOptional(key, expressions);
  for (const std::string& text : expressions) {
    const std::string problem = python::ExpressionProblem(text);
    if (problem.empty()) continue;
    reader.AddError(key, fmt::format("regular expression '{}': {}", text, problem));
  }
}

config::Status ReadAgent(Workspace& workspace, Node& section, PythonOptions& options) {
  config::Reader reader(workspace, section);
  std::string agent = "auto";
  reader.ReadOptional("agent", agent);
  options.agent = AgentOf(agent);
  RIDGELINE_RETURN_IF_ERROR(ReadRegions(workspace, reader.ReadNode("regions"), options));
  if (reader.ReadNode("ranges") != nullptr) {
    reader.ReadSection("ranges", [&options](config::Reader& ranges) {
      ranges.ReadOptional("max_depth", options.ranges.max_depth);
      ReadExpressions(ranges, "include", options.ranges.include);
      ReadExpressions(ranges, "exclude", options.ranges.exclude);
    });
  }
  return reader.Finish();
}

// Keys of the stage that also apply to PyTorch's profiler. The stage checks them.
void ReadProfiling(Workspace& workspace, Node& section, python::Profiling& profiling) {
  config::Reader reader(workspace, section);
  reader.ReadOptional("activities", profiling.activities);
  reader.ReadOptional("record_shapes", profiling.record_shapes);
  reader.ReadOptional("profile_memory", profiling.profile_memory);
  reader.ReadOptional("with_stack", profiling.with_stack);
  reader.ReadOptional("warmup_rounds", profiling.warmup_calls);
}

}  // namespace

config::Result<PythonOptions> ReadPythonOptions(Workspace& workspace, Node& root) {
  PythonOptions options;
  RIDGELINE_TRY(Node * agent,
                config::Select(workspace, root, "pipeline.workload.python"));
  if (agent != nullptr && !agent->IsNone()) {
    RIDGELINE_RETURN_IF_ERROR(ReadAgent(workspace, *agent, options));
  }
  RIDGELINE_TRY(Node * stage, config::Select(workspace, root, "pipeline.torch_profiler"));
  if (stage != nullptr && !stage->IsNone()) {
    ReadProfiling(workspace, *stage, options.profiling);
  }
  return options;
}

python::Request RequestFor(const PythonOptions& options,
                           const pipeline::WorkloadPlace& place) {
  python::Request request = {.output = place.output / pipeline::kAgentFolder,
                             .describe = false,
                             .calls = false,
                             .regions = options.regions,
                             .ranges = {},
                             .profiling = {}};
  if (place.rank) request.output /= ranks::RankName(*place.rank);
  switch (place.task) {
    case WorkloadTask::kRun:
      request.calls = true;
      request.describe = true;  // The device, for the metrics.
      break;
    case WorkloadTask::kCapture:
      request.ranges = options.ranges;
      break;
    case WorkloadTask::kProfile:
      request.calls = true;
      request.describe = true;  // The models, to find the process of the first run.
      request.profiling = options.profiling;
      break;
    case WorkloadTask::kCount:
      request.calls = true;
      request.describe = true;
      request.profiling = python::Profiling{
          .activities = {"cpu"}, .record_shapes = true, .warmup_calls = 0};
      break;
  }
  return request;
}

}  // namespace ridgeline::workloads
