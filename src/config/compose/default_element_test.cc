#include "config/compose/default_element.h"

#include <gtest/gtest.h>

namespace ridgeline::config {
namespace {

InputDefault Group(std::string group, Value option, std::optional<std::string> package) {
  return InputDefault::Group(std::move(group), std::move(option), std::move(package))
      .value();
}

InputDefault Config(std::string path, std::optional<std::string> package = std::nullopt) {
  return InputDefault::Config(std::move(path), std::move(package)).value();
}

TEST(DefaultElementTest, TellsWhereAConfigIsAndWhereItGoes) {
  struct Case {
    const char* what;
    InputDefault entry;
    const char* directory;
    const char* parent_package;
    const char* want_path;
    const char* want_package;
    const char* want_key;
  };
  const Case cases[] = {
      {"group", Group("db", "mysql", {}), "", "", "db/mysql", "db", "db"},
      {"group below a group", Group("db", "mysql", {}), "srv", "srv", "srv/db/mysql",
       "srv.db", "srv/db"},
      {"an absolute group keeps the relative package", Group("/db", "mysql", {}), "srv",
       "srv", "db/mysql", "srv.db", "db@srv.db"},
      {"package that is the default one", Group("db", "mysql", "db"), "", "", "db/mysql",
       "db", "db"},
      {"package", Group("db", "mysql", "store"), "", "", "db/mysql", "store", "db@store"},
      {"global package", Group("db", "mysql", "_global_"), "srv", "srv", "srv/db/mysql",
       "", "srv/db@_global_"},
      {"below the global package", Group("db", "mysql", "_global_.a"), "srv", "srv",
       "srv/db/mysql", "a", "srv/db@a"},
      {"the package of the parent", Group("db", "mysql", "_here_"), "srv", "srv",
       "srv/db/mysql", "srv", "srv/db@srv"},
      {"_group_ is absolute", Group("db", "mysql", "_group_.x"), "srv", "y",
       "srv/db/mysql", "srv.db.x", "srv/db@srv.db.x"},
      {"no option", Group("db", Value(), {}), "", "", "db/None", "db", "db"},
      {"config", Config("db/mysql"), "srv", "srv", "srv/db/mysql", "srv.db", "srv/db"},
      {"absolute config", Config("/db/mysql"), "srv", "srv", "db/mysql", "srv.db",
       "db@srv.db"},
      {"config in the same directory", Config("mysql"), "db", "db", "db/mysql", "db",
       "db"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    InputDefault entry = c.entry;
    entry.SetParent(c.directory, c.parent_package);
    EXPECT_EQ(entry.ConfigPath(), c.want_path);
    EXPECT_EQ(entry.FinalPackage(), c.want_package);
    EXPECT_EQ(entry.OverrideKey(), c.want_key);
  }
}

TEST(DefaultElementTest, APackageHeaderIsAbsoluteAndNoPartOfTheKey) {
  InputDefault entry = Group("db", "mysql", {});
  entry.SetParent("srv", "srv");
  ASSERT_TRUE(entry.SetPackageHeader("a.b").ok());
  EXPECT_EQ(entry.FinalPackage(), "a.b");
  EXPECT_EQ(entry.OverrideKey(), "srv/db");
}

TEST(DefaultElementTest, AWrittenPackageBeatsTheHeader) {
  InputDefault entry = Group("db", "mysql", "store");
  entry.SetParent("", "");
  ASSERT_TRUE(entry.SetPackageHeader("_global_").ok());
  EXPECT_EQ(entry.FinalPackage(), "store");
}

TEST(DefaultElementTest, RefusesWhatCannotBeAnEntry) {
  EXPECT_EQ(InputDefault::Config("_self_", "a").error().message,
            "_self_@PACKAGE is not supported");
  EXPECT_EQ(InputDefault::Group("", "a", {}).error().kind, ErrorKind::kAssertion);
}

TEST(DefaultElementTest, KnowsInterpolations) {
  InputDefault entry = Group("db", "${server}_db", {});
  EXPECT_TRUE(entry.IsInterpolation().value());
  entry.option = "plain";
  EXPECT_FALSE(entry.IsInterpolation().value());
  entry.option = "${";
  EXPECT_EQ(entry.IsInterpolation().error().kind, ErrorKind::kGrammarParse);
}

}  // namespace
}  // namespace ridgeline::config
