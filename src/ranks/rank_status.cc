#include "ranks/rank_status.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "ranks/launcher.h"

namespace ridgeline::ranks {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kRankStatusVersion = 1;

std::optional<int> IntIn(const Json& object, const char* key) {
  const auto number = MemberIn<int64_t>(object, key);
  if (!number) return std::nullopt;
  return static_cast<int>(*number);
}

void ReadEnd(const Json& json, RankStatus& status) {
  status.ended_unix_ns = MemberIn<int64_t>(json, "ended_unix_ns");
  status.exit_code = IntIn(json, "exit_code");
  status.signal = IntIn(json, "signal");
  status.interrupted_by = IntIn(json, "interrupted_by");
  status.wall_s = MemberIn<double>(json, "wall_s").value_or(0);
  status.user_s = MemberIn<double>(json, "user_s").value_or(0);
  status.system_s = MemberIn<double>(json, "system_s").value_or(0);
  status.peak_rss_bytes = MemberIn<int64_t>(json, "peak_rss_bytes").value_or(0);
  status.leftover_processes = IntIn(json, "leftover_processes").value_or(0);
  status.output_bytes = MemberIn<int64_t>(json, "output_bytes").value_or(0);
  status.error = MemberIn<std::string>(json, "error").value_or("");
}

}  // namespace

std::string ToJson(const RankStatus& status) {
  Json json = {{"schema_version", kRankStatusVersion},
               {"rank", status.rank},
               {"local_rank", OrNull(status.local_rank)},
               {"world_size", OrNull(status.world_size)},
               {"host", status.host},
               {"pid", status.pid},
               {"started", status.started},
               {"started_unix_ns", status.started_unix_ns},
               {"environment", Json(status.environment)},
               {"ended_unix_ns", OrNull(status.ended_unix_ns)}};
  if (status.ended_unix_ns) {
    json["exit_code"] = OrNull(status.exit_code);
    json["signal"] = OrNull(status.signal);
    json["interrupted_by"] = OrNull(status.interrupted_by);
    json["wall_s"] = status.wall_s;
    json["user_s"] = status.user_s;
    json["system_s"] = status.system_s;
    json["peak_rss_bytes"] = status.peak_rss_bytes;
    json["leftover_processes"] = status.leftover_processes;
    json["output_bytes"] = status.output_bytes;
    json["error"] = status.error.empty() ? Json() : Json(status.error);
  }
  return DumpJson(json, 2) + "\n";
}

Result<RankStatus> ParseRankStatus(std::string_view text, std::string_view origin) {
  const Json json = ParseJson<Json>(text);
  const auto fail = [origin](std::string_view what) {
    return Error(ErrorCode::kParse, fmt::format("{}: {}", origin, what));
  };
  if (!json.is_object()) return fail("not a JSON object");
  if (MemberIn<int64_t>(json, "schema_version") != kRankStatusVersion) {
    return fail(fmt::format("not a status of version {}", kRankStatusVersion));
  }
  const auto rank = MemberIn<int64_t>(json, "rank");
  if (!rank) return fail("no rank");
  RankStatus status;
  status.rank = *rank;
  status.local_rank = MemberIn<int64_t>(json, "local_rank");
  status.world_size = MemberIn<int64_t>(json, "world_size");
  status.host = MemberIn<std::string>(json, "host").value_or("");
  status.pid = MemberIn<int64_t>(json, "pid").value_or(0);
  status.started = MemberIn<std::string>(json, "started").value_or("");
  status.started_unix_ns = MemberIn<int64_t>(json, "started_unix_ns").value_or(0);
  const auto environment = json.find("environment");
  if (environment != json.end() && environment->is_object()) {
    for (const auto& [name, value] : environment->items()) {
      status.environment[name] = ValueIn<std::string>(value).value_or("");
    }
  }
  ReadEnd(json, status);
  return status;
}

std::filesystem::path StatusFile(const std::filesystem::path& directory, int64_t rank) {
  return directory / (RankName(rank) + ".json");
}

}  // namespace ridgeline::ranks
