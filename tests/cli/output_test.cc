// Commands write only where they were told to, and say so when they could not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/program.h"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string Data(const std::string& file) {
  return std::string(RIDGELINE_TESTS_DIR) + "/data/" + file;
}

std::string Conf() { return std::string(RIDGELINE_SOURCE_DIR) + "/conf"; }

// A directory with a file of the user under each name that commands like to use.
class InDirectory : public testing::Test {
 protected:
  InDirectory() {
    std::string name = testing::TempDir() + "ridgeline-output-XXXXXX";
    directory_ = mkdtemp(name.data());
    for (const char* const file :
         {"config.yaml", "metrics.json", "report.md", "results.sqlite",
          "predictions.jsonl", "kernels.yaml"}) {
      std::ofstream(directory_ / file) << "of the user";
    }
    entries_ = Entries();
  }
  ~InDirectory() override { fs::remove_all(directory_); }

  static size_t Count(const fs::path& directory) {
    return static_cast<size_t>(std::distance(fs::recursive_directory_iterator(directory),
                                             fs::recursive_directory_iterator()));
  }
  size_t Entries() const { return Count(directory_); }

  // Its exit code; what it prints is in out.txt and err.txt beside the directory.
  int Run(const std::string& arguments,
          const std::string& redirect = "> /dev/null") const {
    const std::string line = "cd " + directory_.string() + " && " + RIDGELINE_PROGRAM +
                             " " + arguments + " " + redirect + " 2> " + Err().string();
    const int status = std::system(line.c_str());
    return WEXITSTATUS(status);
  }
  fs::path Err() const { return directory_.string() + ".err"; }

  void ExpectUntouched() const {
    EXPECT_EQ(Entries(), entries_);
    for (const auto& entry : fs::directory_iterator(directory_)) {
      if (entry.is_regular_file()) {
        EXPECT_EQ(TextOf(entry.path()), "of the user") << entry.path();
      }
    }
  }

  fs::path directory_;
  size_t entries_ = 0;
};

TEST_F(InDirectory, NoCommandWritesWhereNobodyAsked) {
  const struct {
    const char* what;
    std::string arguments;
    int exit_code;
  } cases[] = {
      {"help of the workload", "workload --help", 0},
      {"its configuration", "workload --cfg job", 0},
      {"its configuration as a whole", "workload --cfg all", 0},
      {"Hydra's help", "workload --hydra-help", 0},
      {"its version", "workload --version", 0},
      {"about Hydra", "workload --info searchpath", 0},
      {"a workload without a directory", "workload", 2},
      {"a workload in a directory that is not empty", "workload --output-dir .", 2},
      {"help of a run", "run --help", 0},
      {"the configuration", "run --cfg job", 0},
      {"a plan", "run --dry-run", 0},
      {"a plan here", "run --dry-run hydra.run.dir=.", 0},
      {"a run here", "run hydra.run.dir=. pipeline.workload.command=[true]", 2},
      {"composing", "config compose --config-dir " + Conf(), 0},
      {"an import", "import " + Data("torch_trace/small.json"), 0},
      {"reports here", "report " + Data("torch_trace/small.json") + " -o .", 2},
      {"a prediction", "predict +preset=demo --on 'H100 SXM5 80GB'", 0},
      {"a checkpoint here", "model create .", 2},
  };
  std::ofstream(directory_ / "config.json") << "of the user";
  ++entries_;
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Run(c.arguments), c.exit_code) << TextOf(Err());
    ExpectUntouched();
  }
}

