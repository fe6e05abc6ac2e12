#include "ranks/rank_plan.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "ranks/launcher.h"

namespace ridgeline::ranks {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kRankPlanVersion = 1;

std::vector<std::string> TextsIn(const Json& object, const char* key) {
  std::vector<std::string> texts;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return texts;
  for (const Json& item : *found) {
    if (auto text = ValueIn<std::string>(item)) texts.push_back(std::move(*text));
  }
  return texts;
}

RankTask TaskIn(const Json& json) {
  RankTask task = {
      .command = {.argv = TextsIn(json, "argv"),
                  .environment = {},
                  .directory = MemberIn<std::string>(json, "directory").value_or("")},
      .log = MemberIn<std::string>(json, "log").value_or(""),
      .takes_turns = json.value("takes_turns", Json()) == Json(true)};
  const auto environment = json.find("environment");
  if (environment == json.end() || !environment->is_object()) return task;
  for (const auto& [name, value] : environment->items()) {
    task.command.environment[name] = ValueIn<std::string>(value).value_or("");
  }
  return task;
}

}  // namespace

std::string ToJson(const RankPlan& plan) {
  Json json = {{"schema_version", kRankPlanVersion},
               {"launcher", ToText(plan.launcher)},
               {"status_directory", plan.status_directory.string()},
               {"grace_s", plan.grace_s},
               {"private_temporary", plan.has_private_temporary},
               {"shared_temporaries", plan.shared_temporaries},
               {"ranks", Json::array()}};
  for (const RankTask& task : plan.tasks) {
    json["ranks"].push_back({{"argv", task.command.argv},
                             {"environment", Json(task.command.environment)},
                             {"directory", task.command.directory.string()},
                             {"log", task.log},
                             {"takes_turns", task.takes_turns}});
  }
  return DumpJson(json, 2) + "\n";
}

Result<RankPlan> ParseRankPlan(std::string_view text, std::string_view origin) {
  const Json json = ParseJson<Json>(text);
  const auto fail = [origin](std::string_view what) {
    return Error(ErrorCode::kParse, fmt::format("{}: {}", origin, what));
  };
  if (!json.is_object()) return fail("not a JSON object");
  if (MemberIn<int64_t>(json, "schema_version") != kRankPlanVersion) {
    return fail(
        fmt::format("not a plan of version {}; are all hosts running the same "
                    "version of ridgeline?",
                    kRankPlanVersion));
  }
  const auto launcher = LauncherOf(MemberIn<std::string>(json, "launcher").value_or(""));
  if (!launcher) return fail("no launcher");
  RankPlan plan;
  plan.launcher = *launcher;
  plan.status_directory = MemberIn<std::string>(json, "status_directory").value_or("");
  plan.grace_s = MemberIn<double>(json, "grace_s").value_or(plan.grace_s);
  plan.has_private_temporary = json.value("private_temporary", Json()) == Json(true);
  plan.shared_temporaries = TextsIn(json, "shared_temporaries");
  const auto ranks = json.find("ranks");
  if (ranks == json.end() || !ranks->is_array()) return fail("no ranks");
  for (const Json& rank : *ranks) {
    if (!rank.is_object()) return fail("a rank is not an object");
    plan.tasks.push_back(TaskIn(rank));
    if (plan.tasks.back().command.argv.empty()) return fail("a rank has no command");
  }
  return plan;
}

}  // namespace ridgeline::ranks
