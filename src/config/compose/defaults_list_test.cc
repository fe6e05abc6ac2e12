#include "config/compose/defaults_list.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "config/overrides/override_parser.h"

namespace ridgeline::config {
namespace {

using Files = std::map<std::string, std::string>;
using Lines = std::vector<std::string>;

struct Outcome {
  Lines rows;  // "config_path @ package", without Hydra's own.
  std::string choices;
  std::string error;
  Lines warnings;
  ErrorKind kind = ErrorKind::kConfigComposition;
};

// The result of composing `config` from these files.
Outcome ListOf(const Files& files, const Lines& overrides,
               MissingOptions missing_options = MissingOptions::kRefuse) {
  Workspace workspace{World{}};
  MemoryFiles memory;
  for (const auto& [path, text] : files) memory.Add("/conf/" + path + ".yaml", text);
  ConfigRepository repository(workspace, memory, "/");
  EXPECT_TRUE(repository
                  .SetSearchPath({{"hydra", "pkg://hydra.conf"},
                                  {"main", "/conf"},
                                  {"schema", "structured://"}})
                  .ok());
  const auto parsed = ParseOverrides(overrides);
  EXPECT_TRUE(parsed.ok());
  Outcome outcome;
  const auto list =
      CreateDefaultsList(repository, "config", parsed.value(), missing_options);
  outcome.warnings = workspace.TakeWarnings();
  if (!list.ok()) {
    outcome.error = list.error().message;
    outcome.kind = list.error().kind;
    return outcome;
  }
  for (const ResultDefault& row : list.value().defaults) {
    if (row.config_path.starts_with("hydra/")) continue;
    outcome.rows.push_back(row.config_path + " @ " + row.package);
  }
  for (const auto& [key, option] : list.value().choices) {
    if (key.starts_with("hydra/")) continue;
    outcome.choices += key + "=" + option.value_or("None") + " ";
  }
  return outcome;
}

Files Conf(const std::string& config) {
  return {{"config", config},
          {"db/mysql", "port: 1"},
          {"db/pg", "port: 2"},
          {"srv/apache", "defaults: [/db: mysql, _self_]"},
          {"srv/nginx", "a: 1"},
          {"mysql_app/x", "a: 1"},
          {"loop/a", "defaults: [/loop/a]"}};
}

TEST(DefaultsListTest, OrdersConfigs) {
  struct Case {
    const char* what;
    const char* config;
    Lines overrides;
    Lines want;
    const char* choices;
  };
  const Case cases[] = {
      {"self is last when not written",
       "defaults: [db: mysql]",
       {},
       {"db/mysql @ db", "config @ "},
       "db=mysql "},
      {"self where it is written",
       "defaults: [_self_, db: mysql]",
       {},
       {"config @ ", "db/mysql @ db"},
       "db=mysql "},
      {"a choice",
       "defaults: [db: mysql, _self_]",
       {"db=pg"},
       {"db/pg @ db", "config @ "},
       "db=pg "},
      {"appended after self", "a: 1", {"+db=pg"}, {"config @ ", "db/pg @ db"}, "db=pg "},
      {"deleted", "defaults: [db: mysql, _self_]", {"~db"}, {"config @ "}, ""},
      {"several options",
       "defaults: [db: [mysql, pg], _self_]",
       {},
       {"db/mysql @ db", "db/pg @ db", "config @ "},
       ""},
      {"nothing chosen", "defaults: [db: null, _self_]", {}, {"config @ "}, "db=None "},
      {"optional and absent",
       "defaults: [optional db: nope, _self_]",
       {},
       {"config @ "},
       "db=nope "},
      {"nested, with the outer package",
       "defaults: [srv: apache, _self_]",
       {},
       {"db/mysql @ srv.db", "srv/apache @ srv", "config @ "},
       "srv=apache db@srv.db=mysql "},
      {"overridden from outside",
       "defaults: [srv: apache, _self_, override db@srv.db: pg]",
       {},
       {"db/pg @ srv.db", "srv/apache @ srv", "config @ "},
       "srv=apache db@srv.db=pg "},
      {"interpolated",
       "defaults: ['${db}_app/x', db: mysql, _self_]",
       {},
       {"mysql_app/x @ mysql_app", "db/mysql @ db", "config @ "},
       "db=mysql "},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Outcome got = ListOf(Conf(c.config), c.overrides);
    EXPECT_EQ(got.error, "");
    EXPECT_EQ(got.rows, c.want);
    EXPECT_EQ(got.choices, c.choices);
  }
}

struct ErrorCase {
  const char* what;
  const char* config;
  Lines overrides;
  const char* want;
};
const ErrorCase kErrorCases[] = {
    {"duplicate self",
     "defaults: [_self_, _self_]",
     {},
     "Duplicate _self_ defined in config"},
    {"not in the list",
     "a: 1",
     {"db=pg"},
     "Could not override 'db'. No match in the defaults list.\n"
     "To append to your default list use +db=pg"},
    {"at another package",
     "defaults: [db@x: pg, db@y: pg]",
     {"db=[mysql]"},
     "Could not override 'db'.\nDid you mean to override one of db@x, db@y?\n"
     "To append to your default list use +db=['mysql']"},
    {"override of nothing",
     "defaults: [override db: pg]",
     {},
     "In 'config': Could not override 'db'. No match in the defaults list."},
    {"override before the end",
     "defaults: [db: pg, override db: mysql, srv: nginx]",
     {},
     "In config: Override 'db : mysql' is defined before 'srv: nginx'.\n"
     "Overrides must be at the end of the defaults list"},
    {"deleted in vain",
     "defaults: [db: pg]",
     {"~db=mysql"},
     "Could not delete 'db=mysql'. No match in the defaults list"},
    {"chosen twice",
     "defaults: [db: pg]",
     {"+db=mysql"},
     "Multiple values for db. To override a value use 'override db: mysql'"},
    {"listed twice",
     "defaults: [db: pg, db: pg]",
     {},
     "db appears more than once in the final defaults list"},
    {"to be chosen",
     "defaults: [db: \"???\"]",
     {},
     "You must specify 'db', e.g, db=<OPTION>\nAvailable options:\n\tmysql\n\tpg"},
    {"no such option",
     "defaults: [db: nope]",
     {},
     "In 'config': Could not find 'db/nope'\n\nAvailable options in "
     "'db':\n\tmysql\n\tpg\n"
     "Config search path:\n\tprovider=hydra, path=pkg://hydra.conf\n"
     "\tprovider=main, path=file:///conf\n\tprovider=schema, path=structured://"},
    {"interpolation to nothing",
     "defaults: [db: pg, srv: '${nope}']",
     {},
     "Error resolving interpolation '${nope}', possible interpolation keys: db"},
    {"old interpolation",
     "defaults: [db: pg, srv: '${defaults.0.db}']",
     {},
     "\nDefaults list element 'srv=${defaults.0.db}' is using a deprecated "
     "interpolation "
     "form.\nSee "
     "http://hydra.cc/docs/1.1/upgrades/1.0_to_1.1/defaults_list_interpolation "
     "for migration information."},
    {"forced",
     "a: 1",
     {"++db=pg"},
     "force-add of config groups is not supported: '++db=pg'"},
    {"not a name",
     "a: 1",
     {"db=1"},
     "Config group override must be a string or a list. Got int"},
    {"includes itself",
     "defaults: [loop/a]",
     {},
     "Defaults lists are nested more than 100 deep at 'loop/a': does a config include "
     "itself?"},
};

TEST(DefaultsListTest, SaysWhatIsWrong) {
  for (const ErrorCase& c : kErrorCases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(ListOf(Conf(c.config), c.overrides).error, c.want);
  }
}

TEST(DefaultsListTest, WarnsAboutAMissingSelfOnlyIfThePrimaryConfigHasContent) {
  EXPECT_EQ(ListOf(Conf("defaults: [db: pg]"), {}).warnings, Lines{});
  EXPECT_EQ(ListOf(Conf("defaults: [db: pg]\na: \"???\""), {}).warnings, Lines{});
  EXPECT_EQ(
      ListOf(Conf("defaults: [db: pg]\na: 1"), {}).warnings,
      Lines{"In 'config': Defaults list is missing `_self_`. See "
            "https://hydra.cc/docs/1.2/upgrades/1.0_to_1.1/default_composition_order "
            "for more information"});
}

TEST(DefaultsListTest, LeavesUnchosenGroupsOutOfASweep) {
  const Outcome got =
      ListOf(Conf("defaults: [db: \"???\", _self_]"), {}, MissingOptions::kSkip);
  EXPECT_EQ(got.error, "");
  EXPECT_EQ(got.rows, Lines{"config @ "});
}

TEST(DefaultsListTest, StopsWhenListsMultiply) {
  Files files = {{"config", "defaults: [l0]"}};
  for (int i = 0; i < 40; ++i) {
    const std::string next = "l" + std::to_string(i + 1);
    files["l" + std::to_string(i)] = "defaults: [" + next + ", " + next + "]";
  }
  files["l40"] = "";
  EXPECT_EQ(ListOf(files, {}).kind, ErrorKind::kLimit);
}

TEST(DefaultsListTest, SelfIsNoOptionOfAGroup) {
  EXPECT_EQ(ListOf(Conf("defaults: [db: _self_]"), {}).kind, ErrorKind::kAssertion);
}

}  // namespace
}  // namespace ridgeline::config
