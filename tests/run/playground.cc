#include "run/playground.h"

#include <fcntl.h>
#include <spawn.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "os/command.h"
#include "os/testing/eventually.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string Slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::set<fs::path> EntriesOf(const fs::path& directory) {
  std::set<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(directory))
    entries.insert(entry.path());
  return entries;
}

}  // namespace

Playground::Playground() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test->test_suite_name()) + "." + test->name();
  std::replace(name.begin(), name.end(), '/', '_');
  mark_ = "RIDGELINE_TEST_MARK=" + name + "." + std::to_string(::getpid());
  const fs::path base = fs::canonical(fs::temp_directory_path()) /
                        ("ridgeline-run-" + std::to_string(::getpid()) + "-" + name);
  const char* path = std::getenv("PATH");
  path_ = path == nullptr ? "" : path;
  directory_ = base / "here";
  talk_ = base / "talk";
  fs::create_directories(directory_);
  fs::create_directories(talk_);
}

Playground::~Playground() {
  for (const auto& [program, number] : running_) {
    ::kill(program, SIGKILL);
    ::waitpid(program, nullptr, 0);
  }
  fs::remove_all(directory_.parent_path());
}

pid_t Playground::Start(const std::vector<std::string>& arguments) {
  const int number = started_++;
  const std::string out = talk_ / ("out" + std::to_string(number));
  const std::string err = talk_ / ("err" + std::to_string(number));
  std::vector<std::string> argv = {RIDGELINE_PROGRAM};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  // One thread: those of a model that wait for each other starve on cores that other
  // tests use, and most of their time is spinning.
  std::vector<std::string> variables = {"LC_ALL=C", "TZ=UTC", "OMP_NUM_THREADS=1", mark_,
                                        "PATH=" + path_};
  variables.insert(variables.end(), more_.begin(), more_.end());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, directory_.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
  // Inherited as ignored if the tests themselves run in the background of a script.
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGQUIT);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t program = -1;
  EXPECT_EQ(posix_spawn(&program, argv[0].c_str(), &actions, &attributes,
                        Pointers(argv).data(), Pointers(variables).data()),
            0);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  running_.emplace_back(program, number);
  return program;
}

ProgramEnd Playground::Wait(pid_t program) {
  ProgramEnd end;
  int status = 0;
  rusage usage = {};
  EXPECT_EQ(::wait4(program, &status, 0, &usage), program);
  end.peak_rss_bytes = usage.ru_maxrss * 1024;
  end.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  const auto found =
      std::find_if(running_.begin(), running_.end(),
                   [&](const auto& entry) { return entry.first == program; });
  end.out = Slurp(talk_ / ("out" + std::to_string(found->second)));
  end.err = Slurp(talk_ / ("err" + std::to_string(found->second)));
  running_.erase(found);
  return end;
}

namespace {

// A killed nsys can leave this lock taken; then every later one fails after ten seconds.
void RemoveStaleNsysLock() {
  for (const auto& process : fs::directory_iterator("/proc")) {
    std::ifstream comm(process.path() / "comm");
    std::string name;
    if (std::getline(comm, name) && name == "nsys") return;  // It may be in use.
  }
  for (const auto& entry : fs::directory_iterator("/dev/shm")) {
    if (entry.path().filename().string().starts_with("NSys-")) fs::remove(entry.path());
  }
}

}  // namespace

// nsys now and then breaks by itself. Users are told, and so is whoever reads the log of
// a test, but no test is about that.
ProgramEnd Playground::Ridgeline(const std::vector<std::string>& arguments) {
  constexpr int kMaxRepeats = 2;
  const std::set<fs::path> before = EntriesOf(directory_);
  ProgramEnd end = Wait(Start(arguments));
  const auto nsys_broke = [&end] {
    return end.exit_code != 0 && end.err.find("ToolFailed") != end.err.npos;
  };
  for (int i = 0; i < kMaxRepeats && nsys_broke(); ++i) {
    std::cerr << "again, because nsys broke:\n" << end.err;
    for (const fs::path& entry : EntriesOf(directory_)) {
      if (!before.contains(entry)) fs::remove_all(entry);
    }
    RemoveStaleNsysLock();
    end = Wait(Start(arguments));
  }
  return end;
}

std::vector<fs::path> Playground::Runs() {
  std::vector<fs::path> runs;
  const fs::path all = directory_ / "tmp/profile-output";
  if (!fs::exists(all)) return runs;
  for (const auto& entry : fs::directory_iterator(all)) runs.push_back(entry.path());
  std::sort(runs.begin(), runs.end());
  return runs;
}

fs::path Playground::OnlyRun() {
  const std::vector<fs::path> runs = Runs();
  EXPECT_EQ(runs.size(), 1u);
  return runs.empty() ? fs::path() : runs.front();
}

artifacts::Manifest Playground::ManifestOf(const fs::path& run) {
  Result<artifacts::Manifest> manifest =
      artifacts::ParseManifest(Slurp(run / "manifest.json"), run.string());
  EXPECT_TRUE(manifest.ok()) << manifest.error().message();
  return manifest.ok() ? std::move(manifest).value() : artifacts::Manifest{};
}

std::vector<pid_t> Playground::Descendants() const {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string variables = Slurp(entry.path() / "environ");
    if (variables.find(mark_ + '\0') != std::string::npos) {
      found.push_back(std::stoi(name));
    }
  }
  return found;
}

void Playground::WaitForNoDescendants() const {
  EXPECT_TRUE(os::Eventually([this] { return Descendants().empty(); }))
      << "still running: " << testing::PrintToString(Descendants());
}

void Playground::WaitForFile(const fs::path& path) const {
  EXPECT_TRUE(os::Eventually([&path] { return fs::exists(path); })) << path;
}

std::string Playground::ReadFile(const fs::path& path) const { return Slurp(path); }

void Playground::WriteFile(const fs::path& path, const std::string& text) const {
  std::ofstream(path, std::ios::binary) << text;
}

void Playground::MakeScript(const std::string& name, const std::string& lines) const {
  WriteFile(directory_ / name, "#!/bin/sh\n" + lines);
  ::chmod((directory_ / name).c_str(), 0755);
}

std::vector<std::string> Playground::Direct(const std::vector<std::string>& command) {
  return {"run",
          "run.mode=light",
          "pipeline.static_analysis.enable=false",
          "pipeline.torch_profiler.enable=false",
          "pipeline.direct_inference.enable=true",
          "pipeline.workload.command=" + ListOverride(command)};
}

std::vector<std::pair<std::string, int64_t>> RowsOf(const fs::path& path,
                                                    const std::string& sql) {
  std::vector<std::pair<std::string, int64_t>> rows;
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  const auto add = [](void* into, int, char** columns, char**) {
    static_cast<decltype(rows)*>(into)->emplace_back(columns[0], std::stoll(columns[1]));
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), add, &rows, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
  return rows;
}

bool IsInstalled(const std::string& program) { return os::FindProgram(program).ok(); }

std::string ListOverride(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) {
    std::string quoted;
    for (const char c : word) {
      if (c == '\'' || c == '\\') quoted += '\\';
      quoted += c;
    }
    list += (list.empty() ? "'" : ",'") + quoted + "'";
  }
  return "[" + list + "]";
}

std::optional<artifacts::State> StateOf(const artifacts::Manifest& manifest,
                                        const std::string& stage) {
  for (const artifacts::StageRecord& record : manifest.stages) {
    if (record.name == stage) return record.state;
  }
  return std::nullopt;
}

}  // namespace ridgeline::run
