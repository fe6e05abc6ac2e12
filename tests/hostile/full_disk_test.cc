// A disk that is full, or has no room for another file, at every moment of a run and of
// the commands that write files: they fail and say so, what is written is whole, and the
// run can be resumed once there is space.
#include <sched.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "hostile/hostile.h"

namespace ridgeline::hostile {
namespace {

namespace fs = std::filesystem;
using artifacts::State;

constexpr const char* kEnough = "size=64m,nr_inodes=10000";

// A small file system that other processes do not see, and that ends with this one.
class Disk {
 public:
  explicit Disk(fs::path place) : place_(std::move(place)) {}
  ~Disk() { ::umount2(place_.c_str(), MNT_DETACH); }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  // Why there is none; empty: there is.
  std::string Mount(const std::string& options) {
    fs::create_directory(place_);
    const bool is_mounted =
        ::unshare(CLONE_NEWNS) == 0 &&
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
        ::mount("tmpfs", place_.c_str(), "tmpfs", 0, options.c_str()) == 0;
    return is_mounted ? "" : std::strerror(errno);
  }
  bool Grow() {
    return ::mount("tmpfs", place_.c_str(), "tmpfs", MS_REMOUNT, kEnough) == 0;
  }

 private:
  fs::path place_;
};

// What a disk has too little of.
struct Scarce {
  const char* name;
  const char* option;  // Of tmpfs.
  int least;
  int most;  // Enough for everything.
  int unit;
};

const Scarce kScarce[] = {
    {"bytes", "size", 1, 320, 4096},
    {"inodes", "nr_inodes", 2, 56, 1},
};

std::string OptionOf(const Scarce& scarce, int value) {
  return std::string(scarce.option) + "=" + std::to_string(value * scarce.unit);
}

class FullDisk : public Hostile, public testing::WithParamInterface<Scarce> {
 protected:
  fs::path disk() const { return directory() / "disk"; }

  bool IsWhole(const fs::path& file) const {
    const std::string text = ReadFile(file);
    const std::string kind = file.extension();
    if (kind == ".json") return nlohmann::json::accept(text);
    if (kind == ".html") return text.ends_with("</html>\n");
    if (kind == ".md" || kind == ".yaml") return text.ends_with('\n');
    if (kind != ".sqlite") return true;
    return run::RowsOf(file, "SELECT integrity_check, 1 FROM pragma_integrity_check") ==
           std::vector<std::pair<std::string, int64_t>>{{"ok", 1}};
  }

  // Files of stages that failed are what the tools left.
  void CheckFiles(const fs::path& place) {
    if (!fs::exists(place)) return;
    for (const auto& entry : fs::recursive_directory_iterator(place)) {
      if (!entry.is_regular_file()) continue;
      if (entry.path().filename().string().find("-part") != std::string::npos) {
        ADD_FAILURE() << entry.path() << " is left";
        Count(Harm::kLeaked);
      }
      if (IsWhole(entry.path())) continue;
      ADD_FAILURE() << entry.path() << " is half written";
      Count(Harm::kLied);
    }
  }

  // Few values in ctest, which end at different moments.
  std::vector<int> Values() {
    constexpr int kFew = 5;
    std::mt19937 random(1);
    const int span = GetParam().most - GetParam().least;
    std::vector<int> values;
    for (int i = 0; i <= kFew; ++i) values.push_back(GetParam().least + span * i / kFew);
    for (int i = kFew; i < Rounds(); ++i) {
      values.push_back(GetParam().least + Random(random, span));
    }
    return values;
  }
};

#define MOUNT_OR_SKIP(disk, options)                                       \
  if (const std::string reason = (disk).Mount(options); !reason.empty()) { \
    GTEST_SKIP() << "needs the right to mount a tmpfs (root): " << reason; \
  }

class FullDiskOfARun : public FullDisk {
 protected:
  // All stages for other programs, with tools that work.
  std::vector<std::string> Everything() {
    fs::create_directories(directory() / "bin");
    for (const std::string tool : {"nsys", "ncu"}) {
      const fs::path link = directory() / "bin" / tool;
      if (!fs::exists(link)) {
        fs::create_symlink(fs::path(RIDGELINE_TESTS_DIR) / "hostile" / (tool + ".sh"),
                           link);
      }
    }
    SetPath((directory() / "bin").string() + ":/usr/bin:/bin");
    AddVariable(std::string("HOSTILE_TESTS=") + RIDGELINE_TESTS_DIR);
    AddVariable("HOSTILE_ACT=good");
    MakeScript("work", "head -c 30000 /dev/zero | tr '\\0' x; echo\n");
    std::vector<std::string> arguments = Direct({"./work"});
    arguments.insert(arguments.end(),
                     {"hydra.run.dir=disk/out", "pipeline.nsys.enable=true",
                      "pipeline.ncu.enable=true", "run.repeats=1"});
    return arguments;
  }

