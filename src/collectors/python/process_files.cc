#include "collectors/python/process_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json.h"
#include "os/files.h"

namespace ridgeline::python {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kAgentVersion = 1;

std::string TextIn(const Json& object, const char* key) {
  return MemberIn<std::string>(object, key).value_or("");
}

int64_t IntegerIn(const Json& object, const char* key) {
  return MemberIn<int64_t>(object, key).value_or(0);
}

bool FlagIn(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && *found == Json(true);
}

template <typename T>
std::vector<T> ListIn(const Json& object, const char* key) {
  std::vector<T> values;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return values;
  for (const Json& item : *found) {
    if (auto value = ValueIn<T>(item)) values.push_back(std::move(*value));
  }
  return values;
}

template <typename Add>
void ForEachObject(const Json& object, const char* key, const Add& add) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return;
  for (const Json& item : *found) {
    if (item.is_object()) add(item);
  }
}

Model ModelOf(const Json& json) {
  Model model = {.root = IntegerIn(json, "root"),
                 .class_name = TextIn(json, "class"),
                 .config_json = {},
                 .modules = {},
                 .tensors = {}};
  const auto config = json.find("config");
  if (config != json.end() && config->is_object()) model.config_json = DumpJson(*config);
  ForEachObject(json, "modules", [&](const Json& module) {
    model.modules.push_back({TextIn(module, "path"), TextIn(module, "class")});
  });
  ForEachObject(json, "tensors", [&](const Json& tensor) {
    model.tensors.push_back({.name = TextIn(tensor, "name"),
                             .kind = TextIn(tensor, "kind"),
                             .shape = ListIn<int64_t>(tensor, "shape"),
                             .dtype = TextIn(tensor, "dtype"),
                             .device = TextIn(tensor, "device"),
                             .numel = IntegerIn(tensor, "numel"),
                             .bytes = IntegerIn(tensor, "bytes"),
                             .tied_to = TextIn(tensor, "tied_to")});
  });
  return model;
}

Call CallOf(const Json& json) {
  return {.index = IntegerIn(json, "index"),
          .kind = TextIn(json, "kind"),
          .name = TextIn(json, "name"),
          .start_unix_ns = IntegerIn(json, "start_unix_ns"),
          .duration_ns = IntegerIn(json, "duration_ns"),
          .profiled = FlagIn(json, "profiled"),
          .error = TextIn(json, "error"),
          .batch = MemberIn<int64_t>(json, "batch"),
          .prompt_tokens = MemberIn<int64_t>(json, "prompt_tokens"),
          .generated_tokens = MemberIn<int64_t>(json, "generated_tokens"),
          .forwards = MemberIn<int64_t>(json, "forwards"),
          .prefill_ns = MemberIn<int64_t>(json, "prefill_ns"),
          .ttft_ns = MemberIn<int64_t>(json, "ttft_ns"),
          .decode_ns = MemberIn<int64_t>(json, "decode_ns"),
          .decode_step_ns = ListIn<int64_t>(json, "decode_step_ns")};
}

void AddRank(const Json& json, Process& process) {
  process.rank = MemberIn<int64_t>(json, "rank");
  process.local_rank = MemberIn<int64_t>(json, "local_rank");
  process.world_size = MemberIn<int64_t>(json, "world_size");
}

void AddStart(const Json& json, Process& process) {
  process.pid = IntegerIn(json, "pid");
  process.parent_pid = IntegerIn(json, "ppid");
  process.start_unix_ns = IntegerIn(json, "time_unix_ns");
  process.python = TextIn(json, "python");
  process.argv = ListIn<std::string>(json, "argv");
  AddRank(json, process);
}

