#include "os/command.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "os/files.h"

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;

TEST(CommandTest, PrintsALineThatAShellReadsBack) {
  struct Case {
    const char* what;
    Command command;
    const char* want;
  };
  const Case cases[] = {
      {"plain words",
       {{"nsys", "profile", "-o", "/a/b"}, {}, {}},
       "nsys profile -o /a/b"},
      {"spaces", {{"echo", "a b"}, {}, {}}, "echo 'a b'"},
      {"an empty word", {{"echo", ""}, {}, {}}, "echo ''"},
      {"a quote", {{"echo", "it's"}, {}, {}}, R"(echo 'it'\''s')"},
      {"what a shell would expand",
       {{"echo", "decode@*", "$x", "~"}, {}, {}},
       "echo 'decode@*' '$x' '~'"},
      {"a variable", {{"run"}, {{"A", "1 2"}}, {}}, "A='1 2' run"},
      {"a secret is not printed",
       {{"run"}, {{"HF_TOKEN", "hf_abc"}}, {}},
       R"(HF_TOKEN="$HF_TOKEN" run)"},
      {"a secret in a value is not printed",
       {{"run"}, {{"INDEX", "https://user:pass@host/"}}, {}},
       R"(INDEX="$INDEX" run)"},
      {"a secret among the arguments is not printed",
       {{"run", "--token", "a'b", "--api-key=c d"}, {}, {}},
       "run --token REDACTED --api-key=REDACTED"},
      {"a name that a shell would run",
       {{"run"}, {{"A", "1"}, {"x;touch y;", "2"}}, {}},
       "env A=1 'x;touch y;=2' run"},
      {"a secret under such a name",
       {{"run"}, {{"$(touch y)_TOKEN", "hf_abc"}}, {}},
       "env '$(touch y)_TOKEN=REDACTED' run"},
      {"a directory", {{"./run"}, {}, "/a b"}, "cd '/a b' && ./run"},
      {"a program that looks like a variable", {{"A=b", "C=d"}, {}, {}}, "'A=b' C=d"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(c.command.ToShellString(), c.want);
  }
}

class FindProgramTest : public testing::Test {
 protected:
  FindProgramTest() {
    fs::create_directories(directory_ / "bin");
    Make("bin/good", 0755);
    Make("bin/plain", 0644);
  }
  ~FindProgramTest() override { fs::remove_all(directory_); }

  void Make(const char* name, mode_t mode) {
    ASSERT_TRUE(WriteFileAtomically(directory_ / name, "#!/bin/sh\n").ok());
    ::chmod((directory_ / name).c_str(), mode);
  }
  Command In(const std::string& program) const {
    return {{program}, {{"PATH", (directory_ / "bin").string()}}, directory_};
  }

  const fs::path directory_ =
      fs::path(testing::TempDir()) / ("find_program_" + std::to_string(::getpid()));
};

TEST_F(FindProgramTest, LooksInPathOrAtThePath) {
  EXPECT_EQ(FindProgram(In("good")).value(), directory_ / "bin/good");
  EXPECT_EQ(FindProgram(In("./bin/good")).value(), directory_ / "bin/good");
  EXPECT_EQ(FindProgram(In((directory_ / "bin/good").string())).value(),
            directory_ / "bin/good");
}

TEST_F(FindProgramTest, TellsMissingFromNotExecutable) {
  struct Case {
    const char* program;
    ErrorCode code;
    const char* message;
  };
  const Case cases[] = {
      {"absent", ErrorCode::kNotFound, "no program 'absent' found in PATH"},
      {"./absent", ErrorCode::kNotFound, "/absent: No such file or directory"},
      {"plain", ErrorCode::kCannotStart, "not executable; run chmod +x"},
      {"./bin/plain", ErrorCode::kCannotStart, "not executable"},
      {"./bin", ErrorCode::kCannotStart, "not a program"},
      {"", ErrorCode::kNotFound, "the command is empty"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.program);
    const Result<fs::path> found = FindProgram(In(c.program));
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.error().code(), c.code);
    EXPECT_NE(found.error().message().find(c.message), std::string::npos)
        << found.error().message();
  }
}

}  // namespace
}  // namespace ridgeline::os
