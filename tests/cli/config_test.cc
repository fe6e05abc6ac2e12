// `ridgeline config` and the flags of `ridgeline run` on a foreign Hydra tree.
#include <gtest/gtest.h>

#include <ostream>

#include "cli/program.h"

namespace ridgeline::cli {
namespace {

const std::string kTree = "tests/data/hydra_tree";
const std::string kBroken = "tests/data/broken_tree";

struct ConfigCase {
  std::string name;
  std::vector<std::string> arguments;
  int exit_code;
};

// The table of the search path is as wide as the path of the checkout: such
// answers are compared without their padding and rules.
bool ShowsSearchPath(const ConfigCase& c) {
  return c.name == "info_searchpath" || c.name == "info_config";
}

std::string WithoutPadding(const std::string& text) {
  std::string squeezed;
  for (const char c : text) {
    const bool padding = c == ' ' || c == '-';
    if (!padding || squeezed.empty() || squeezed.back() != c) squeezed += c;
  }
  return squeezed;
}

// Names the case in test lists.
void PrintTo(const ConfigCase& c, std::ostream* out) { *out << c.name; }

std::string NameOf(const testing::TestParamInfo<ConfigCase>& tested) {
  return tested.param.name;
}

class ConfigCli : public testing::TestWithParam<ConfigCase> {};

TEST_P(ConfigCli, AnswersAsRecorded) {
  const ConfigCase& c = GetParam();
  const ProgramResult result = RunProgram(c.arguments);
  EXPECT_EQ(result.exit_code, c.exit_code);
  const std::string transcript = Transcript(c.arguments, result);
  ExpectGolden(c.name, ShowsSearchPath(c) ? WithoutPadding(transcript) : transcript);
}

std::vector<std::string> Compose(std::vector<std::string> rest) {
  std::vector<std::string> all = {"config", "compose", "--config-dir",
                                  kTree,    "--now",   "2024-03-05T14:07:09"};
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

std::vector<std::string> Broken(const std::string& name,
                                std::vector<std::string> rest = {}) {
  std::vector<std::string> all = {"config", "compose",       "--config-dir",
                                  kBroken,  "--config-name", name};
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

std::vector<std::string> Run(std::vector<std::string> rest) {
  std::vector<std::string> all = {"run", "--config-path", kTree};
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(
    Good, ConfigCli,
    testing::Values(
        ConfigCase{"compose", Compose({}), 0},
        ConfigCase{"compose_overrides", Compose({"db=postgres", "lr=1e-3", "+seed=7"}),
                   0},
        ConfigCase{"compose_resolve", Compose({"--resolve", "+exp=fast"}), 0},
        ConfigCase{"compose_json", Compose({"--json", "net@model=cnn"}), 0},
        ConfigCase{"parse_override",
                   {"config", "parse-override", "a.b=[1,x]", "+db@src=choice(my,pg)"},
                   0},
        ConfigCase{"cfg_job", Run({"--cfg", "job"}), 0},
        ConfigCase{"cfg_package", Run({"-c", "job", "-p", "db", "db=postgres"}), 0},
        ConfigCase{"info_defaults", Run({"--info", "defaults"}), 0},
        ConfigCase{"info_defaults_tree", Run({"-i", "defaults-tree", "+exp=fast"}), 0},
        ConfigCase{"info_searchpath", Run({"--info", "searchpath"}), 0},
        ConfigCase{"info_plugins", Run({"--info", "plugins"}), 0},
        ConfigCase{"info_config", Run({"--info", "config"}), 0},
        ConfigCase{"help", Run({"--help"}), 0},
        ConfigCase{"hydra_help", Run({"--hydra-help"}), 0},
        ConfigCase{"usage", {"--help"}, 0},
        ConfigCase{"report_help", {"report", "--help"}, 0},
        ConfigCase{"sweep_help", {"sweep", "--help"}, 0},
        ConfigCase{"sweep_unknown_action", {"sweep", "stauts", "x"}, 2},
        ConfigCase{"sweep_without_directory", {"sweep", "status"}, 2},
        ConfigCase{"sweep_not_a_sweep", {"sweep", "status", "tests/data/hydra_tree"}, 2},
        ConfigCase{
            "sweep_cfg_slurm",
            {"run", "hydra/launcher=slurm", "--cfg", "hydra", "-p", "hydra.launcher"},
            0},
        ConfigCase{"parse_override_help", {"config", "parse-override", "--help"}, 0},
        ConfigCase{"config_usage", {"config", "--help"}, 0}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Bad, ConfigCli,
    testing::Values(ConfigCase{"no_such_directory",
                               {"config", "compose", "--config-dir", "no/such/tree"},
                               2},
                    ConfigCase{"no_such_config", Compose({"--config-name", "confg"}), 2},
                    ConfigCase{"missing_file", Broken("missing_file"), 2},
                    ConfigCase{"bad_option", Compose({"db=mysq"}), 2},
                    ConfigCase{"bad_group", Compose({"dbs=mysql"}), 2},
                    ConfigCase{"unknown_key", Compose({"model.widht=3"}), 2},
                    ConfigCase{"wrong_type", Compose({"hydra.job.chdir=maybe"}), 2},
                    ConfigCase{"cycle", Broken("cycle", {"--resolve"}), 2},
                    ConfigCase{"unknown_reference",
                               Broken("unknown_reference", {"--resolve"}), 2},
                    ConfigCase{"duplicate_key", Broken("duplicate_key"), 2},
                    ConfigCase{"not_utf8", Broken("not_utf8"), 2},
                    ConfigCase{"syntax", Broken("syntax"), 2},
                    ConfigCase{"open_interpolation", Broken("open_interpolation"), 2},
                    ConfigCase{"includes_itself", Broken("includes_itself"), 2},
                    ConfigCase{"bad_override", Compose({"lr=[1"}), 2},
                    ConfigCase{"sweep_without_multirun", Compose({"lr=1,2"}), 2},
                    ConfigCase{"unknown_flag", Compose({"--resolv", "--josn"}), 2},
                    ConfigCase{"bad_choice", Run({"--cfg", "jobs"}), 2},
                    ConfigCase{"no_such_package", Run({"--cfg", "job", "-p", "dbb"}), 2},
                    ConfigCase{"unknown_command", {"confgi", "compose"}, 2},
                    ConfigCase{"no_command", {}, 2}),
    NameOf);

struct Completion {
  const char* line;
  const char* want;
};

TEST(Completion, OffersGroupsOptionsAndKeys) {
  const Completion cases[] = {
      {"ridgeline ",
       "db. db= exp= hydra hydra. layers. lr= model. name= net= net@model= out=\n"},
      {"ridgeline run d", "db. db=\n"},
      {"ridgeline run db=", "db=mysql db=postgres\n"},
      {"ridgeline run db=p", "db=postgres\n"},
      {"ridgeline run net@model=", "net@model=cnn net@model=mlp\n"},
      {"ridgeline run net@", "net@model=\n"},
      {"ridgeline run model.", "model.kind= model.width=\n"},
      {"ridgeline run db=postgres db.port=", "db.port=5432\n"},
      {"ridgeline run +e", "+exp=\n"},
      {"ridgeline run ~d", "~db\n"},
      {"ridgeline run hydra/l", "hydra/launcher=\n"},
      {"ridgeline run x=./tests/data/hydra_tree/n", "x=./tests/data/hydra_tree/net\n"},
  };
  for (const Completion& c : cases) {
    SCOPED_TRACE(c.line);
    const ProgramResult result = RunProgram({"run", "-cp", kTree, "-sc", "query=bash"},
                                            {std::string("COMP_LINE=") + c.line});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out, c.want);
    EXPECT_EQ(result.err, "");
  }
}

TEST(Completion, PrintsAScriptForEachShell) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    SCOPED_TRACE(shell);
    const ProgramResult result = RunProgram({"run", "-sc", "install=" + shell});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_NE(result.out.find("-sc query=" + shell), std::string::npos);
  }
  const ProgramResult unknown = RunProgram({"run", "-sc", "install=tcsh"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.err,
            "ridgeline: no shell completion for 'tcsh'; expected bash, fish or zsh\n");
}

}  // namespace
}  // namespace ridgeline::cli
