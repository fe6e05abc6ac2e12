#include "artifacts/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "base/json.h"

namespace ridgeline::artifacts {
namespace {

constexpr std::string_view kVersionKey = "schema_version";

constexpr std::array kStates = {
    State::kDisabled, State::kPending, State::kRunning,     State::kDone,
    State::kSkipped,  State::kFailed,  State::kInterrupted,
};

constexpr std::array kParities = {Parity::kNotChecked, Parity::kPassed, Parity::kFailed};

constexpr std::array kRankStates = {RankState::kDone, RankState::kFailed,
                                    RankState::kStopped, RankState::kMissing};

template <typename T>
concept RecordOfRun = std::same_as<T, ProcessRecord> || std::same_as<T, RankRecord> ||
    std::same_as<T, StageRecord> || std::same_as<T, CommandRecord> ||
    std::same_as<T, Manifest>;

// A list whose key is omitted if the list is empty.
template <typename List>
struct AbsentIfEmpty {
  List& list;
};
template <typename List>
AbsentIfEmpty(List&) -> AbsentIfEmpty<List>;

template <typename T>
inline constexpr bool kIsAbsentIfEmpty = false;
template <typename List>
inline constexpr bool kIsAbsentIfEmpty<AbsentIfEmpty<List>> = true;

// Text that may be unknown: empty here, null in the file.
template <typename Text>
struct NullIfEmpty {
  Text& text;
};
template <typename Text>
NullIfEmpty(Text&) -> NullIfEmpty<Text>;

// The keys of the file, in order, for both writing and reading: `Record` may be const.
template <typename Record, typename Visit>
requires std::same_as<std::remove_const_t<Record>, ProcessRecord>
void VisitFields(Record& process, Visit&& visit) {
  visit("purpose", process.purpose);
  visit("argv", process.argv);
  visit("directory", process.directory);
  visit("log", NullIfEmpty{process.log});
  visit("ended", process.ended);
  visit("exit_code", process.exit_code);
  visit("signal", process.signal);
  visit("timed_out", process.timed_out);
  visit("leftover_processes", process.leftover_processes);
  visit("wall_s", process.wall_s);
  visit("user_s", process.user_s);
  visit("system_s", process.system_s);
  visit("peak_rss_bytes", process.peak_rss_bytes);
  visit("output_bytes", process.output_bytes);
}

template <typename Record, typename Visit>
requires std::same_as<std::remove_const_t<Record>, RankRecord>
void VisitFields(Record& rank, Visit&& visit) {
  visit("rank", rank.rank);
  visit("local_rank", rank.local_rank);
  visit("host", NullIfEmpty{rank.host});
  visit("pid", rank.pid);
  visit("state", rank.state);
  visit("profiled", rank.profiled);
  visit("outcome", NullIfEmpty{rank.outcome});
  visit("exit_code", rank.exit_code);
  visit("signal", rank.signal);
  visit("started", NullIfEmpty{rank.started});
  visit("start_delay_s", rank.start_delay_s);
  visit("wall_s", rank.wall_s);
  visit("peak_rss_bytes", rank.peak_rss_bytes);
  visit("last_line", NullIfEmpty{rank.last_line});
  visit("files", rank.files);
}

template <typename Record, typename Visit>
requires std::same_as<std::remove_const_t<Record>, StageRecord>
void VisitFields(Record& stage, Visit&& visit) {
  visit("name", stage.name);
  visit("state", stage.state);
  visit("reason", NullIfEmpty{stage.reason});
  visit("directory", stage.directory);
  visit("commands", stage.commands);
  visit("tools", stage.tools);
  visit("started", NullIfEmpty{stage.started});
  visit("ended", NullIfEmpty{stage.ended});
  visit("wall_s", stage.wall_s);
  visit("processes", stage.processes);
  visit("artifacts", stage.artifacts);
  visit("notes", stage.notes);
  visit("outcome", NullIfEmpty{stage.outcome});
  visit("retry_overrides", stage.retry_overrides);
  visit("parity", stage.parity);
  visit("parity_detail", NullIfEmpty{stage.parity_detail});
  visit("ranks", AbsentIfEmpty{stage.ranks});
}

template <typename Record, typename Visit>
requires std::same_as<std::remove_const_t<Record>, CommandRecord>
void VisitFields(Record& command, Visit&& visit) {
  visit("arguments", command.arguments);
  visit("cwd", command.cwd);
  visit("invoked", command.invoked);
  visit("config_sha256", command.config_sha256);
}

template <typename Record, typename Visit>
requires std::same_as<std::remove_const_t<Record>, Manifest>
void VisitFields(Record& manifest, Visit&& visit) {
  visit("ridgeline_version", manifest.ridgeline_version);
  visit("run_id", manifest.run_id);
  visit("directory", manifest.directory);
  visit("state", manifest.state);
  visit("reason", NullIfEmpty{manifest.reason});
  visit("exit_code", manifest.exit_code);
  visit("parity", manifest.parity);
  visit("host", manifest.host);
  visit("pid", manifest.pid);
  visit("started", NullIfEmpty{manifest.started});
  visit("ended", NullIfEmpty{manifest.ended});
  visit("arguments", manifest.arguments);
  visit("cwd", manifest.cwd);
  visit("invoked", manifest.invoked);
  visit("workload", manifest.workload);
  visit("config_sha256", manifest.config_sha256);
  visit("attempts", manifest.attempts);
  visit("earlier_commands", manifest.earlier_commands);
  visit("stages", manifest.stages);
}

// ---- Writing

using OutputJson = nlohmann::ordered_json;

OutputJson Written(const std::string& text) { return text; }
OutputJson Written(bool value) { return value; }
OutputJson Written(std::integral auto value) { return value; }
OutputJson Written(State state) { return ToText(state); }
OutputJson Written(Parity parity) { return ToText(parity); }
OutputJson Written(RankState state) { return ToText(state); }

OutputJson Written(double value) {
  assert(std::isfinite(value));
  return value;
}

OutputJson Written(const NullIfEmpty<const std::string>& value) {
  return value.text.empty() ? OutputJson() : OutputJson(value.text);
}

template <typename T>
OutputJson Written(const std::optional<T>& value) {
  return value ? Written(*value) : OutputJson();
}

template <typename Record>
requires std::is_class_v<Record> OutputJson Written(const Record& record);

template <typename T>
OutputJson Written(const std::vector<T>& items) {
  OutputJson list = OutputJson::array();
  for (const T& item : items) list.push_back(Written(item));
  return list;
}

void WriteFields(const auto& record, OutputJson& object) {
  VisitFields(record, [&object](std::string_view key, const auto& value) {
    if constexpr (kIsAbsentIfEmpty<std::decay_t<decltype(value)>>) {
      if (!value.list.empty()) object[std::string(key)] = Written(value.list);
    } else {
      object[std::string(key)] = Written(value);
    }
  });
}

template <typename Record>
requires std::is_class_v<Record> OutputJson Written(const Record& record) {
  OutputJson object = OutputJson::object();
  WriteFields(record, object);
  return object;
}

// ---- Reading

// Sorted keys, unlike OutputJson, whose objects are searched linearly.
using InputJson = nlohmann::json;

// Reads values of one document and keeps the first error.
class ManifestReader {
 public:
  bool ok() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }

