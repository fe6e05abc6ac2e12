// Every way in which nsys and ncu are known to fail, acted out by fakes: a stage that is
// done has data that our own readers can read, and any other names its outcome.
#include <gmock/gmock.h>

#include "hostile/hostile.h"

namespace ridgeline::hostile {
namespace {

namespace fs = std::filesystem;
using artifacts::State;
using testing::HasSubstr;

struct Act {
  const char* tool;
  const char* name;
  const char* outcome;
  State state;
  const char* message;  // In the reason or a note; empty: none needed.
  const char* workload = "echo worked";
  size_t captures = 1;  // Runs of the workload.
};

void PrintTo(const Act& act, std::ostream* out) { *out << act.tool << " " << act.name; }

const Act kActs[] = {
    {"ncu", "good", "Profiled", State::kDone, ""},
    {"ncu", "private_temporary", "Profiled", State::kDone, ""},
    {"ncu", "newer_report", "Profiled", State::kDone, "newer than"},
    {"ncu", "empty_report", "UnreadableReport", State::kFailed, "ncu --import"},
    {"ncu", "garbage_report", "UnreadableReport", State::kFailed, "ncu --import"},
    {"ncu", "cut_report", "UnreadableReport", State::kFailed, "ncu --import"},
    {"ncu", "report_without_launches", "NoKernels", State::kFailed, "no launches", "", 4},
    {"ncu", "empty_raw", "ExportFailed", State::kFailed, "cmd_export_raw.txt"},
    {"ncu", "garbage_raw", "ExportFailed", State::kFailed, "cmd_export_raw.txt"},
    {"ncu", "raw_without_launches", "ExportFailed", State::kFailed, "no launches"},
    {"ncu", "export_fails", "ExportFailed", State::kFailed, "Failed to load"},
    {"ncu", "failed_to_profile", "ToolFailed", State::kFailed, "Failed to profile"},
    {"ncu", "no_permission", "PermissionDenied", State::kFailed, "NVreg_"},
    {"ncu", "no_permission_but_report", "PermissionDenied", State::kFailed, "NVreg_"},
    {"ncu", "no_kernels", "NoKernels", State::kFailed, "no kernels profiled", "", 4},
    {"ncu", "no_report", "NoReport", State::kFailed, "no report"},
    {"ncu", "refused", "ArgumentRefused", State::kFailed, "--x"},
    {"ncu", "crash", "ToolFailed", State::kFailed, "signal 11"},
    {"ncu", "hang", "TimedOut", State::kFailed, "timeout"},
    {"ncu", "hang_when_asked", "Profiled", State::kDone, ""},
    {"ncu", "good", "WorkloadFailed", State::kFailed, "exit code 7", "exit 7"},

    {"nsys", "good", "Captured", State::kDone, ""},
    {"nsys", "breaks_once", "Captured", State::kDone, "nsys was started again", "", 2},
    {"nsys", "report_of_first_attempt", "NoReport", State::kFailed, "no report", "", 2},
    {"nsys", "empty_report", "ToolFailed", State::kFailed, "empty report", "", 3},
    {"nsys", "no_report", "NoReport", State::kFailed, "no report"},
    {"nsys", "empty_export", "ExportFailed", State::kFailed, "nsys export"},
    {"nsys", "garbage_export", "ExportFailed", State::kFailed, "nsys export"},
    {"nsys", "cut_export", "ExportFailed", State::kFailed, "nsys export"},
    {"nsys", "no_export", "ExportFailed", State::kFailed, "nsys export"},
    {"nsys", "export_fails", "ExportFailed", State::kFailed, "Failed to open"},
    {"nsys", "export_crashes", "ExportFailed", State::kFailed, "signal 11"},
    {"nsys", "crash_before_start", "ToolFailed", State::kFailed, "signal 11", "", 3},
    {"nsys", "silent_before_start", "ToolFailed", State::kFailed, "exit code 1", "", 3},
    {"nsys", "crash", "ToolFailed", State::kFailed, "signal 11", "", 3},
    {"nsys", "crash_after_report", "ToolFailed", State::kFailed, "signal 11", "", 3},
    {"nsys", "wrapped_crash", "ToolFailed", State::kFailed, "core dumped", "", 3},
    {"nsys", "connection_reset", "ToolFailed", State::kFailed, "Connection reset", "", 3},
    {"nsys", "end_of_file", "ToolFailed", State::kFailed, "End of file", "", 3},
    {"nsys", "end_of_file_after_report", "ToolFailed", State::kFailed, "End of file", "",
     3},
    {"nsys", "refused", "ArgumentRefused", State::kFailed, "--x"},
    {"nsys", "hang", "TimedOut", State::kFailed, "timeout"},
    {"nsys", "hang_when_asked", "Captured", State::kDone, ""},
    {"nsys", "good", "WorkloadFailed", State::kFailed, "exit code 7", "exit 7"},
};

class Tools : public Hostile, public testing::WithParamInterface<Act> {
 protected:
  void SetUp() override {
    fs::create_directory(directory() / "bin");
    for (const char* tool : {"nsys", "ncu"}) {
      fs::create_symlink(
          fs::path(RIDGELINE_TESTS_DIR) / "hostile" / (std::string(tool) + ".sh"),
          directory() / "bin" / tool);
    }
    SetPath((directory() / "bin").string() + ":/usr/bin:/bin");
    AddVariable(std::string("HOSTILE_TESTS=") + RIDGELINE_TESTS_DIR);
    AddVariable(std::string("HOSTILE_ACT=") + GetParam().name);
    // With a GPU, a filter may be why ncu profiles no kernels.
    fs::create_symlink(RIDGELINE_FAKE_NVML, directory() / "bin/libnvidia-ml.so.1");
    AddVariable("LD_LIBRARY_PATH=" + (directory() / "bin").string());
    MakeScript("work", std::string(GetParam().workload) + "\n");
  }

