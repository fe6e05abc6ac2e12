#include "workloads/model_config.h"

#include <gtest/gtest.h>

#include "config/tree/build.h"
#include "config/tree/resolvers.h"
#include "config/value/yaml_dump.h"
#include "config/value/yaml_load.h"

namespace ridgeline::workloads {
namespace {

class ModelConfigTest : public testing::Test {
 protected:
  ModelConfigTest() { config::AddBuiltinResolvers(workspace_); }

  std::string Yaml(const std::string& yaml,
                   const std::map<std::string, std::string>& added = {}) {
    const config::Value value = config::LoadYaml(yaml, "test.yaml").value();
    config::Node& root = *config::CreateRoot(workspace_, value).value();
    return config::DumpYaml(ModelConfig(workspace_, root, added).value());
  }
  config::Workspace workspace_{
      config::World{{{"TOKEN", "secret"}, {"N", "4"}, {"SITE", "here"}}, {}}};
};

// The model's process has the same variables and resolves them itself.
TEST_F(ModelConfigTest, LeavesVariablesOfTheEnvironmentToTheModel) {
  struct Case {
    const char* what;
    const char* yaml;
    const char* want;
  };
  const Case cases[] = {
      {"a variable", "a: ${oc.env:TOKEN}\n", "a: ${oc.env:TOKEN}\n"},
      {"with a default", "a: ${oc.env:TOKEN,x}\n", "a: ${oc.env:TOKEN}\n"},
      {"that is not set", "a: ${oc.env:NOT_SET,x}\n", "a: x\n"},
      {"inside a text, beside another interpolation",
       "b: /data\na: ${b}/${oc.env:TOKEN}/x\n", "b: /data\na: /data/${oc.env:TOKEN}/x\n"},
      {"through another key", "a: ${b}\nb: [1, '${oc.env:TOKEN}']\n",
       "a:\n- 1\n- ${oc.env:TOKEN}\nb:\n- 1\n- ${oc.env:TOKEN}\n"},
      {"decoded", "a: ${oc.decode:${oc.env:N}}\nb: ${oc.env:TOKEN}\n",
       "a: 4\nb: ${oc.env:TOKEN}\n"},
      {"that selects a key",
       "a: ${p.${oc.env:SITE}}\np: {here: 1, key: '${oc.env:TOKEN}'}\n",
       "a: 1\np:\n  here: 1\n  key: ${oc.env:TOKEN}\n"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Yaml(c.yaml), c.want);
  }
}

TEST_F(ModelConfigTest, ResolvesAVariableThatTheModelHasOtherwise) {
  EXPECT_EQ(Yaml("a: ${oc.env:N}\n", {{"N", "5"}}), "a: '4'\n");
}

}  // namespace
}  // namespace ridgeline::workloads