  template <RecordOfRun Record>
  void Read(const InputJson& node, const std::string& where, Record& record) {
    if (!node.is_object()) return Fail(where, "is not an object");
    VisitFields(record, [&](std::string_view key, auto&& value) {
      const std::string path =
          where.empty() ? std::string(key) : fmt::format("{}.{}", where, key);
      const auto found = node.find(key);
      if (found != node.end()) Read(*found, path, value);
    });
  }

 private:
  template <typename T>
  void Read(const InputJson& node, const std::string& where, std::vector<T>& items) {
    if (!node.is_array()) return Fail(where, "is not a list");
    for (const InputJson& item : node) {
      if (!ok()) return;
      const std::string path = fmt::format("{}[{}]", where, items.size());
      Read(item, path, items.emplace_back());
    }
  }

  template <typename List>
  void Read(const InputJson& node, const std::string& where,
            const AbsentIfEmpty<List>& value) {
    Read(node, where, value.list);
  }

  template <typename T>
  void Read(const InputJson& node, const std::string& where, std::optional<T>& value) {
    if (!node.is_null()) Read(node, where, value.emplace());
  }

  void Read(const InputJson& node, const std::string& where,
            const NullIfEmpty<std::string>& value) {
    if (!node.is_null()) Read(node, where, value.text);
  }

