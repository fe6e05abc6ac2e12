// The library as a program uses it.
#include <gtest/gtest.h>

#include "config/compose/composer.h"
#include "config/compose/job.h"
#include "config/compose/multirun.h"
#include "config/error.h"
#include "config/overrides/override_parser.h"
#include "config/reader.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/yaml_dump.h"
#include "config/value/yaml_load.h"

namespace ridgeline::config {
namespace {

struct ServerOptions {
  std::string host;
  int64_t port = 0;
  double timeout_s = 0;
};

TEST(ConfigTest, ComposesReadsAndPrints) {
  MemoryFiles files;
  files.Add(
      "/srv/app/conf/config.yaml",
      "defaults:\n  - server: local\n  - _self_\nname: ${server.host}-${twice:21}\n");
  files.Add("/srv/app/conf/server/local.yaml",
            "host: localhost\nport: 80\ntimeout_s: 2\n");

  Workspace workspace({});
  workspace.AddResolver("twice", [](const ResolverInput& input) -> Result<Resolved> {
    return Resolved(Value(
        std::get<Integer>(std::get<Value>(input.arguments[0]).scalar()) * Integer(2)));
  });
  Result<Composition> composed = Compose(workspace, {.files = &files,
                                                     .config_path = "/srv/app/conf",
                                                     .config_name = "config",
                                                     .overrides = {"server.port=8080"},
                                                     .working_directory = "/srv/app"});
  ASSERT_TRUE(composed.ok()) << Describe(composed.error());
  UseHydraNode(workspace, *composed.value().root);
  Node& job = JobConfig(workspace, *composed.value().root);

  ServerOptions options;
  Reader reader(workspace, *Select(workspace, job, "server").value());
  reader.Read("host", options.host);
  reader.Read("port", options.port);
  reader.Read("timeout_s", options.timeout_s);
  EXPECT_TRUE(reader.Finish().ok());
  EXPECT_EQ(options.host, "localhost");
  EXPECT_EQ(options.port, 8080);
  EXPECT_EQ(options.timeout_s, 2.0);

  ASSERT_TRUE(ResolveInPlace(workspace, job).ok());
  EXPECT_EQ(
      DumpYaml(ToValue(job)),
      "server:\n  host: localhost\n  port: 8080\n  timeout_s: 2\nname: localhost-42\n");
}

TEST(ConfigTest, EveryValueKnowsWhereItCameFrom) {
  MemoryFiles files;
  files.Add("/srv/app/conf/config.yaml", "a: 1\nb:\n  c: 2\n");
  Workspace workspace({});
  Result<Composition> composed = Compose(workspace, {.files = &files,
                                                     .config_path = "/srv/app/conf",
                                                     .config_name = "config",
                                                     .overrides = {"a=5"},
                                                     .working_directory = "/srv/app"});
  ASSERT_TRUE(composed.ok());
  Node& root = *composed.value().root;
  EXPECT_EQ(Select(workspace, root, "b.c").value()->origin.ToString(),
            "/srv/app/conf/config.yaml:3:6");
  EXPECT_EQ(Select(workspace, root, "a").value()->origin.ToString(), "override 'a=5'");
}

}  // namespace
}  // namespace ridgeline::config
