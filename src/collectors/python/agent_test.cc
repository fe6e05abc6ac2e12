#include "collectors/python/agent.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::python {
namespace {

TEST(AgentRequest, AsksForNothingThatIsOff) {
  const auto json =
      ParseJson<nlohmann::json>(ToJson({.output = "/out", .describe = true}));
  EXPECT_EQ(json["output"], "/out");
  EXPECT_EQ(json["describe"], true);
  EXPECT_EQ(json["calls"], false);
  EXPECT_TRUE(json["ranges"].is_null());
  EXPECT_TRUE(json["profile"].is_null());
}

TEST(AgentRequest, HasEveryOptionOfRangesRegionsAndTheProfiler) {
  Request request;
  request.ranges = {.max_depth = 3, .include = {"mlp"}, .exclude = {"norm"}};
  request.regions = {{"pkg.mod:Class.step", "step", {"batch"}, true, true}};
  request.profiling = {.activities = {"cpu"},
                       .record_shapes = true,
                       .profile_memory = true,
                       .with_stack = true,
                       .warmup_calls = 1};
  const auto json = ParseJson<nlohmann::json>(ToJson(request));
  EXPECT_EQ(
      json["ranges"],
      nlohmann::json::parse(R"({"max_depth":3,"include":["mlp"],"exclude":["norm"]})"));
  EXPECT_EQ(json["regions"][0],
            nlohmann::json::parse(
                R"({"target":"pkg.mod:Class.step","name":"step","arguments":["batch"],)"
                R"("call":true,"optional":true})"));
  EXPECT_EQ(json["profile"],
            nlohmann::json::parse(
                R"({"activities":["cpu"],"record_shapes":true,"profile_memory":true,)"
                R"("with_stack":true,"warmup_calls":1})"));
}

TEST(WithAgent, KeepsThePythonPathOfTheUser) {
  const os::Command with =
      WithAgent({.argv = {"python3"}, .environment = {}, .directory = {}}, "/agent",
                "/r.json", "/mine:/yours");
  EXPECT_EQ(with.environment.at("PYTHONPATH"), "/agent:/mine:/yours");
  EXPECT_EQ(with.environment.at("RIDGELINE_AGENT"), "/r.json");
  for (const std::optional<std::string>& none : {std::optional<std::string>(), {""}}) {
    EXPECT_EQ(WithAgent({}, "/agent", "/r", none).environment.at("PYTHONPATH"), "/agent");
  }
}

TEST(ScriptOf, SkipsTheOptionsOfTheInterpreter) {
  const struct {
    const char* what;
    std::vector<std::string> argv;
    const char* want;
  } cases[] = {
      {"a script", {"python3", "x.py", "y.py"}, "x.py"},
      {"after options",
       {"/usr/bin/python", "-u", "-X", "dev", "-Wmodule", "x.py"},
       "x.py"},
      {"a module", {"python3", "-m", "x.y"}, ""},
      {"a module after another option", {"python3", "-um", "x.y"}, ""},
      {"an expression", {"python3", "-c", "pass"}, ""},
      {"standard input", {"python3", "-", "x.py"}, ""},
      {"the prompt", {"python3"}, ""},
      {"another program", {"torchrun", "x.py"}, ""},
      {"nothing", {}, ""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(ScriptOf(c.argv), c.want);
  }
}

TEST(StartsPython, KnowsInterpretersLaunchersAndScripts) {
  auto scratch = os::ScratchDirectory::Make("starts-python");
  ASSERT_TRUE(scratch.ok());
  const std::filesystem::path directory = scratch.value().path();
  const auto script = [&](const char* name, std::string_view text) {
    EXPECT_TRUE(os::WriteFile(directory / name, text).ok());
    ::chmod((directory / name).c_str(), 0755);
  };
  script("serve.py", "#!/usr/bin/env python3\nprint(1)\n");
  script("run.sh", "#!/bin/sh\nexec python3 x.py\n");
  const struct {
    std::vector<std::string> argv;
    bool starts;
  } cases[] = {
      {{"python3", "x.py"}, true},     {{"/opt/venv/bin/python", "-m", "x"}, true},
      {{"python3.13t", "x.py"}, true}, {{"torchrun", "--nproc-per-node=2", "x.py"}, true},
      {{"uv", "run", "x.py"}, true},   {{"env", "A=1", "python3", "x.py"}, true},
      {{"./serve.py"}, true},          {{"./run.sh"}, false},
      {{"/bin/true"}, false},          {{"pythonic-tool"}, false},
      {{"./absent"}, false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(StartsPython({.argv = c.argv, .environment = {}, .directory = directory}),
              c.starts)
        << c.argv[0];
  }
}

}  // namespace
}  // namespace ridgeline::python