  void Read(const InputJson& node, const std::string& where, std::string& text) {
    if (!node.is_string()) return Fail(where, "is not a string");
    text = node.get_ref<const std::string&>();
  }

  void Read(const InputJson& node, const std::string& where, bool& value) {
    if (!node.is_boolean()) return Fail(where, "is not a boolean");
    value = node.get<bool>();
  }

  void Read(const InputJson& node, const std::string& where, double& value) {
    if (!node.is_number()) return Fail(where, "is not a number");
    value = node.get<double>();
  }

  template <std::signed_integral T>
  void Read(const InputJson& node, const std::string& where, T& value) {
    if (!node.is_number_integer()) return Fail(where, "is not an integer");
    // The library stores non-negative numbers as unsigned.
    const bool fits = node.is_number_unsigned() ? std::in_range<T>(node.get<uint64_t>())
                                                : std::in_range<T>(node.get<int64_t>());
    if (!fits) return Fail(where, "is out of range");
    value = node.get<T>();
  }

  void Read(const InputJson& node, const std::string& where, State& state) {
    const auto* const found =
        std::find_if(kStates.begin(), kStates.end(), [&node](State candidate) {
          return node.is_string() &&
                 node.get_ref<const std::string&>() == ToText(candidate);
        });
    if (found == kStates.end()) return Fail(where, "is not a known state");
    state = *found;
  }

  void Read(const InputJson& node, const std::string& where, Parity& parity) {
    const auto* const found =
        std::find_if(kParities.begin(), kParities.end(), [&node](Parity candidate) {
          return node.is_string() &&
                 node.get_ref<const std::string&>() == ToText(candidate);
        });
    if (found == kParities.end()) return Fail(where, "is not a known parity");
    parity = *found;
  }

  void Read(const InputJson& node, const std::string& where, RankState& state) {
    const auto* const found =
        std::find_if(kRankStates.begin(), kRankStates.end(), [&node](RankState one) {
          return node.is_string() && node.get_ref<const std::string&>() == ToText(one);
        });
    if (found == kRankStates.end()) return Fail(where, "is not a known state of a rank");
    state = *found;
  }

  void Fail(const std::string& where, std::string_view what) {
    if (!ok()) return;
    problem_ = where.empty() ? std::string(what) : fmt::format("'{}' {}", where, what);
  }

