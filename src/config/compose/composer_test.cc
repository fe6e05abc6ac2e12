#include "config/compose/composer.h"

#include "config/compose/test_compose.h"

namespace ridgeline::config {
namespace {

using ComposerTest = ComposeTest;

TEST_F(ComposerTest, PutsGroupsAndOwnValuesTogether) {
  Add("config.yaml", "defaults:\n- db: my\n- _self_\nname: x\ndb:\n  port: 2\n");
  Add("db/my.yaml", "host: my\nport: 1\n");
  Add("db/pg.yaml", "host: pg\n");
  EXPECT_EQ(Job(), "db:\n  host: my\n  port: 2\nname: x\n");
  EXPECT_EQ(Job({"db=pg", "name=y", "db.port=3"}),
            "db:\n  host: pg\n  port: 3\nname: 'y'\n");
  EXPECT_EQ(Job({"+db@backup=pg"}),
            "db:\n  host: my\n  port: 2\nname: x\nbackup:\n  host: pg\n");
}

TEST_F(ComposerTest, WorksWithoutAPrimaryConfig) {
  Add("db/my.yaml", "host: my\n");
  request_.config_name = std::nullopt;
  EXPECT_EQ(Job({"+db=my", "+a=1"}), "db:\n  host: my\na: 1\n");
}

TEST_F(ComposerTest, ValueOverridesFollowHydrasRules) {
  Add("config.yaml", "a: {b: 1, c: [1, 2]}\nnone:\nt: true\n");
  const std::string tail = "none: null\nt: true\n";
  const struct {
    const char* what;
    std::vector<std::string> overrides;
    std::string want;
  } cases[] = {
      {"change", {"a.b=2"}, "a:\n  b: 2\n  c:\n  - 1\n  - 2\n" + tail},
      {"dicts merge", {"a={b:3}"}, "a:\n  b: 3\n  c:\n  - 1\n  - 2\n" + tail},
      {"lists replace", {"a.c=[7]"}, "a:\n  b: 1\n  c:\n  - 7\n" + tail},
      {"an item", {"a.c.1=7"}, "a:\n  b: 1\n  c:\n  - 1\n  - 7\n" + tail},
      {"add", {"+a.d=x"}, "a:\n  b: 1\n  c:\n  - 1\n  - 2\n  d: x\n" + tail},
      {"add where null is",
       {"+none=5"},
       "a:\n  b: 1\n  c:\n  - 1\n  - 2\nnone: 5\nt: true\n"},
      {"add or change",
       {"++a.b=2", "++m=3"},
       "a:\n  b: 2\n  c:\n  - 1\n  - 2\n" + tail + "m: 3\n"},
      {"delete",
       {"~a.c", "~none"},
       "ConfigCompositionException: Could not delete from config. 'none' does not "
       "exist."},
      {"delete by value", {"~a", "~t=1"}, "none: null\n"},
      {"delete with another value",
       {"~a.b=2"},
       "ConfigCompositionException: Could not delete from config. The value of 'a.b' is "
       "1 "
       "and not 2."},
      {"add what is there",
       {"+a.b=2"},
       "ConfigCompositionException: Could not append to config. An item is already at "
       "'a.b'."
       "\nEither remove + prefix: 'a.b=2'\nOr add a second + to add or override 'a.b': "
       "'++a.b=2'\n"},
      {"a key that is not there",
       {"a.x=1"},
       "ConfigCompositionException: Could not override 'a.x'.\nTo append to your config "
       "use "
       "+a.x=1\n<- ConfigAttributeError: Key 'x' is not in struct\n    full_key: a.x\n"
       "    object_type=dict"},
      {"a group that is not there",
       {"db@x=1"},
       "ConfigCompositionException: Override db@x=1 looks like a config group override, "
       "but "
       "config group 'db' does not exist."},
      {"an index that is not there",
       {"a.c.5=1"},
       "ConfigCompositionException: Error merging override a.c.5=1\n<- ConfigIndexError: "
       "list index out of range\n    full_key: a.c[5]\n    object_type=list"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Job(c.overrides), c.want);
  }
}

TEST_F(ComposerTest, SweepsNeedMultirun) {
  Add("config.yaml", "a: 1\n");
  EXPECT_EQ(
      Job({"a=1,2"}),
      "ConfigCompositionException: Ambiguous value for argument 'a=1,2'\n1. To use it as "
      "a list, use key=[value1,value2]\n2. To use it as string, quote the value: "
      "key=\\'value1,value2\\'\n3. To sweep over it, add --multirun to your command "
      "line");
  EXPECT_EQ(
      Job({"a=range(3)"}),
      "ConfigCompositionException: Sweep parameters 'a=range(3)' requires --multirun");
  request_.mode = RunMode::kMultirun;
  EXPECT_EQ(Job({"a=1,2"}), "a: 1\n");
  EXPECT_EQ(
      Job({"hydra.verbose=true,false"}),
      "ConfigCompositionException: Sweeping over Hydra's configuration is not supported "
      ": 'hydra.verbose=true,false'");
}

TEST_F(ComposerTest, AnErrorSaysWhichKeyWasProbablyMeant) {
  Add("config.yaml", "pipeline:\n  nsys: {trace: cuda}\n");
  const Result<Composition> composed = Composed({"pipeline.nsis.trace=x"});
  ASSERT_FALSE(composed.ok());
  EXPECT_EQ(composed.error().hint, "Did you mean 'pipeline.nsys'?");
}

TEST_F(ComposerTest, EveryValueKnowsWhereItCameFrom) {
  Add("config.yaml", "defaults:\n- db: my\n- _self_\nname: x\nport: 1\n");
  Add("db/my.yaml", "# @package _global_\nhost: my\nlist:\n- 1\n- 2\n");
  const Result<Composition> composed = Composed({"port=2", "+new={k: v}"});
  ASSERT_TRUE(composed.ok());
  const std::pair<const char*, const char*> cases[] = {
      {"name", "/srv/app/conf/config.yaml:4:7"},
      {"host", "/srv/app/conf/db/my.yaml:2:7"},
      {"list.1", "/srv/app/conf/db/my.yaml:5:3"},
      {"port", "override 'port=2'"},
      {"new.k", "override '+new={k: v}'"},
  };
  for (const auto& [key, want] : cases) {
    SCOPED_TRACE(key);
    const Node* node = Select(*workspace_, *composed.value().root, key).value();
    ASSERT_NE(node, nullptr);
    EXPECT_EQ(node->origin.ToString(), want);
  }
}

TEST_F(ComposerTest, TheJobIsAStruct) {
  Add("config.yaml", "a: {b: 1}\n");
  const Result<Composition> composed = Composed();
  ASSERT_TRUE(composed.ok());
  Node& job = JobConfig(*workspace_, *composed.value().root);
  const Value one(1);
  EXPECT_EQ(Text(SetItem(*workspace_, **job.children.Find("a"), "x", &one).error()),
            "ConfigKeyError: Key 'x' is not in struct\n    full_key: a.x\n"
            "    object_type=dict");
}

TEST_F(ComposerTest, TheHydraNodeTellsOfThisRun) {
  Add("config.yaml", "defaults:\n- db: my\n- _self_\na: 1\n");
  Add("db/my.yaml", "host: my\n");
  request_.job_name = "profile";
  const Result<Composition> composed =
      Composed({"b=2", "a=2", "hydra.verbose=true", "+b=3"});
  EXPECT_FALSE(composed.ok());
  const Result<Composition> good = Composed({"a=2", "hydra.verbose=true", "+b=3"});
  ASSERT_TRUE(good.ok());
  const std::pair<const char*, const char*> cases[] = {
      {"hydra.job.name", "profile"},
      {"hydra.job.config_name", "config"},
      {"hydra.job.override_dirname", "+b=3,a=2"},
      {"hydra.overrides.task", "['a=2', '+b=3']"},
      {"hydra.overrides.hydra", "['hydra.verbose=true']"},
      {"hydra.runtime.version", "1.3.2"},
      {"hydra.runtime.cwd", "/srv/app"},
      {"hydra.runtime.choices.db", "my"},
      {"hydra.runtime.config_sources.1.path", "/srv/app/conf"},
      {"hydra.run.dir", "outputs/2024-03-05/14-07-09"},
      {"hydra.verbose", "True"},
      {"hydra.job.env_set", "{}"},
  };
  for (const auto& [key, want] : cases) {
    SCOPED_TRACE(key);
    EXPECT_EQ(At(good.value(), key), want);
  }
  EXPECT_EQ(RunDirectory(*workspace_, *good.value().root).value(),
            "outputs/2024-03-05/14-07-09");
}

TEST_F(ComposerTest, DirectoryNamesFollowTheirSettings) {
  Add("config.yaml", "a: 1\nb: 2\n");
  const Result<Composition> composed =
      Composed({"b=x=y", "a=2", "hydra.job.config.override_dirname.kv_sep=:",
                "hydra.job.config.override_dirname.item_sep=_",
                "hydra.job.config.override_dirname.exclude_keys=[a]"});
  // "x=y" is not a plain value, so the override itself is rejected.
  EXPECT_FALSE(composed.ok());
  const Result<Composition> good =
      Composed({"b='x=y'", "a=2", "hydra.job.config.override_dirname.kv_sep=_is_",
                "hydra.job.config.override_dirname.exclude_keys=[a]"});
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(At(good.value(), "hydra.job.override_dirname"), "b_is_'x_is_y'");
}

TEST_F(ComposerTest, CopiesTheEnvironmentThatIsAskedFor) {
  Add("config.yaml", "a: 1\n");
  const Result<Composition> composed = Composed({"hydra.job.env_copy=[USER]"});
  ASSERT_TRUE(composed.ok());
  EXPECT_EQ(At(composed.value(), "hydra.job.env_set"), "{'USER': 'ada'}");
  EXPECT_EQ(Job({"hydra.job.env_copy=[NOPE]"}), "KeyError: 'NOPE'");
}

TEST_F(ComposerTest, TheHydraNodeIsTyped) {
  Add("config.yaml", "a: 1\n");
  const Result<Composition> composed = Composed({"hydra.job.chdir=2", "hydra.run.dir=5"});
  ASSERT_TRUE(composed.ok());
  EXPECT_EQ(At(composed.value(), "hydra.job.chdir"), "True");
  EXPECT_EQ(At(composed.value(), "hydra.run.dir"), "5");
  EXPECT_EQ(
      Job({"hydra.job.chdir=maybe"}),
      "ConfigCompositionException: Error merging override hydra.job.chdir=maybe\n<- "
      "ValidationError: Value 'maybe' is not a valid bool (type str)\n"
      "    full_key: hydra.job.chdir\n    reference_type=JobConf\n"
      "    object_type=JobConf");
}

TEST_F(ComposerTest, ShowsTheHydraConfigWithoutItsHelp) {
  Add("config.yaml", "a: 1\n");
  const Result<Composition> composed = Composed();
  ASSERT_TRUE(composed.ok());
  const std::string yaml =
      DumpYaml(ToValue(HydraConfig(*workspace_, *composed.value().root)));
  EXPECT_TRUE(yaml.starts_with("hydra:\n  run:\n    dir: ")) << yaml;
  EXPECT_EQ(yaml.find("\n  help:"), std::string::npos);
  EXPECT_EQ(yaml.find("\n  hydra_help:"), std::string::npos);
}

TEST_F(ComposerTest, TheJobReadsTheHydraNodeThroughItsResolver) {
  Add("config.yaml",
      "dir: ${hydra:job.name}-${now:%Y}\nchoice: ${hydra:runtime.choices}\n");
  const Result<Composition> composed = Composed();
  ASSERT_TRUE(composed.ok());
  UseHydraNode(*workspace_, *composed.value().root);
  Node& job = JobConfig(*workspace_, *composed.value().root);
  const Value resolved = ToResolvedValue(*workspace_, job).value();
  EXPECT_EQ(Str(*resolved.dict().Find("dir")), "app-2024");
}

TEST_F(ComposerTest, SearchesConfigDirAndSearchpathBehindThePrimaryDirectory) {
  Add("config.yaml", "hydra:\n  searchpath:\n  - file:///more\na: 1\n");
  Add("db/my.yaml", "from: conf\n");
  files_.Add("/more/db/my.yaml", "from: more\n");
  files_.Add("/more/db/extra.yaml", "from: more\n");
  files_.Add("/dir/db/extra.yaml", "from: dir\n");
  EXPECT_EQ(Job({"+db=my"}), "a: 1\ndb:\n  from: conf\n");
  EXPECT_EQ(Job({"+db=extra"}), "a: 1\ndb:\n  from: more\n");
  request_.config_dir = "/dir";
  EXPECT_EQ(Job({"+db=extra"}), "a: 1\ndb:\n  from: dir\n");
  EXPECT_EQ(Job({"+db=extra", "hydra.searchpath=[file:///none]"}),
            "a: 1\ndb:\n  from: dir\n");
  EXPECT_EQ(workspace_->TakeWarnings(),
            (std::vector<std::string>{"provider=hydra.searchpath in command-line, "
                                      "path=/none is not available."}));
}

TEST_F(ComposerTest, SaysWhichDirectoryIsNotThere) {
  EXPECT_EQ(Job(),
            "MissingConfigException: Primary config directory not found.\nCheck that the "
            "config directory '/srv/app/conf' exists and readable");
  Add("other.yaml", "");
  EXPECT_EQ(
      Job(),
      "MissingConfigException: Cannot find primary config 'config'. Check that it's in "
      "your config search path.\n\nConfig search path:\n"
      "\tprovider=hydra, path=pkg://hydra.conf\n"
      "\tprovider=main, path=file:///srv/app/conf\n"
      "\tprovider=schema, path=structured://");
  request_.config_dir = "/none";
  EXPECT_EQ(Job(), "SearchPathException: Additional config directory '/none' not found");
}

TEST_F(ComposerTest, OnlyThePrimaryConfigMayExtendTheSearchPath) {
  Add("config.yaml", "defaults:\n- db: my\n- _self_\n");
  Add("db/my.yaml", "# @package _global_\nhydra: {searchpath: [/x]}\n");
  EXPECT_EQ(Job(),
            "ConfigCompositionException: In 'db/my': Overriding hydra.searchpath is only "
            "supported from the primary config");
  EXPECT_EQ(
      Job({"hydra.searchpath=5"}),
      "ConfigCompositionException: hydra.searchpath must be a list of strings. Got: 5");
}

TEST_F(ComposerTest, WarnsOfAMissingSelf) {
  Add("config.yaml", "defaults:\n- db: my\na: 1\n");
  Add("db/my.yaml", "host: my\n");
  EXPECT_EQ(Job(), "db:\n  host: my\na: 1\n");
  const std::vector<std::string> warnings = workspace_->TakeWarnings();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("Defaults list is missing `_self_`"), std::string::npos)
      << warnings[0];
}

TEST_F(ComposerTest, AConfigThatDoesNotFitSaysWhichAndWhere) {
  Add("config.yaml", "defaults:\n- db: my\n- _self_\ndb: [1]\n");
  Add("db/my.yaml", "host: my\n");
  const Result<Composition> composed = Composed();
  ASSERT_FALSE(composed.ok());
  EXPECT_EQ(composed.error().message,
            "In 'config': ConfigTypeError raised while composing config:\nCannot merge "
            "DictConfig with ListConfig\n    full_key: \n    object_type=dict");
}

TEST_F(ComposerTest, AConfigListedTwiceIsSharedAsInHydra) {
  Add("config.yaml", "defaults:\n- db@a: my\n- db@b: my\n- _self_\na: {x: 1}\n");
  Add("db/my.yaml", "host: my\n");
  EXPECT_EQ(Job(), "a:\n  host: my\n  x: 1\nb:\n  host: my\n");
}

TEST_F(ComposerTest, APackageWithoutEndIsRefused) {
  std::string package = "a";
  for (int i = 0; i < 50'000; ++i) package += ".a";
  Add("config.yaml", "defaults:\n- ? db@" + package + "\n  : my\n- _self_\n");
  Add("db/my.yaml", "host: my\n");
  const std::string error = Job();
  EXPECT_TRUE(error.starts_with("LimitError: ")) << error.substr(0, 200);
}

TEST_F(ComposerTest, GivesTheDefaultsListAlone) {
  Add("config.yaml", "defaults:\n- db: my\n- _self_\na: ${broken:}\n");
  Add("db/my.yaml", "host: my\n");
  workspace_ = std::make_unique<Workspace>(World{});
  const Result<DefaultsList> list = ComposeDefaults(*workspace_, request_);
  ASSERT_TRUE(list.ok());
  std::vector<std::string> paths;
  for (const ResultDefault& entry : list.value().defaults) {
    if (!entry.config_path.starts_with("hydra/")) {
      paths.push_back(entry.config_path + "@" + entry.package);
    }
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"db/my@db", "config@"}));
}

}  // namespace
}  // namespace ridgeline::config