// Ignores events of later versions.
void AddEvent(const Json& json, Process& process) {
  const std::string event = TextIn(json, "event");
  if (event == "start") {
    AddStart(json, process);
  } else if (event == "rank") {
    AddRank(json, process);
  } else if (event == "torch") {
    process.torch = TextIn(json, "version");
    process.hooked = FlagIn(json, "hooked");
    process.not_hooked = TextIn(json, "reason");
  } else if (event == "model") {
    process.models.push_back(ModelOf(json));
  } else if (event == "call") {
    process.calls.push_back(CallOf(json));
  } else if (event == "profile") {
    process.trace = {IntegerIn(json, "call"), TextIn(json, "trace"),
                     IntegerIn(json, "stop_ns")};
  } else if (event == "problem") {
    process.problems.push_back({TextIn(json, "name"), TextIn(json, "text")});
  } else if (event == "end") {
    process.ended = true;
    process.outermost_calls = IntegerIn(json, "outermost_calls");
    process.compiled = ListIn<std::string>(json, "compiled");
  }
}

bool IsProcessFile(std::string_view name) {
  return name.starts_with("process-") && name.ends_with(".jsonl");
}

// "rank3": processes of one rank.
std::optional<int64_t> RankOf(std::string_view name) {
  constexpr std::string_view kRank = "rank";
  if (!name.starts_with(kRank)) return std::nullopt;
  name.remove_prefix(kRank.size());
  int64_t rank = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), rank);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return rank;
}

Status AddProcesses(const std::filesystem::path& path, std::vector<Process>& all) {
  RIDGELINE_TRY(const std::string text, os::ReadFile(path));
  RIDGELINE_TRY(std::vector<Process> found, ParseProcessFile(text, path.string()));
  std::move(found.begin(), found.end(), std::back_inserter(all));
  return Ok();
}

Status AddRankFolder(const std::filesystem::path& directory, int64_t rank,
                     std::vector<Process>& all) {
  std::vector<Process> found;
  RIDGELINE_TRY(const auto entries, os::ListDirectory(directory));
  for (const os::DirectoryEntry& entry : entries) {
    if (!IsProcessFile(entry.name)) continue;
    RIDGELINE_RETURN_IF_ERROR(AddProcesses(directory / entry.name, found));
  }
  for (Process& process : found) {
    process.rank = rank;
    if (!process.trace) continue;
    process.trace->file = directory.filename().string() + "/" + process.trace->file;
  }
  std::move(found.begin(), found.end(), std::back_inserter(all));
  return Ok();
}

}  // namespace

Result<std::vector<Process>> ParseProcessFile(std::string_view text,
                                              std::string_view origin) {
  std::vector<Process> processes;
  int64_t line = 0;
  for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    ++line;
    const Json json = ParseJson<Json>(text.substr(0, end));
    text.remove_prefix(end + 1);
    if (!json.is_object()) {
      return Error(ErrorCode::kParse,
                   fmt::format("{}:{}: expected a JSON object", origin, line));
    }
    const bool starts = MemberIn<std::string>(json, "event") == "start";
    if (starts && MemberIn<int64_t>(json, "schema_version") != kAgentVersion) {
      return Error(ErrorCode::kUnsupported,
                   fmt::format("{}: not of version {} of the Python agent", origin,
                               kAgentVersion));
    }
    if (starts || processes.empty()) processes.emplace_back();
    AddEvent(json, processes.back());
  }
  return processes;
}

Result<std::vector<Process>> ReadProcessFiles(const std::filesystem::path& directory) {
  std::vector<Process> all;
  if (!os::IsDirectory(directory)) return all;
  RIDGELINE_TRY(const auto entries, os::ListDirectory(directory));
  for (const os::DirectoryEntry& entry : entries) {
    const std::filesystem::path path = directory / entry.name;
    const std::optional<int64_t> rank = RankOf(entry.name);
    if (rank && entry.kind == os::FileKind::kDirectory) {
      RIDGELINE_RETURN_IF_ERROR(AddRankFolder(path, *rank, all));
    } else if (IsProcessFile(entry.name)) {
      RIDGELINE_RETURN_IF_ERROR(AddProcesses(path, all));
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Process& a, const Process& b) {
    return a.start_unix_ns < b.start_unix_ns;
  });
  return all;
}

}  // namespace ridgeline::python
