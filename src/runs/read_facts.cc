#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/json.h"
#include "base/secrets.h"
#include "base/version.h"
#include "config/value/yaml_load.h"
#include "models/measured_run.h"
#include "os/files.h"
#include "profiles/model_summary.h"
#include "profiles/operators/operator_profile.h"
#include "profiles/static_compute.h"
#include "report/printers/html.h"
#include "runs/config_json.h"
#include "runs/run_reports.h"

namespace ridgeline::runs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using artifacts::RunDir;
using artifacts::StageRecord;

// Not every run has all files, but every run has those listed in its manifest.
enum class Absence { kIsUsual, kIsTold };

// Reads files of a run and collects problems.
class RunReader {
 public:
  explicit RunReader(const RunDir& run_dir) : run_dir_(run_dir) {}

  std::optional<std::string> Text(const fs::path& path,
                                  Absence absence = Absence::kIsUsual) {
    if (absence == Absence::kIsUsual && !os::Exists(path)) return std::nullopt;
    Result<std::string> text = os::ReadFile(path);
    if (text.ok()) return std::move(text).value();
    AddUnread(path, text.error().message());
    return std::nullopt;
  }

  // Null if absent or unreadable.
  Json JsonOf(const fs::path& path, Absence absence = Absence::kIsUsual) {
    const std::optional<std::string> text = Text(path, absence);
    if (!text) return {};
    Json json = ParseJson<Json>(*text);
    if (!json.is_discarded()) return json;
    AddUnread(path, "not JSON");
    return {};
  }

  void AddUnread(const fs::path& path, std::string why) {
    unread_.push_back(
        {path.lexically_relative(run_dir_.root()).string(), std::move(why)});
  }

  const RunDir& run_dir() const { return run_dir_; }
  std::vector<report::UnreadFile> TakeUnread() { return std::move(unread_); }

 private:
  const RunDir& run_dir_;
  std::vector<report::UnreadFile> unread_;
};

// Everything but a mapping is a value; a list is one value.
void Flatten(const Json& json, const std::string& key,
             std::vector<report::ConfigValue>& values) {
  if (json.is_object() && !json.empty()) {
    for (const auto& [name, value] : json.items()) {
      Flatten(value, key.empty() ? name : key + "." + name, values);
    }
    return;
  }
  std::string value = json.is_string() ? json.get<std::string>() : DumpJson(json);
  values.push_back({key, ValueWithoutSecrets(key.substr(key.rfind('.') + 1), value)});
}

std::vector<report::ConfigValue> ReadConfig(RunReader& reader) {
  std::vector<report::ConfigValue> values;
  const fs::path path = reader.run_dir().config();
  const std::optional<std::string> text = reader.Text(path);
  if (!text) return values;
  const auto loaded = config::LoadYaml(*text, path.filename().string());
  if (loaded.ok()) {
    Flatten(ToJson(loaded.value()), "", values);
  } else {
    reader.AddUnread(path, loaded.error().message);
  }
  return values;
}

// "nsys/cmd.txt", "ncu/regions/decode/cmd.txt", "ncu/cmd_rerun.txt"
bool IsCommand(const fs::path& path) {
  return path.extension() == ".txt" && path.filename().string().starts_with("cmd");
}

std::vector<report::CommandFacts> ReadCommands(const artifacts::Manifest& manifest,
                                               RunReader& reader) {
  std::vector<report::CommandFacts> commands;
  for (const StageRecord& stage : manifest.stages) {
    for (const std::string& artifact : stage.artifacts) {
      if (!IsCommand(artifact)) continue;
      const auto text = reader.Text(reader.run_dir().root() / artifact);
      if (text) commands.push_back({stage.name, artifact, WithoutSecrets(*text)});
    }
  }
  return commands;
}

// One directory per page: viz/<md5>/info.json with the generated text, and an image.
std::vector<report::PageFacts> ReadPages(const StageRecord& stage, RunReader& reader) {
  const fs::path& root = reader.run_dir().root();
  std::vector<report::PageFacts> pages;
  const std::set<std::string> artifacts(stage.artifacts.begin(), stage.artifacts.end());
  for (const std::string& artifact : stage.artifacts) {
    const fs::path path = artifact;
    if (path.filename() != "info.json") continue;
    const Json info = reader.JsonOf(root / path, Absence::kIsTold);
    if (!info.is_object() || !info.value("image", Json()).is_string()) continue;
    const auto text = reader.Text(root / path.parent_path() / "result.mmd");
    const std::string thumbnail = (path.parent_path() / "thumbnail.jpg").string();
    pages.push_back(
        {.stage = stage.name,
         .image = info["image"].get<std::string>(),
         .text = text.value_or(""),
         .generated_tokens = ValueAt<int64_t>(info, "/generated_tokens").value_or(0),
         .boxes = ValueAt<int64_t>(info, "/counts/boxes").value_or(0),
         .thumbnail = artifacts.contains(thumbnail) ? thumbnail : ""});
  }
  return pages;
}

// From the first stage that has any: all stages read the same pages.
std::vector<report::PageFacts> ReadPages(artifacts::Manifest& manifest,
                                         RunReader& reader) {
  for (const char* const name : {"direct_inference", "torch_profiler"}) {
    const StageRecord* const stage = manifest.Find(name);
    if (stage == nullptr) continue;
    std::vector<report::PageFacts> pages = ReadPages(*stage, reader);
    if (!pages.empty()) return pages;
  }
  return {};
}