  // Without the repeats of Ridgeline(): a tool that breaks is the subject here.
  run::ProgramEnd Run() {
    const std::string stage = std::string("pipeline.") + GetParam().tool;
    return End(Start({"run", "hydra.run.dir=out", stage + ".enable=true",
                      stage + ".timeout_s=" + (IsHang() ? "2" : "60"), "run.grace_s=0.2",
                      "pipeline.workload.command=" + run::ListOverride({"./work"})}));
  }
  bool IsHang() const { return std::string_view(GetParam().name) == "hang"; }

  // The reason and the notes of the stage.
  static std::string Said(const artifacts::StageRecord& stage) {
    std::string said = stage.reason + "\n";
    for (const std::string& note : stage.notes) said += note + "\n";
    return said;
  }
};

TEST_P(Tools, EndsWithANamedOutcome) {
  const Act& act = GetParam();
  const Trial trial;
  const run::ProgramEnd end = Run();
  const artifacts::Manifest manifest = ManifestOf(directory() / "out");
  const artifacts::StageRecord stage = *artifacts::Manifest(manifest).Find(act.tool);
  EXPECT_EQ(stage.state, act.state) << end.err;
  EXPECT_EQ(stage.outcome, act.outcome) << end.err;
  EXPECT_EQ(end.exit_code, act.state == State::kDone ? 0 : 1) << end.err;
  EXPECT_THAT(Said(stage), HasSubstr(act.message));
  EXPECT_THAT(Said(stage), testing::Not(HasSubstr("EmptyReport")));
  size_t captures = 0;
  for (const artifacts::ProcessRecord& process : stage.processes) {
    captures += process.purpose.find("page") == std::string::npos &&
                        process.purpose.find("export") == std::string::npos &&
                        process.purpose.find("stats") == std::string::npos
                    ? 1
                    : 0;
  }
  EXPECT_EQ(captures, act.captures);
  if (HasFailure()) Count(Harm::kLied);
  CountLeaks();
}

INSTANTIATE_TEST_SUITE_P(All, Tools, testing::ValuesIn(kActs), [](const auto& named) {
  const std::string which =
      named.param.workload == std::string_view("exit 7") ? "_with_failing_workload" : "";
  return std::string(named.param.tool) + "_" + named.param.name + which;
});

}  // namespace
}  // namespace ridgeline::hostile
