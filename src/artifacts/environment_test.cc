#include "artifacts/environment.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ridgeline::artifacts {
namespace {

using Json = nlohmann::ordered_json;

TEST(EnvironmentTest, SaysNullForWhatIsNotKnownAndWhy) {
  Provenance provenance;
  provenance.gpus.reason = "libnvidia-ml.so.1: cannot open shared object file";
  provenance.tools.all = {{.name = "nsys", .reason = "nsys: not found in PATH"}};
  provenance.libtorch.reason = "not part of this build";
  provenance.git.reason = "not a git repository";
  const Json json = Json::parse(EnvironmentJson(provenance));
  EXPECT_EQ(json["schema_version"], 2);
  EXPECT_TRUE(json["machine"]["host"].is_null());
  EXPECT_TRUE(json["limits"]["open_files"].is_null());
  EXPECT_TRUE(json["gpus"]["devices"].empty());
  EXPECT_EQ(json["gpus"]["reason"], "libnvidia-ml.so.1: cannot open shared object file");
  EXPECT_TRUE(json["tools"]["nsys"]["version"].is_null());
  EXPECT_EQ(json["tools"]["nsys"]["reason"], "nsys: not found in PATH");
  EXPECT_TRUE(json["libtorch"]["version"].is_null());
  EXPECT_TRUE(json["git"]["dirty"].is_null());
  EXPECT_EQ(json["git"]["reason"], "not a git repository");
}

TEST(EnvironmentTest, SaysWhatIsKnown) {
  Provenance provenance;
  provenance.ridgeline_version = "0.1.0";
  provenance.time = "2024-03-05T14:07:09.000+00:00";
  provenance.machine.host = "node17";
  provenance.machine.cpu.threads = 8;
  provenance.machine.memory.total_bytes = 1024;
  provenance.limits.open_files = hardware::ProcessLimit{1024};
  provenance.limits.locked_memory_bytes = hardware::ProcessLimit{};
  provenance.limits.cgroup_cpus = 2.5;
  provenance.permissions.perf_event_paranoid = 4;
  provenance.gpus.driver_version = "535.161.08";
  provenance.gpus.gpus = {{.index = 0,
                           .name = "NVIDIA A100-SXM4-80GB",
                           .pci_device_id = 0x20B210DE,
                           .capability = hardware::Capability{8, 0},
                           .sm_count = 108,
                           .sm_clock_max_hz = 1'410'000'000,
                           .persistence_mode = true,
                           .throttle_reasons = std::vector<std::string>{}}};
  provenance.tools.all = {{.name = "git", .path = "/usr/bin/git", .version = "2.39.5"}};
  provenance.git = {.commit = "abc", .branch = "main", .changed_files = 2};
  provenance.variables = {.kept = {{"TZ", "UTC"}}, .left_out = 17};
  const Json json = Json::parse(EnvironmentJson(provenance));
  EXPECT_EQ(json["ridgeline_version"], "0.1.0");
  EXPECT_EQ(json["time"], "2024-03-05T14:07:09.000+00:00");
  EXPECT_EQ(json["machine"]["host"], "node17");
  EXPECT_EQ(json["cpu"]["threads"], 8);
  EXPECT_EQ(json["memory"]["total_bytes"], 1024);
  EXPECT_EQ(json["limits"]["open_files"], 1024);
  EXPECT_EQ(json["limits"]["locked_memory_bytes"], "unlimited");
  EXPECT_EQ(json["limits"]["cgroup_cpus"], 2.5);
  EXPECT_EQ(json["permissions"]["perf_event_paranoid"], 4);
  const Json& gpu = json["gpus"]["devices"][0];
  EXPECT_EQ(gpu["name"], "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(gpu["pci_device_id"], "0x20B210DE");
  EXPECT_TRUE(gpu["pci_subsystem_id"].is_null());
  EXPECT_EQ(gpu["compute_capability"], "8.0");
  EXPECT_TRUE(gpu["core_count"].is_null());
  EXPECT_EQ(gpu["sm_count"], 108);
  EXPECT_EQ(gpu["sm_clock_max_hz"], 1'410'000'000);
  EXPECT_EQ(gpu["persistence_mode"], true);
  EXPECT_EQ(gpu["clocks_locked"], false);
  EXPECT_EQ(gpu["throttle_reasons"], Json::array());
  EXPECT_EQ(json["tools"]["git"]["path"], "/usr/bin/git");
  EXPECT_TRUE(json["tools"]["git"]["reason"].is_null());
  EXPECT_EQ(json["git"]["dirty"], true);
  EXPECT_EQ(json["environment"]["variables"]["TZ"], "UTC");
  EXPECT_EQ(json["environment"]["dropped"], 17);
}

TEST(EnvironmentTest, KeepsItsKeysInOrder) {
  std::vector<std::string> keys;
  const Json json = Json::parse(EnvironmentJson({}));
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"schema_version", "ridgeline_version", "time",
                                            "machine", "cpu", "memory", "limits",
                                            "permissions", "gpus", "tools", "libtorch",
                                            "git", "environment"}));
}

TEST(EnvironmentTest, WritesBytesThatAreNoTextAsJson) {
  Provenance provenance;
  provenance.variables.kept["PATH"] = "/bin:\xff";
  const Json json = Json::parse(EnvironmentJson(provenance));
  EXPECT_EQ(json["environment"]["variables"]["PATH"], "/bin:\xEF\xBF\xBD");
}

}  // namespace
}  // namespace ridgeline::artifacts