// Up to the limit of a report.
std::vector<report::Picture> ReadPictures(const std::vector<report::PageFacts>& pages,
                                          RunReader& reader) {
  std::vector<report::Picture> pictures;
  size_t bytes = 0;
  for (const report::PageFacts& page : pages) {
    if (page.thumbnail.empty() || bytes > report::kMaxPictureBytes) continue;
    std::optional<std::string> picture =
        reader.Text(reader.run_dir().root() / page.thumbnail, Absence::kIsTold);
    if (!picture) continue;
    bytes += picture->size();
    pictures.push_back({page.thumbnail, std::move(*picture)});
  }
  return pictures;
}

// Of a built-in model.
report::StaticMemory ReadStaticMemory(RunReader& reader) {
  const Json json = reader.JsonOf(reader.run_dir().stage("static_analysis") /
                                  profiles::kStaticComputeFile);
  const bool is_version_1 = ValueAt<int64_t>(json, "/schema_version") == 1;
  report::StaticMemory memory = {
      .parameters = ValueAt<int64_t>(json, "/parameters/total"),
      .weights_read_bytes =
          ValueAt<int64_t>(json, is_version_1 ? "/page/bytes/weights_read"
                                              : "/end_to_end/bytes/weights_read"),
      .kv_cache_bytes = ValueAt<int64_t>(json, "/kv_cache_bytes"),
      .activation_peaks = {}};
  const Json peaks =
      json.is_object() ? json.value("activation_peak_bytes", Json::object()) : Json();
  for (const auto& [phase, bytes] : peaks.items()) {
    memory.activation_peaks.emplace_back(phase, ValueIn<int64_t>(bytes));
  }
  return memory;
}

// For a Python program.
std::optional<profiles::ModelSummary> ReadModelSummary(RunReader& reader) {
  const fs::path path =
      reader.run_dir().stage("static_analysis") / profiles::kModelSummaryFile;
  const std::optional<std::string> text = reader.Text(path);
  if (!text) return std::nullopt;
  const auto summary = profiles::ParseModelSummary(*text, path.filename().string());
  if (!summary.ok()) {
    reader.AddUnread(path, summary.error().message());
    return std::nullopt;
  }
  return summary.value();
}

void ReadStaticAnalysis(RunReader& reader, report::RunFacts& facts) {
  const std::optional<profiles::ModelSummary> summary = ReadModelSummary(reader);
  if (!summary) {
    facts.static_memory = ReadStaticMemory(reader);
    return;
  }
  facts.static_memory.parameters = summary->parameters;
  if (summary->flops) {
    facts.counted_call = {
        .source = std::string("static_analysis/") + profiles::kModelSummaryFile,
        .call = summary->call,
        .flops = *summary->flops};
  }
}

// Its overhead, and the memory of its operators.
void ReadOperatorProfile(RunReader& reader, report::RunFacts& facts) {
  fs::path path = reader.run_dir().stage("torch_profiler") / profiles::kProfileFile;
  if (!os::Exists(path)) path.replace_filename("profile.json");  // Its name in version 1.
  const std::optional<std::string> text = reader.Text(path);
  if (!text) return;
  const auto parsed = profiles::ParseProfile(*text, path.filename().string());
  if (!parsed.ok()) return reader.AddUnread(path, parsed.error().message());
  const profiles::OperatorProfile& profile = parsed.value();
  if (const auto slowdown = profiles::SlowdownOf(profile); slowdown && *slowdown > 0) {
    facts.profiled_pass = {.source = "torch_profiler/" + path.filename().string(),
                           .profiled_s = profile.wall_s,
                           .unprofiled_s = profile.wall_s / *slowdown,
                           .events = static_cast<int64_t>(profile.events)};
  }
  if (!profile.has_memory) return;
  for (const profiles::OperatorRow& row : profile.operators) {
    facts.operator_memory.push_back({row.name, row.total.bytes_self});
  }
}

}  // namespace

report::RunFacts ReadFacts(artifacts::Manifest& manifest, const RunDir& run_dir,
                           Collected collected) {
  report::RunFacts facts;
  facts.ridgeline_version = Version();
  facts.store = std::move(collected.store);
  facts.profiles = std::move(collected.profiles);
  facts.ncu = std::move(collected.ncu);
  // Errors were noted when efficiency.json was written.
  auto measured = models::ReadMeasuredRun(run_dir.root());
  if (measured.ok()) facts.measured = std::move(measured).value();
  RunReader reader(run_dir);
  ReadStaticAnalysis(reader, facts);
  const Json ceilings = reader.JsonOf(run_dir.ceilings());
  facts.peak_rounds_ratio = ValueAt<double>(ceilings, "/peak_flops_source/rounds_ratio");
  facts.bandwidth_rounds_ratio =
      ValueAt<double>(ceilings, "/peak_bandwidth_source/rounds_ratio");
  if (const Json environment = reader.JsonOf(run_dir.environment());
      !environment.is_null()) {
    facts.environment_json = DumpJson(environment);
    facts.machine_memory_bytes = ValueAt<int64_t>(environment, "/memory/total_bytes");
  }
  facts.config = ReadConfig(reader);
  facts.commands = ReadCommands(manifest, reader);
  facts.pages = ReadPages(manifest, reader);
  facts.pictures = ReadPictures(facts.pages, reader);
  ReadOperatorProfile(reader, facts);
  facts.unread = reader.TakeUnread();
  facts.manifest = manifest;
  // Older versions did not redact it.
  artifacts::RemoveSecrets(*facts.manifest);
  return facts;
}

}  // namespace ridgeline::runs