TEST_F(InDirectory, OutputReplacesNoFileOfTheUser) {
  const std::string csv = Data("nsys/kernels_2022.csv");
  const std::string page = Data("ncu/raw_three_launches.csv");
  ASSERT_EQ(std::system(("cp " + csv + " " + directory_.string() + ".csv").c_str()), 0);
  const std::string copy = directory_.string() + ".csv";
  ASSERT_EQ(std::system(("mkfifo " + directory_.string() + ".pipe").c_str()), 0);
  const std::string pipe = directory_.string() + ".pipe";
  const std::string commands[] = {
      "import " + csv + " -o results.sqlite",
      "import " + csv + " -o .",
      "import " + csv + " -o " + pipe,
      "import " + copy + " -o " + copy,
      "top-kernels " + csv + " -o kernels.yaml",
      "top-kernels " + copy + " -o " + copy,
      "analyze " + page + " --json metrics.json",
      "analyze " + page + " --csv report.md --json new.json",
  };
  for (const std::string& command : commands) {
    EXPECT_EQ(Run(command), 2) << command;
    EXPECT_THAT(TextOf(Err()), HasSubstr("hint: choose another output file")) << command;
  }
  ExpectUntouched();
  EXPECT_EQ(TextOf(copy), TextOf(csv));
  EXPECT_TRUE(fs::is_fifo(pipe));
  fs::remove(copy);
  fs::remove(pipe);
}

TEST_F(InDirectory, OutputReplacesItsOwnFile) {
  const std::string csv = Data("nsys/kernels_2022.csv");
  const std::string page = Data("ncu/raw_three_launches.csv");
  for (const std::string& command :
       {"import " + csv + " -o own.sqlite", "top-kernels " + csv + " -o own.yaml",
        "analyze " + page + " --output-dir own"}) {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(Run(command), 0) << command << TextOf(Err());
  }
}

TEST_F(InDirectory, AReportReplacesOneOfTheSameProfilesOnly) {
  const std::string one = "report " + Data("torch_trace/small.json") + " -o out";
  const std::string other = "report " + Data("ncu/raw_three_launches.csv") + " -o out";
  EXPECT_EQ(Run(one), 0) << TextOf(Err());
  EXPECT_EQ(Run(one), 0) << TextOf(Err());
  const std::string report = TextOf(directory_ / "out/report.md");
  EXPECT_EQ(Run(other), 2);
  EXPECT_THAT(TextOf(Err()), HasSubstr("contains a report of small.json\nhint: "));
  EXPECT_EQ(TextOf(directory_ / "out/report.md"), report);
  EXPECT_EQ(Run(other + " --force"), 0) << TextOf(Err());
  EXPECT_NE(TextOf(directory_ / "out/report.md"), report);
}

// The commands that `ridgeline --help` lists.
std::vector<std::string> Commands() {
  std::istringstream help(RunProgram({"--help"}).out);
  std::vector<std::string> names;
  for (std::string line; std::getline(help, line);) {
    std::istringstream words(line);
    std::string program;
    std::string name;
    words >> program >> name;
    if (line.starts_with("  ridgeline ")) names.push_back(name);
  }
  return names;
}

TEST_F(InDirectory, ATruncatedAnswerIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const std::string trace = Data("torch_trace/small.json");
  const std::string csv = Data("nsys/kernels_2022.csv");
  const std::string page = Data("ncu/raw_three_launches.csv");
  std::vector<std::string> cases = {"--help",
                                    "--version",
                                    "import " + trace,
                                    "import --json " + trace,
                                    "top-kernels " + csv,
                                    "analyze " + page,
                                    "report " + trace + " -o new",
                                    "config compose --config-dir " + Conf(),
                                    "config parse-override a=1",
                                    "config parse-override a=[",
                                    "run --cfg job",
                                    "run --info all",
                                    "run --dry-run",
                                    "run --hydra-help",
                                    "run -sc install=bash",
                                    "run pipeline.workload.command=[/bin/true]",
                                    "run --json pipeline.workload.command=[/bin/true]",
                                    "workload --cfg job",
                                    "doctor",
                                    "doctor --json",
                                    "nvtx-list -- true",
                                    "nvtx-list --json -- true",
                                    "serve --port 0",
                                    "predict +preset=demo --on 'H100 SXM5 80GB'",
                                    "predict +preset=demo --on 'H100 SXM5 80GB' --json"};
  ASSERT_GT(Commands().size(), 10u);
  for (const std::string& command : Commands()) cases.push_back(command + " --help");
  for (const std::string& arguments : cases) {
    SCOPED_TRACE(arguments);
    EXPECT_EQ(Run(arguments, "> /dev/full"), 1);
    EXPECT_THAT(TextOf(Err()), HasSubstr("ridgeline: stdout: "));
  }
}

}  // namespace
}  // namespace ridgeline::cli