  std::string problem_;
};

Result<InputJson> ParseInput(std::string_view text) {
  try {
    return InputJson::parse(text);
  } catch (const InputJson::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error
    // while parsing value - invalid literal; last read: '...'": without the library's
    // name and the last token, which may be the whole file.
    std::string_view what = error.what();
    what.remove_prefix(std::min(what.find("] ") + 2, what.size()));
    return Error(ErrorCode::kParse,
                 std::string(what.substr(0, what.find("; last read"))));
  }
}

// Version 1 has a boolean or null, and its sentence has the current name of the verdict.
void UpgradeParity(InputJson& record) {
  if (!record.is_object()) return;
  if (record.contains("parity")) record["parity_detail"] = std::move(record["parity"]);
  const InputJson valid = record.value("valid", InputJson());
  record["parity"] = ToText(!valid.is_boolean() ? Parity::kNotChecked
                            : valid.get<bool>() ? Parity::kPassed
                                                : Parity::kFailed);
}

void UpgradeFromVersion1(InputJson& document) {
  constexpr RenamedKey kRenamed[] = {{"why", "reason"},
                                     {"retry_with", "retry_overrides"},
                                     {"invoked_in", "cwd"},
                                     {"invoked_at", "invoked"}};
  RenameKeys(document, kRenamed);
  UpgradeParity(document);
  const auto stages = document.find("stages");
  if (stages == document.end() || !stages->is_array()) return;
  for (InputJson& stage : *stages) UpgradeParity(stage);
}

Status CheckVersion(const InputJson& document) {
  const Error no_manifest(ErrorCode::kParse, "is not a run manifest");
  if (!document.is_object()) return no_manifest;
  const auto version = document.find(kVersionKey);
  if (version == document.end() || !version->is_number_unsigned()) return no_manifest;
  const auto number = version->get<uint64_t>();
  if (number == 0) return no_manifest;
  if (std::cmp_greater(number, kManifestVersion)) {
    return Error(
        ErrorCode::kUnsupported,
        fmt::format("{} {} was written by a newer ridgeline; this version reads {}",
                    kVersionKey, number, kManifestVersion));
  }
  return Ok();
}

Result<Manifest> ReadManifest(std::string_view json) {
  RIDGELINE_TRY(InputJson document, ParseInput(json));
  RIDGELINE_RETURN_IF_ERROR(CheckVersion(document));
  if (document[std::string(kVersionKey)] == 1) UpgradeFromVersion1(document);
  Manifest manifest;
  ManifestReader reader;
  reader.Read(document, "", manifest);
  if (!reader.ok()) return Error(ErrorCode::kParse, reader.problem());
  return manifest;
}

}  // namespace

std::string_view ToText(State state) {
  switch (state) {
    case State::kDisabled:
      return "disabled";
    case State::kPending:
      return "pending";
    case State::kRunning:
      return "running";
    case State::kDone:
      return "done";
    case State::kSkipped:
      return "skipped";
    case State::kFailed:
      return "failed";
    case State::kInterrupted:
      return "interrupted";
  }
  return "";
}

std::string_view ToText(Parity parity) {
  switch (parity) {
    case Parity::kNotChecked:
      return "not_checked";
    case Parity::kPassed:
      return "passed";
    case Parity::kFailed:
      return "failed";
  }
  return "";
}

std::string_view ToText(RankState state) {
  switch (state) {
    case RankState::kDone:
      return "done";
    case RankState::kFailed:
      return "failed";
    case RankState::kStopped:
      return "stopped";
    case RankState::kMissing:
      return "missing";
  }
  return "";
}

void StageRecord::AddNote(const std::string& note) {
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
}

StageRecord* Manifest::Find(std::string_view stage) {
  const auto found = std::find_if(stages.begin(), stages.end(), [&](const auto& record) {
    return record.name == stage;
  });
  return found == stages.end() ? nullptr : &*found;
}

std::string ToJson(const Manifest& manifest) {
  OutputJson document = OutputJson::object();
  document[std::string(kVersionKey)] = kManifestVersion;
  WriteFields(manifest, document);
  constexpr int kIndent = 2;
  return DumpJson(document, kIndent) + "\n";
}

Result<Manifest> ParseManifest(std::string_view json, std::string_view origin) {
  Result<Manifest> manifest = ReadManifest(json);
  if (!manifest.ok()) return std::move(manifest).error().While(origin);
  return manifest;
}

Manifest AsKilled(Manifest manifest) {
  if (manifest.state == State::kPending || manifest.state == State::kRunning) {
    manifest.state = State::kInterrupted;
    manifest.reason = "ridgeline was killed";
  }
  for (StageRecord& stage : manifest.stages) {
    if (stage.state != State::kRunning) continue;
    stage.state = State::kInterrupted;
    stage.reason = "ridgeline was killed while this stage was running";
  }
  return manifest;
}

}  // namespace ridgeline::artifacts