  // Stages that are done have whole files; so have the reports.
  void CheckRunFiles(const artifacts::Manifest& manifest) {
    const fs::path run = disk() / "out";
    for (const artifacts::StageRecord& stage : manifest.stages) {
      if (stage.state == State::kDone) CheckFiles(run / stage.directory);
    }
    for (const auto& entry : fs::directory_iterator(run)) {
      if (entry.is_regular_file() && !IsWhole(entry.path())) {
        ADD_FAILURE() << entry.path() << " is half written";
        Count(Harm::kLied);
      }
    }
  }
};

TEST_P(FullDiskOfARun, FailsItAndItCanBeResumed) {
  const std::vector<std::string> arguments = Everything();
  for (const int value : Values()) {
    const std::string option = OptionOf(GetParam(), value);
    SCOPED_TRACE(option);
    Disk small(disk());
    MOUNT_OR_SKIP(small, option);
    const Trial trial;
    const run::ProgramEnd end = End(Start(arguments));
    CountLeaks();
    const bool has_manifest = fs::exists(disk() / "out/manifest.json");
    const artifacts::Manifest manifest =
        has_manifest ? ManifestOf(disk() / "out") : artifacts::Manifest();
    const bool is_true = (manifest.state == State::kDone) == (end.exit_code == 0) &&
                         manifest.state != State::kRunning;
    if (!is_true) {
      ADD_FAILURE() << "exit code " << end.exit_code << ", "
                    << artifacts::ToText(manifest.state) << end.err;
      Count(Harm::kLied);
    }
    if (end.exit_code != 0 && end.err.find("No space left") == std::string::npos) {
      ADD_FAILURE() << "no reason: " << end.err;
      Count(Harm::kLied);
    }
    if (has_manifest) CheckRunFiles(manifest);
    ASSERT_TRUE(small.Grow());
    CheckRun(disk() / "out");
  }
}

INSTANTIATE_TEST_SUITE_P(All, FullDiskOfARun, testing::ValuesIn(kScarce),
                         [](const auto& named) { return named.param.name; });

class FullDiskOfACommand : public FullDisk {};

TEST_P(FullDiskOfACommand, FailsItAndLeavesNothingHalfWritten) {
  const fs::path data = fs::path(RIDGELINE_TESTS_DIR) / "data";
  const std::string nsys =
      fs::path(RIDGELINE_TESTS_DIR) / "fuzz/corpus/nsys_sqlite_fuzz/small.sqlite";
  const std::string ncu = data / "ncu/raw_three_launches.csv";
  const std::vector<std::string> commands[] = {
      {"import", nsys, "-o", "disk/results.sqlite"},
      {"report", nsys, ncu, "-o", "disk/report"},
      {"analyze", ncu, "--output-dir", "disk/analysis"},
      {"top-kernels", nsys, "-o", "disk/kernels.yaml"},
  };
  for (const std::vector<std::string>& command : commands) {
    for (const int value : Values()) {
      const std::string option = OptionOf(GetParam(), value);
      SCOPED_TRACE(command[0] + " " + option);
      Disk small(disk());
      MOUNT_OR_SKIP(small, option);
      const Trial trial;
      const run::ProgramEnd end = End(Start(command));
      CheckFiles(disk());
      const bool is_said = end.err.find("No space left") != std::string::npos;
      if (end.exit_code == (is_said ? 1 : 0)) continue;
      ADD_FAILURE() << "exit code " << end.exit_code << ": " << end.err;
      Count(Harm::kLied);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FullDiskOfACommand, testing::ValuesIn(kScarce),
                         [](const auto& named) { return named.param.name; });

}  // namespace
}  // namespace ridgeline::hostile
