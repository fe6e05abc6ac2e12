#include "collectors/python/agent.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/json.h"
#include "os/env.h"
#include "os/files.h"

namespace ridgeline::python {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kRequestVersion = 1;
// Enough for a shebang line; avoids reading large files.
constexpr size_t kShebangBytes = 256;

// Programs that are Python, or whose only purpose is to start it.
constexpr std::string_view kLaunchers[] = {"torchrun", "accelerate", "deepspeed", "uv",
                                           "ipython",  "pdm",        "poetry",    "vllm"};

bool IsPythonName(const std::string& word) {
  const std::string name = fs::path(word).filename().string();
  return IsInterpreter(name) || std::find(std::begin(kLaunchers), std::end(kLaunchers),
                                          name) != std::end(kLaunchers);
}

bool HasPythonShebang(const os::Command& command) {
  const Result<fs::path> program = os::FindProgram(command);
  if (!program.ok()) return false;
  std::string head;
  const Status read = os::ForEachBlock(program.value(), [&head](std::string_view block) {
    if (head.empty()) head = block.substr(0, kShebangBytes);
  });
  if (!read.ok() || !head.starts_with("#!")) return false;
  return head.substr(0, head.find('\n')).find("python") != head.npos;
}

Json RegionJson(const Region& region) {
  return {{"target", region.target},
          {"name", region.name},
          {"arguments", region.arguments},
          {"call", region.is_call},
          {"optional", region.is_optional}};
}

Json RangesJson(const Ranges& ranges) {
  return {{"max_depth", OrNull(ranges.max_depth)},
          {"include", ranges.include},
          {"exclude", ranges.exclude}};
}

Json ProfilingJson(const Profiling& profiling) {
  return {{"activities", profiling.activities},
          {"record_shapes", profiling.record_shapes},
          {"profile_memory", profiling.profile_memory},
          {"with_stack", profiling.with_stack},
          {"warmup_calls", profiling.warmup_calls}};
}

}  // namespace

std::string ToJson(const Request& request) {
  Json json = {{"schema_version", kRequestVersion},
               {"output", request.output.string()},
               {"describe", request.describe},
               {"calls", request.calls},
               {"generate", true},
               {"regions", Json::array()},
               {"ranges", Json()},
               {"profile", Json()}};
  for (const Region& region : request.regions) {
    json["regions"].push_back(RegionJson(region));
  }
  if (request.ranges) json["ranges"] = RangesJson(*request.ranges);
  if (request.profiling) json["profile"] = ProfilingJson(*request.profiling);
  return DumpJson(json, 2) + "\n";
}

std::optional<fs::path> FindAgent() {
  constexpr const char* kFolder = "ridgeline-python";
  const Result<fs::path> us = os::ExecutablePath();
  if (!us.ok()) return std::nullopt;
  const fs::path bin = us.value().parent_path();
  for (const fs::path& place :
       {bin / kFolder, bin.parent_path() / "libexec/ridgeline" / kFolder}) {
    if (os::IsRegularFile(place / "sitecustomize.py")) return place;
  }
  return std::nullopt;
}

os::Command WithAgent(os::Command command, const fs::path& agent, const fs::path& request,
                      const std::optional<std::string>& python_path) {
  // An empty component of PYTHONPATH would be the working directory.
  std::string path = agent.string();
  if (python_path && !python_path->empty()) path += ":" + *python_path;
  command.environment["PYTHONPATH"] = std::move(path);
  command.environment["RIDGELINE_AGENT"] = request.string();
  return command;
}

bool IsInterpreter(const std::string& program) {
  constexpr std::string_view kPython = "python";
  const std::string name = fs::path(program).filename().string();
  return name.starts_with(kPython) &&
         name.find_first_not_of("0123456789.t", kPython.size()) == name.npos;
}

std::string ScriptOf(const std::vector<std::string>& argv) {
  if (argv.empty() || !IsInterpreter(argv[0])) return "";
  for (size_t i = 1; i < argv.size(); ++i) {
    const std::string& word = argv[i];
    if (!word.starts_with('-')) return word;
    if (word == "-") return "";
    if (word == "-W" || word == "-X" || word == "--check-hash-based-pycs") {
      ++i;  // Its value.
    } else if (!word.starts_with("--") && !word.starts_with("-W") &&
               !word.starts_with("-X") && word.find_first_of("cm") != word.npos) {
      return "";  // -c, -m, -um: an expression or a module.
    }
  }
  return "";
}

bool StartsPython(const os::Command& command) {
  return std::any_of(command.argv.begin(), command.argv.end(), IsPythonName) ||
         HasPythonShebang(command);
}

}  // namespace ridgeline::python
