// `ridgeline ncu-kernels` with the real ncu, which sees no kernel without a GPU, and with
// one that has a recorded answer.
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// With everything that these names may hold.
constexpr const char* kConfig = R"(kernels:
- name: 'void a::<unnamed>::f<(int)128, g(T &)::[lambda(int) (instance 1)]>(T1 *, char \[])'
  regex: '^void\ a::<unnamed>::f<\(int\)128,\ g\(T\ \&\)::\[lambda\(int\)\ \(instance\ 1\)\]>\(T1\ \*,\ char\ \\\[\]\)$'
- name: 'std::h<{x}, $^|?+>(int)'
- regex: '^gemm_(?:a|b)::.*$'
)";

class NcuKernels : public Playground {
 protected:
  ProgramEnd Profile(std::vector<std::string> flags,
                     const std::vector<std::string>& application) {
    flags.insert(flags.begin(), "ncu-kernels");
    flags.emplace_back("--");
    flags.insert(flags.end(), application.begin(), application.end());
    return Ridgeline(flags);
  }

  std::vector<std::string> Here() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory())) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
};

class RealNcuKernels : public NcuKernels {
 protected:
  void SetUp() override {
    if (!IsInstalled("ncu")) GTEST_SKIP() << "ncu is not installed";
  }
};

TEST_F(RealNcuKernels, TellsThatNoKernelWasSeen) {
  WriteFile(directory() / "k.yaml", kConfig);
  for (const char* const mode : {"--one-run", "--run-per-kernel"}) {
    SCOPED_TRACE(mode);
    const ProgramEnd end = Profile({"--kernel-config", "k.yaml", "--output-dir", "out",
                                    "--extra-sections", "NoSuchSection", mode},
                                   {"sh", "-c", "echo hello"});
    EXPECT_EQ(end.exit_code, 1) << end.err;
    EXPECT_THAT(end.err, HasSubstr("ridgeline: 3 kernels in "));
    EXPECT_THAT(end.err, HasSubstr("has no section NoSuchSection; skipped\n"));
    EXPECT_THAT(end.err, HasSubstr("hello\n"));
    // The second on a machine with a driver.
    EXPECT_THAT(
        end.err,
        testing::AnyOf(
            HasSubstr(
                "no kernel was profiled: no NVIDIA GPU on this machine (no driver)"),
            HasSubstr("ridgeline: no kernel was profiled: the first 200 launches of each "
                      "kernel are skipped (try --num-kernel-call-skip 0); ")));
    EXPECT_THAT(end.out, IsEmpty());
    EXPECT_THAT(Here(), ElementsAre("k.yaml"));
  }
}

