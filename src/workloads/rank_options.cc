#include "workloads/rank_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "collectors/python/agent.h"
#include "config/reader.h"
#include "config/value/python_text.h"
#include "pipeline/text_list.h"
#include "ranks/launcher.h"

namespace ridgeline::workloads {
namespace {

using config::Node;
using pipeline::ConfigKey;
using pipeline::ConfigValues;
using enum pipeline::ValueKind;

constexpr std::string_view kAll = "all";

// Each rank has a command in the plan, a status and files.
constexpr int64_t kMaxRanks = 65536;

bool IsRankOrAll(std::string_view text) {
  return text == kAll || pipeline::IsCount(text);
}

constexpr ConfigKey kRankKeys[] = {
    {.path = "pipeline.workload.ranks.count",
     .kind = kInteger,
     .nullable = true,
     .min = 1,
     .otherwise = "null"},
    {.path = "pipeline.workload.ranks.launcher",
     .choices = "local|torchrun|srun|mpirun",
     .otherwise = "local"},
    {.path = "pipeline.workload.ranks.profile",
     .kind = kTextOrList,
     .accepts = IsRankOrAll,
     .expected = "all, a rank or a list of ranks",
     .otherwise = "all"},
    {.path = "pipeline.workload.ranks.nodes",
     .kind = kInteger,
     .nullable = true,
     .min = 1,
     .otherwise = "null"},
    {.path = "pipeline.workload.ranks.args", .kind = kArguments, .otherwise = "[]"},
};

// Programs that start ranks.
constexpr std::string_view kLauncherPrograms[] = {"torchrun", "srun",      "mpirun",
                                                  "mpiexec",  "deepspeed", "orterun"};

// The ranks named by the key, as written; "all" is one of them.
std::vector<std::string> WrittenRanks(const ConfigValues& values) {
  std::vector<std::string> ranks;
  const Node* const node = values.Find("pipeline.workload.ranks.profile");
  if (node == nullptr) return {std::string(kAll)};
  if (node->is_scalar()) {
    std::string text = config::Str(node->value);
    for (size_t comma = text.find(','); comma != text.npos; comma = text.find(',')) {
      ranks.push_back(text.substr(0, comma));
      text.erase(0, comma + 1);
    }
    ranks.push_back(text);
  }
  for (const Node* item : node->items) ranks.push_back(config::Str(item->value));
  return ranks;
}

int64_t NumberOf(const std::string& text) {
  int64_t number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

void CheckProfiled(ConfigValues& values, int64_t count) {
  constexpr std::string_view kKey = "pipeline.workload.ranks.profile";
  const std::vector<std::string> ranks = WrittenRanks(values);
  const bool has_all = std::find(ranks.begin(), ranks.end(), kAll) != ranks.end();
  if (ranks.empty()) return values.Fail(kKey, "is empty; name a rank, or all");
  if (has_all && ranks.size() > 1) return values.Fail(kKey, "is all and more");
  for (const std::string& rank : ranks) {
    const int64_t number = NumberOf(rank);
    if (has_all || (number >= 0 && number < count)) continue;
    return values.Fail(kKey, fmt::format("has rank {}, but pipeline.workload.ranks.count="
                                         "{}: ranks are 0 to {}",
                                         rank, count, count - 1));
  }
  const bool is_one = has_all ? count == 1 : ranks.size() == 1;
  if (values.IsTrue("pipeline.ncu.enable", false) && !is_one) {
    values.Fail(kKey,
                "must be one rank with pipeline.ncu.enable=true: ncu serializes kernels "
                "and replays them, and ranks that wait for each other in a collective "
                "would hang");
  }
}

void CheckLauncher(ConfigValues& values) {
  const std::string launcher = values.Text("pipeline.workload.ranks.launcher");
  if (values.Int("pipeline.workload.ranks.nodes") && launcher != "srun") {
    values.Fail("pipeline.workload.ranks.nodes",
                "is only for launcher=srun; local and torchrun use this machine, mpirun "
                "gets hosts by pipeline.workload.ranks.args");
  }
  const Node* const args = values.Find("pipeline.workload.ranks.args");
  const bool is_local = launcher.empty() || launcher == "local";
  if (is_local && args != nullptr && !args->items.empty()) {
    values.Fail("pipeline.workload.ranks.args", "is not for launcher=local");
  }
}

void CheckRanks(ConfigValues& values) {
  const std::optional<int64_t> count = values.Int("pipeline.workload.ranks.count");
  if (!count) return;
  const Node* const command = values.Find("pipeline.workload.command");
  if (command == nullptr || command->items.empty()) {
    values.Fail("pipeline.workload.ranks.count",
                "needs pipeline.workload.command: the built-in model is one process");
    return;
  }
  const std::string program =
      std::filesystem::path(config::Str(command->items.front()->value)).filename();
  if (std::find(std::begin(kLauncherPrograms), std::end(kLauncherPrograms), program) !=
      std::end(kLauncherPrograms)) {
    values.Fail("pipeline.workload.command",
                fmt::format("starts {}, but pipeline.workload.ranks starts the ranks: "
                            "give the program of one rank, and the launcher as "
                            "pipeline.workload.ranks.launcher and .args",
                            program));
  }
  if (*count > kMaxRanks) {
    values.Fail("pipeline.workload.ranks.count",
                fmt::format("is {}; at most {} ranks are supported", *count, kMaxRanks));
    return;
  }
  CheckProfiled(values, *count);
  CheckLauncher(values);
}

}  // namespace

pipeline::KeyGroup RankKeys() { return {kRankKeys, CheckRanks}; }

config::Result<std::optional<ranks::RankOptions>> ReadRankOptions(
    config::Workspace& workspace, Node& section,
    const std::vector<std::string>& command) {
  using Nothing = std::optional<ranks::RankOptions>;
  config::Reader reader(workspace, section);
  std::optional<int64_t> count;
  reader.ReadOptional("count", count);
  std::string launcher = "local";
  reader.ReadOptional("launcher", launcher);
  ranks::RankOptions options;
  reader.ReadOptional("nodes", options.nodes);
  options.args = pipeline::ReadTextOrList(reader, workspace, "args");
  for (const std::string& rank : pipeline::ReadTextList(reader, workspace, "profile")) {
    if (rank != kAll) options.profiled.push_back(NumberOf(rank));
  }
  RIDGELINE_RETURN_IF_ERROR(reader.Finish());
  if (!count) return Nothing();
  options.count = *count;
  options.launcher = ranks::LauncherOf(launcher).value_or(ranks::Launcher::kLocal);
  std::sort(options.profiled.begin(), options.profiled.end());
  const auto last = std::unique(options.profiled.begin(), options.profiled.end());
  options.profiled.erase(last, options.profiled.end());
  if (!command.empty() && python::IsInterpreter(command.front())) {
    options.python = command.front();
  }
  return Nothing(std::move(options));
}

}  // namespace ridgeline::workloads
