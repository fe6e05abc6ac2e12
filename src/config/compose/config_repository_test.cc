#include "config/compose/config_repository.h"

#include <gtest/gtest.h>

#include <utility>

#include "config/compose/package_header.h"

namespace ridgeline::config {
namespace {

class ConfigRepositoryTest : public testing::Test {
 protected:
  ConfigRepositoryTest() {
    EXPECT_TRUE(repository_
                    .SetSearchPath({{"hydra", "pkg://hydra.conf"},
                                    {"main", "/srv/app/conf"},
                                    {"extra", "file://more"},
                                    {"none", "pkg://no.such"},
                                    {"schema", "structured://"}})
                    .ok());
  }

  // The error from loading a config with this text.
  std::string ErrorOf(const std::string& text) {
    files_.Add("/srv/app/conf/bad" + std::to_string(++count_) + ".yaml", text);
    const auto loaded = repository_.Load("bad" + std::to_string(count_));
    return loaded.ok() ? "loaded" : loaded.error().message;
  }

  Workspace workspace_{World{}};
  MemoryFiles files_;
  ConfigRepository repository_{workspace_, files_, "/srv/app"};
  int count_ = 0;
};

TEST_F(ConfigRepositoryTest, FindsConfigsAndGroupsInAllSources) {
  files_.Add("/srv/app/conf/db/mysql.yaml", "x: 1");
  files_.Add("/srv/app/conf/db/old.yml", "x: 1");
  files_.Add("/srv/app/more/db/pg.yaml", "x: 2");
  EXPECT_TRUE(repository_.ConfigExists("db/mysql"));
  EXPECT_TRUE(repository_.ConfigExists("db/mysql.yaml"));
  EXPECT_TRUE(repository_.ConfigExists("db/pg"));
  EXPECT_TRUE(repository_.ConfigExists("nope/../db/pg"));
  EXPECT_FALSE(repository_.ConfigExists("db/old"));
  EXPECT_FALSE(repository_.ConfigExists("db/old.yml"));
  EXPECT_TRUE(repository_.GroupExists("db"));
  EXPECT_FALSE(repository_.GroupExists("db/mysql"));
  EXPECT_TRUE(repository_.GroupExists("hydra/launcher"));
  EXPECT_TRUE(repository_.GroupExists("hydra/job_logging"));
  EXPECT_FALSE(repository_.GroupExists("hydra/callbacks"));
}

TEST_F(ConfigRepositoryTest, ListsOptionsSortedAndOnce) {
  using Names = std::vector<std::string>;
  files_.Add("/srv/app/conf/db/sub/x.yaml", "");
  files_.Add("/srv/app/conf/db/b.yaml", "");
  files_.Add("/srv/app/conf/db/v1.2.yaml", "");
  files_.Add("/srv/app/conf/db/readme.txt", "");
  files_.Add("/srv/app/more/db/b.yaml", "");
  files_.Add("/srv/app/more/db/a.yaml", "");
  EXPECT_EQ(repository_.GroupOptions("db", Listing::kConfigs), (Names{"a", "b", "v1.2"}));
  EXPECT_EQ(repository_.GroupOptions("db", Listing::kGroups), (Names{"sub"}));
  EXPECT_EQ(repository_.GroupOptions("nope", Listing::kConfigs), Names{});
  EXPECT_EQ(repository_.GroupOptions("hydra", Listing::kGroups),
            (Names{"env", "help", "hydra_help", "hydra_logging", "job_logging",
                   "launcher", "output", "sweeper"}));
}

TEST_F(ConfigRepositoryTest, DescribesItsSources) {
  std::vector<std::string> texts;
  for (const ConfigSource& source : repository_.sources())
    texts.push_back(source.ToString());
  EXPECT_EQ(texts, (std::vector<std::string>{"provider=hydra, path=pkg://hydra.conf",
                                             "provider=main, path=file:///srv/app/conf",
                                             "provider=extra, path=file://more",
                                             "provider=none, path=pkg://no.such",
                                             "provider=schema, path=structured://"}));
  EXPECT_TRUE(repository_.sources()[0].IsAvailable());
  EXPECT_FALSE(repository_.sources()[1].IsAvailable());
  EXPECT_FALSE(repository_.sources()[3].IsAvailable());
  EXPECT_TRUE(repository_.sources()[4].IsAvailable());
  EXPECT_EQ(repository_.SetSearchPath({{"x", "ftp://y"}}).error().message,
            "No config source registered for schema ftp, supported types : [file, pkg, "
            "structured]");
}

TEST_F(ConfigRepositoryTest, TakesTheDefaultsListOutOfAConfig) {
  files_.Add("/srv/app/conf/config.yaml",
             "# @package a.b\n"
             "defaults:\n"
             "  - optional override db@store:old: mysql\n"
             "  - WHAT db: [x, y]\n"
             "  - db: null\n"
             "  - other@here\n"
             "v: 1\n");
  const LoadedConfig& loaded = *repository_.Load("config").value();
  EXPECT_EQ(loaded.package, "a.b");
  EXPECT_EQ(loaded.path, "file:///srv/app/conf");
  EXPECT_EQ(loaded.config->children.size(), 1u);
  ASSERT_EQ(loaded.defaults.size(), 4u);
  EXPECT_TRUE(loaded.defaults[0].optional);
  EXPECT_TRUE(loaded.defaults[0].is_override);
  EXPECT_EQ(loaded.defaults[0].path, "db");
  EXPECT_EQ(loaded.defaults[0].package, "store");
  EXPECT_EQ(loaded.defaults[0].origin.line, 3);
  EXPECT_FALSE(loaded.defaults[1].is_override);
  EXPECT_TRUE(loaded.defaults[1].has_options());
  EXPECT_TRUE(loaded.defaults[2].option.is_null());
  EXPECT_TRUE(loaded.defaults[3].is_config());
  EXPECT_EQ(&loaded, repository_.Load("config").value());
}

TEST_F(ConfigRepositoryTest, FollowsADefaultsListThatIsAnInterpolation) {
  files_.Add("/srv/app/conf/config.yaml", "defaults: ${lists.a}\nlists: {a: [x]}\n");
  EXPECT_EQ(repository_.Load("config").value()->defaults.size(), 1u);
}

TEST_F(ConfigRepositoryTest, RefusesMalformedDefaultsLists) {
  const std::pair<const char*, const char*> cases[] = {
      {"defaults: {a: b}",
       "Invalid defaults list in 'bad1', defaults must be a list (got mapping)"},
      {"defaults:",
       "Invalid defaults list in 'bad2', defaults must be a list (got NoneType)"},
      {"defaults: [{a: b, c: 1}]",
       "In bad3: Too many keys in default item {'a': 'b', 'c': 1}"},
      {"defaults: [{}]", "In bad4: Missing group name in {}"},
      {"defaults: [{a: 1.5}]",
       "Unsupported item value in defaults : float. Supported: string or list"},
      {"defaults: [{a: {b: c}}]",
       "Unsupported item value in defaults : dict. Supported: string or list"},
      {"defaults: [{a: [b, [c]]}]",
       "Unsupported item value in defaults : list, nested list items must be strings"},
      {"defaults: [[a]]", "Unsupported type in defaults : ListConfig"},
      {"defaults: [null]", "Unsupported type in defaults : NoneType"},
      {"defaults: [_self_@a]", "_self_@PACKAGE is not supported"},
      {"5", "Invalid loaded object type: int"},
      {"# @package a b", "Too many components in '@package a b'"},
      {"#@package", "Expected header format: KEY VALUE, got '@package'"},
  };
  for (const auto& [text, want] : cases) {
    SCOPED_TRACE(text);
    EXPECT_EQ(ErrorOf(text), want);
  }
}

TEST_F(ConfigRepositoryTest, ReadsDocumentsThatAreNoMapping) {
  files_.Add("/srv/app/conf/empty.yaml", "");
  files_.Add("/srv/app/conf/word.yaml", "hello");
  files_.Add("/srv/app/conf/quoted.yaml", "'a: 1'");
  files_.Add("/srv/app/conf/list.yaml", "[1, 2]");
  EXPECT_TRUE(repository_.Load("empty").value()->config->is_dict());
  EXPECT_NE(repository_.Load("word").value()->config->children.Find("hello"), nullptr);
  EXPECT_NE(repository_.Load("quoted").value()->config->children.Find("a"), nullptr);
  EXPECT_TRUE(repository_.Load("list").value()->config->is_list());
  EXPECT_EQ(repository_.Load("nope").value(), nullptr);
}

TEST_F(ConfigRepositoryTest, KnowsTheRecordsOfHydra) {
  const LoadedConfig& hydra = *repository_.Load("hydra/config").value();
  EXPECT_TRUE(hydra.is_schema_source);
  EXPECT_EQ(hydra.defaults.size(), 9u);
  ASSERT_NE(hydra.config->structure, nullptr);
  EXPECT_EQ(hydra.config->structure->name, "HydraConf");
  EXPECT_NE(repository_.MakeSchema("hydra/launcher/basic"), nullptr);
  EXPECT_EQ(repository_.MakeSchema("config"), nullptr);
}

TEST(PackageHeaderTest, ReadsTheFirstLines) {
  struct Case {
    const char* what;
    std::string text;
    std::optional<std::string> want;
  };
  const Case cases[] = {
      {"plain", "# @package a.b\nx: 1", "a.b"},
      {"no spaces, blank lines, the last one counts",
       "\n  #@package a\n\n#  @package  b\n", "b"},
      {"Windows line ends", "# @other x\r\n# @package a\r\n", "a"},
      {"a byte order mark", "\xEF\xBB\xBF# @package a\n", "a"},
      {"a comment ends it", "# hello\n# @package a\n", std::nullopt},
      {"two hashes are a comment", "## @package a\n", std::nullopt},
      {"beyond 512 characters", std::string(512, '\n') + "# @package a\n", std::nullopt},
      {"cut at 512 characters", std::string(500, '\n') + "# @package abc\n", "a"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const auto package = ParsePackageHeader(c.text);
    ASSERT_TRUE(package.ok());
    EXPECT_EQ(package.value(), c.want);
  }
}

}  // namespace
}  // namespace ridgeline::config