TEST_F(RealNcuKernels, TellsWhatTheApplicationEndedWith) {
  const ProgramEnd end =
      Profile({"--kernel-regex", "a", "--output-dir", "out"}, {"sh", "-c", "exit 7"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.err, HasSubstr("ridgeline: the application failed: exit code 7\n"));
  EXPECT_THAT(Here(), IsEmpty());
}

TEST_F(RealNcuKernels, LeavesNothingWhenInterrupted) {
  const pid_t program = Start({"ncu-kernels", "--kernel-regex", "a", "--output-dir",
                               "out", "--", "sh", "-c", "touch started; sleep 60"});
  WaitForFile(directory() / "started");
  ::kill(program, SIGINT);
  const ProgramEnd end = Wait(program);
  EXPECT_EQ(end.exit_code, 130);
  EXPECT_THAT(end.err, HasSubstr("ridgeline: interrupted; nothing was written\n"));
  EXPECT_THAT(Here(), ElementsAre("started"));
  WaitForNoDescendants();
}

TEST_F(RealNcuKernels, PassesOnWhatNcuRefuses) {
  const ProgramEnd end =
      Profile({"--kernel-regex", "(gemm", "--output-dir", "out"}, {"true"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.err, HasSubstr("ridgeline: ncu failed (exit code 255): Invalid regex"));
  EXPECT_THAT(Here(), IsEmpty());
}

TEST_F(RealNcuKernels, TakesTheLongestNames) {
  std::string yaml = "kernels:\n";
  for (int i = 0; i < 6; ++i) {
    std::string name = "void f<(int)" + std::to_string(i);
    while (name.size() < 7000) name += ", at::native::Functor<(bool)1, char *>";
    yaml += "- name: '" + name + ">(T1)'\n";
  }
  WriteFile(directory() / "k.yaml", yaml);
  const ProgramEnd end =
      Profile({"--kernel-config", "k.yaml", "--output-dir", "out"}, {"true"});
  EXPECT_EQ(end.exit_code, 1) << end.err;
  EXPECT_THAT(end.err, HasSubstr("ridgeline: no kernel was profiled"));
  EXPECT_THAT(end.err, HasSubstr("\n  and 1 more\n"));
}

TEST_F(NcuKernels, StartsNothingThatCannotEndWell) {
  fs::create_directory(directory() / "bin");
  MakeScript("bin/ncu", "touch started");
  SetPath((directory() / "bin").string() + ":/usr/bin:/bin");
  fs::create_directory(directory() / "old");
  WriteFile(directory() / "old/file", "");
  WriteFile(directory() / "file", "");
  struct Case {
    const char* output;
    std::vector<std::string> application;
    int exit_code;
    const char* message;
  };
  const Case cases[] = {
      {"old",
       {"true"},
       2,
       "old: directory is not empty\nhint: choose another --output-dir"},
      {"file", {"true"}, 2, "file: exists and is not a directory"},
      {"new", {"no-such-program-anywhere"}, 127, "no-such-program-anywhere"},
      {"new", {"./file"}, 126, "not executable"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    const ProgramEnd end =
        Profile({"--kernel-regex", "a", "--output-dir", c.output}, c.application);
    EXPECT_EQ(end.exit_code, c.exit_code) << end.err;
    EXPECT_THAT(end.err, HasSubstr(c.message));
  }
  const ProgramEnd foreign = Profile(
      {"--kernel-regex", "a", "--output-dir", "old", "--force-overwrite"}, {"true"});
  EXPECT_EQ(foreign.exit_code, 2);
  EXPECT_THAT(foreign.err, HasSubstr("old: not replaced: no command.yaml"));
  WriteFile(directory() / "old/command.yaml", "of: the user\n");
  const ProgramEnd named = Profile(
      {"--kernel-regex", "a", "--output-dir", "old", "--force-overwrite"}, {"true"});
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_THAT(named.err, HasSubstr("its command.yaml was not written by ridgeline"));
  EXPECT_EQ(ReadFile(directory() / "old/command.yaml"), "of: the user\n");
  EXPECT_FALSE(fs::exists(directory() / "started"));
  SetPath((directory() / "empty").string());
  const ProgramEnd none = Profile({"--kernel-regex", "a"}, {"/bin/true"});
  EXPECT_EQ(none.exit_code, 127);
  EXPECT_THAT(none.err, HasSubstr("ncu"));
}

// A newer ncu: its first report has only the kernel `gemm`, later ones only `conv`.
constexpr const char* kNcu = R"sh(
case "$*" in
  *--version*) echo "Version 2025.1.0.0"; exit 0 ;;
  *--help*)
    echo "  --filter-mode arg (=global)   Set the filter mode for kernel launches:"
    echo "                                  global (default)  : together"
    echo "                                  per-launch-config : apart"
    exit 0 ;;
  *--list-*) exit 0 ;;
  *--import*)
    while [ "$1" != --kernel-name ]; do
      [ "$1" = --import ] && report=$2
      shift
    done
    name=${2#regex:}
    grep -q "$name" "$report" || exit 0
    echo '"ID","Kernel Name","Metric Name"'
    echo "\"0\",\"$name\",\"x\""
    exit 0 ;;
esac
while [ "$1" != --export ]; do shift; done
if [ -e once ]; then kernel=conv; else kernel=gemm; fi
# Of a format that is too new for our own reader.
printf 'NVR\000\003\000\000\000\010\377\177%s' $kernel > "$2.ncu-rep"
touch once
shift 2
"$@"
)sh";

TEST_F(NcuKernels, WritesWhatWasProfiled) {
  fs::create_directory(directory() / "bin");
  MakeScript("bin/ncu", kNcu);
  SetPath((directory() / "bin").string() + ":/usr/bin:/bin");
  fs::create_directory(directory() / "out");
  WriteFile(directory() / "out/old", "");
  WriteFile(directory() / "out/command.yaml", "script: 'ridgeline ncu-kernels'\n");
  const ProgramEnd end = Profile(
      {"--kernel-regex", "gemm", "--kernel-regex", "conv", "--kernel-regex", "fft",
       "--output-dir", "out/", "--force-overwrite", "--num-kernel-call-skip", "0"},
      {"echo", "hello"});
  EXPECT_EQ(end.exit_code, 1) << end.err;
  EXPECT_EQ(end.out, "2 of 3 kernels profiled: out/\n");
  EXPECT_THAT(end.err, HasSubstr("ridgeline: 3 kernels in 1 run of the application\n"
                                 "hello\n"
                                 "ridgeline: note: 2 kernels were not among"));
  EXPECT_THAT(end.err, HasSubstr("ridgeline: 1 of 3 kernels was not profiled: kernel "
                                 "names must match this GPU and library versions\n"
                                 "not profiled:\n"
                                 "     3  fft\n"));
  EXPECT_THAT(Here(), ElementsAre("bin", "once", "out"));
  const fs::path kernel =
      directory() / "out/kernel_0001_7b21c4129b3cddb8a221d5888db787c9";
  EXPECT_FALSE(fs::exists(directory() / "out/old"));
  EXPECT_THAT(ReadFile(kernel / "ncu.ncu-rep"), HasSubstr("gemm"));
  EXPECT_THAT(ReadFile(kernel / "ncu.section_SchedulerStats.csv"), HasSubstr("\"gemm\""));
  const std::string yaml = ReadFile(directory() / "out/command.yaml");
  EXPECT_THAT(yaml, HasSubstr("\nncu_version: '2025.1.0.0'\nmode: 'one-run'\n"));
  EXPECT_THAT(yaml, HasSubstr("- name: 'fft'\n  regex: 'fft'\n  profiled: false\n"));

  const ProgramEnd whole = Profile({"--kernel-regex", "conv"}, {"sh", "-c", "exit 0"});
  EXPECT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_THAT(whole.out, HasSubstr("1 of 1 kernel profiled: tmp/ncu-profile/2"));
  EXPECT_THAT(whole.err, Not(HasSubstr("not profiled")));
}

}  // namespace
}  // namespace ridgeline::run
