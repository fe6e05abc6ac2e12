#include "app/doctor/doctor_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace ridgeline::app {
namespace {

using hardware::Gpu;
using hardware::GpuSurvey;
using testing::HasSubstr;

// A machine without any problem.
DoctorFacts Healthy() {
  DoctorFacts facts;
  facts.config_directory = "/opt/ridgeline/conf";
  facts.device = "cuda:0";
  facts.inputs = 12;
  facts.disk = {.wanted = "/data/runs",
                .existing = "/data",
                .is_writable = true,
                .free_bytes = int64_t{100} << 30};
  artifacts::Provenance& found = facts.found;
  found.machine.cpu = {.model = "AMD EPYC",
                       .threads = 8,
                       .threads_available = 8,
                       .governor = "performance",
                       .has_counters = true};
  found.permissions = {.perf_event_paranoid = 1, .gpu_counters_admin_only = false};
  found.gpus = {.outcome = GpuSurvey::Outcome::kFound,
                .driver_version = "535.161.08",
                .cuda_driver_version = "12.2"};
  found.gpus.gpus = {
      {.index = 0,
       .name = "NVIDIA A100",
       .capability = hardware::Capability{8, 0},
       .sm_clock_max_hz = 1'410'000'000,
       .persistence_mode = true,
       .throttle_reasons = std::vector<std::string>{"applications clocks setting"}}};
  found.tools.all = {
      {.name = "nsys",
       .path = "/usr/bin/nsys",
       .version = "2022.4.2.1-df9881f",
       .version_numbers = {2022, 4, 2, 1}},
      {.name = "ncu",
       .path = "/usr/bin/ncu",
       .version = "2022.3.0.0",
       .version_numbers = {2022, 3, 0, 0}},
      {.name = "git",
       .path = "/usr/bin/git",
       .version = "2.39.5",
       .version_numbers = {2, 39, 5}},
      {.name = "nvidia-smi", .reason = "no program 'nvidia-smi' found in PATH"},
      {.name = "sbatch",
       .path = "/usr/bin/sbatch",
       .version = "22.05.8",
       .version_numbers = {22, 5, 8}}};
  found.tools.nsys_importer = hardware::NsysImporter{
      .expected = "/opt/nsys/host-linux-x64/QdstrmImporter", .is_in_place = true};
  found.libtorch = {.version = "2.13.0"};
  facts.libtorch = LibtorchBuild{.cuda = "12.8", .machine_code = {{8, 0}}, .gpus = 1};
  facts.slurm = SlurmFacts{
      .problem = "", .limits = {}, .partitions = {{"cpu", true, "up", "infinite", 2}}};
  return facts;
}

hardware::Tool& ToolOf(DoctorFacts& facts, std::string_view name) {
  for (hardware::Tool& tool : facts.found.tools.all) {
    if (tool.name == name) return tool;
  }
  ADD_FAILURE() << "no tool " << name;
  return facts.found.tools.all.front();
}

void LoseGpus(DoctorFacts& facts) {
  facts.found.gpus = {.outcome = GpuSurvey::Outcome::kNoDriver, .reason = "no NVML"};
}

// A single change to a healthy machine, and the check that must detect it.
struct CheckCase {
  std::string what;
  std::function<void(DoctorFacts&)> change;
  std::string subject;
  Verdict verdict;
  std::string finding;  // Substring.
  std::string fix;      // Substring; empty: there must be none.
};

void ExpectEach(const std::vector<CheckCase>& cases) {
  for (const CheckCase& c : cases) {
    SCOPED_TRACE(c.what);
    DoctorFacts facts = Healthy();
    c.change(facts);
    const std::vector<Check> checks = Diagnose(facts);
    const auto check = std::ranges::find(checks, c.subject, &Check::subject);
    ASSERT_NE(check, checks.end());
    EXPECT_EQ(check->verdict, c.verdict) << check->finding;
    EXPECT_THAT(check->finding, HasSubstr(c.finding));
    EXPECT_THAT(check->fix, HasSubstr(c.fix));
    EXPECT_EQ(check->fix.empty(), c.fix.empty()) << check->fix;
  }
}

TEST(DoctorChecksTest, FindsNothingWrongWithAHealthyMachine) {
  const std::vector<Check> checks = Diagnose(Healthy());
  std::set<std::string> subjects;
  for (const Check& check : checks) {
    EXPECT_EQ(check.verdict, Verdict::kOk) << check.subject << ": " << check.finding;
    EXPECT_EQ(check.fix, "") << check.subject;
    EXPECT_TRUE(subjects.insert(check.subject).second) << check.subject;
  }
  EXPECT_EQ(Worst(checks), Verdict::kOk);
}

TEST(DoctorChecksTest, NamesTheSameSubjectsOnEveryMachine) {
  DoctorFacts bare;
  for (const char* name : {"nsys", "ncu", "git", "nvidia-smi", "sbatch"}) {
    bare.found.tools.all.push_back({.name = name, .reason = "not here"});
  }
  const std::vector<Check> healthy = Diagnose(Healthy());
  const std::vector<Check> checks = Diagnose(bare);
  ASSERT_EQ(checks.size(), healthy.size());
  for (size_t i = 0; i < checks.size(); ++i) {
    EXPECT_EQ(checks[i].subject, healthy[i].subject);
    const bool needs_fix =
        checks[i].verdict == Verdict::kWarn || checks[i].verdict == Verdict::kFail;
    EXPECT_EQ(!checks[i].fix.empty(), needs_fix) << checks[i].subject;
  }
  EXPECT_EQ(Worst(checks), Verdict::kFail);
}

TEST(DoctorChecksTest, JudgesProfilers) {
  ExpectEach({
      {"not installed",
       [](DoctorFacts& facts) {
         ToolOf(facts, "nsys") = {.name = "nsys",
                                  .reason = "no program 'nsys' found in PATH"};
       },
       "nsys", Verdict::kFail,
       "no program 'nsys' found in PATH; the nsys stage will be skipped",
       "apt-get install --no-install-recommends nsight-systems nsight-compute"},
      {"installed where PATH does not lead",
       [](DoctorFacts& facts) {
         ToolOf(facts, "ncu") = {.name = "ncu",
                                 .reason = "no program 'ncu' found in PATH",
                                 .elsewhere = {"/opt/nvidia/nsight compute/ncu"}};
       },
       "ncu", Verdict::kFail, "installed as /opt/nvidia/nsight compute/ncu",
       "export PATH='/opt/nvidia/nsight compute':\"$PATH\""},
      {"there, but broken",
       [](DoctorFacts& facts) {
         ToolOf(facts, "nsys").reason = "--version: exit code 127";
       },
       "nsys", Verdict::kFail, "--version: exit code 127", "scripts/setup.sh nsight"},
      {"too old",
       [](DoctorFacts& facts) {
         ToolOf(facts, "nsys").version = "2020.3.4.32";
         ToolOf(facts, "nsys").version_numbers = {2020, 3, 4, 32};
       },
       "nsys", Verdict::kFail, "2020.3.4.32 (/usr/bin/nsys): too old",
       "install 2021.4 or newer"},
      {"newer than we know",
       [](DoctorFacts& facts) {
         ToolOf(facts, "ncu").version = "2024.3.2.0";
         ToolOf(facts, "ncu").version_numbers = {2024, 3, 2, 0};
       },
       "ncu", Verdict::kOk, "newer than 2022.3, the newest tested version", ""},
      {"a version that we cannot read",
       [](DoctorFacts& facts) {
         ToolOf(facts, "nsys").version.reset();
         ToolOf(facts, "nsys").version_numbers.clear();
       },
       "nsys", Verdict::kWarn, "version unknown", "nsys --version"},
  });
}

TEST(DoctorChecksTest, JudgesTheImporterOfNsys) {
  ExpectEach({
      {"where Debian puts it",
       [](DoctorFacts& facts) {
         facts.found.tools.nsys_importer = hardware::NsysImporter{
             .expected = "/usr/lib/a/nsight-systems/host-linux-x64/QdstrmImporter",
             .elsewhere = "/usr/lib/nsight-systems/host-linux-x64/QdstrmImporter"};
       },
       "nsys importer", Verdict::kWarn, "found in /usr/lib/nsight-systems/host-linux-x64",
       "sudo ln -s /usr/lib/nsight-systems/host-linux-x64 "
       "/usr/lib/a/nsight-systems/host-linux-x64"},
      {"nowhere",
       [](DoctorFacts& facts) {
         facts.found.tools.nsys_importer =
             hardware::NsysImporter{.expected = "/x/host-linux-x64/QdstrmImporter"};
       },
       "nsys importer", Verdict::kFail, "/x/host-linux-x64/QdstrmImporter not found",
       "apt-get install --no-install-recommends nsight-systems"},
      {"behind a script",
       [](DoctorFacts& facts) {
         facts.found.tools.nsys_importer = hardware::NsysImporter{};
       },
       "nsys importer", Verdict::kSkip, "nsys is a wrapper script", ""},
      {"without nsys",
       [](DoctorFacts& facts) { facts.found.tools.nsys_importer.reset(); },
       "nsys importer", Verdict::kSkip, "no nsys", ""},
  });
}

TEST(DoctorChecksTest, JudgesGpusByWhatTheConfigurationAsksFor) {
  ExpectEach({
      {"cuda without a driver", LoseGpus, "gpu", Verdict::kFail,
       "none (no NVML), but device=cuda:0 is configured",
       "set device=cpu (to try it: ridgeline run +preset=demo)"},
      {"cuda without a card",
       [](DoctorFacts& facts) {
         facts.found.gpus = {.outcome = GpuSurvey::Outcome::kNoDevice,
                             .reason = "no card"};
       },
       "gpu", Verdict::kFail, "none (no card)", "--gpus all"},
      {"cpu",
       [](DoctorFacts& facts) {
         LoseGpus(facts);
         facts.device = "cpu";
       },
       "gpu", Verdict::kSkip, "not needed by this configuration", ""},
      {"auto",
       [](DoctorFacts& facts) {
         LoseGpus(facts);
         facts.device = "auto";
       },
       "gpu", Verdict::kSkip, "not needed by this configuration", ""},
      {"a program of the user's",
       [](DoctorFacts& facts) {
         LoseGpus(facts);
         facts.runs_own_program = true;
       },
       "gpu", Verdict::kSkip, "not needed by this configuration", ""},
      {"what the driver tells",
       [](DoctorFacts& facts) {
         Gpu& gpu = facts.found.gpus.gpus[0];
         gpu.capability = hardware::Capability{8, 0};
         gpu.sm_count = 108;
         gpu.memory_total_bytes = int64_t{80} << 30;
       },
       "gpu", Verdict::kOk,
       "NVIDIA A100 (compute capability 8.0, 108 SMs, 80.0 GiB); driver 535.161.08", ""},
      {"several",
       [](DoctorFacts& facts) {
         std::vector<Gpu>& gpus = facts.found.gpus.gpus;
         gpus.push_back(gpus[0]);
         gpus.push_back({.index = 2});
       },
       "gpu", Verdict::kOk,
       "2 x NVIDIA A100 (compute capability 8.0), unnamed GPU; driver 535.161.08, CUDA "
       "12.2",
       ""},
  });
}

TEST(DoctorChecksTest, JudgesGpuSettings) {
  ExpectEach({
      {"persistence off",
       [](DoctorFacts& facts) { facts.found.gpus.gpus[0].persistence_mode = false; },
       "gpu persistence mode", Verdict::kWarn, "off on GPU 0",
       "sudo nvidia-smi --persistence-mode=1"},
      {"persistence without a GPU", LoseGpus, "gpu persistence mode", Verdict::kSkip,
       "no GPU", ""},
      {"clocks free",
       [](DoctorFacts& facts) {
         facts.found.gpus.gpus[0].throttle_reasons = std::vector<std::string>{};
       },
       "gpu clocks", Verdict::kWarn, "GPU 0 is not locked",
       "sudo nvidia-smi -i 0 --lock-gpu-clocks=1410,1410"},
      {"clocks not shown",
       [](DoctorFacts& facts) { facts.found.gpus.gpus[0].throttle_reasons.reset(); },
       "gpu clocks", Verdict::kWarn, "does not report whether clocks are locked",
       "--lock-gpu-clocks"},
      {"clocks without a GPU", LoseGpus, "gpu clocks", Verdict::kSkip, "no GPU", ""},
  });
}

TEST(DoctorChecksTest, JudgesPermissions) {
  ExpectEach({
      {"counters closed",
       [](DoctorFacts& facts) {
         facts.found.permissions.gpu_counters_admin_only = true;
         facts.found.permissions.cap_sys_admin = false;
       },
       "gpu counters", Verdict::kFail, "ERR_NVGPUCTRPERM",
       "NVreg_RestrictProfilingToAdminUsers=0 | sudo tee "
       "/etc/modprobe.d/nvidia-profiling.conf && sudo update-initramfs -u && sudo "
       "reboot"},
      {"counters closed in a container",
       [](DoctorFacts& facts) {
         facts.found.permissions.gpu_counters_admin_only = true;
         facts.found.permissions.cap_sys_admin = false;
         facts.found.machine.container = "docker";
       },
       "gpu counters", Verdict::kFail, "RmProfilingAdminOnly", "--cap-add=SYS_ADMIN"},
      {"counters closed, and we are the administrator",
       [](DoctorFacts& facts) {
         facts.found.permissions.gpu_counters_admin_only = true;
         facts.found.permissions.cap_sys_admin = true;
       },
       "gpu counters", Verdict::kOk, "this user is one", ""},
      {"no driver",
       [](DoctorFacts& facts) {
         facts.found.permissions.gpu_counters_admin_only.reset();
       },
       "gpu counters", Verdict::kSkip, "no NVIDIA driver", ""},
      {"sampling closed",
       [](DoctorFacts& facts) { facts.found.permissions.perf_event_paranoid = 3; },
       "cpu sampling", Verdict::kWarn, "kernel.perf_event_paranoid=3",
       "sudo sysctl kernel.perf_event_paranoid=2"},
      {"nothing to sample with",
       [](DoctorFacts& facts) { facts.found.machine.cpu.has_counters = false; },
       "cpu sampling", Verdict::kWarn, "no hardware counters",
       "pipeline.nsys.sample=none"},
      {"no events in the kernel",
       [](DoctorFacts& facts) { facts.found.permissions.perf_event_paranoid.reset(); },
       "cpu sampling", Verdict::kSkip, "no perf events", ""},
  });
}

TEST(DoctorChecksTest, JudgesConfigurationAndDisk) {
  ExpectEach({
      {"no configuration",
       [](DoctorFacts& facts) {
         facts.config_directory.clear();
         facts.config_problem = "no conf/config.yaml found near /usr/bin/ridgeline";
       },
       "configuration", Verdict::kFail, "no conf/config.yaml", "--config-path DIR"},
      {"a wrong one",
       [](DoctorFacts& facts) {
         facts.config_problem = "pipeline.nsys.tracee: no such key";
       },
       "configuration", Verdict::kFail, "no such key", "docs/configuration.md"},
      {"inputs that are there", [](DoctorFacts& facts) { facts.inputs = 1234; }, "inputs",
       Verdict::kOk, "1,234 files", ""},
      {"a checkpoint that is not there",
       [](DoctorFacts& facts) {
         facts.inputs_problem = "model.path: no such directory";
         facts.inputs_fix = "ridgeline run +preset=demo";
       },
       "inputs", Verdict::kFail, "model.path: no such directory", "+preset=demo"},
      {"a dataset that cannot be listed",
       [](DoctorFacts& facts) { facts.inputs_problem = "dataset.root: I/O error"; },
       "inputs", Verdict::kFail, "I/O error", "--dry-run"},
      {"inputs that are not known",
       [](DoctorFacts& facts) { facts.inputs = std::nullopt; }, "inputs", Verdict::kSkip,
       "unknown", ""},
      {"a directory that is not there and not known",
       [](DoctorFacts& facts) { facts.disk = {}; }, "run directory", Verdict::kSkip,
       "unknown", ""},
      {"a directory that is closed",
       [](DoctorFacts& facts) { facts.disk.is_writable = false; }, "run directory",
       Verdict::kFail, "/data/runs: no write permission for /data", "hydra.run.dir=DIR"},
      {"little space",
       [](DoctorFacts& facts) { facts.disk.free_bytes = int64_t{2} << 30; }, "disk space",
       Verdict::kWarn, "2.0 GiB free in /data", "hydra.run.dir=DIR"},
      {"no space", [](DoctorFacts& facts) { facts.disk.free_bytes = 1000; }, "disk space",
       Verdict::kFail, "0.0 GiB free", "hydra.run.dir=DIR"},
  });
}

TEST(DoctorChecksTest, JudgesTheRest) {
  ExpectEach({
      {"a clock that follows the load",
       [](DoctorFacts& facts) { facts.found.machine.cpu.governor = "powersave"; }, "cpu",
       Verdict::kWarn, "AMD EPYC, 8 of 8 threads; governor powersave",
       "sudo cpupower frequency-set --governor performance"},
      {"less time than threads",
       [](DoctorFacts& facts) { facts.found.limits.cgroup_cpus = 2.5; }, "cpu",
       Verdict::kWarn, "cgroup CPU quota 2.5", "export OMP_NUM_THREADS=2"},
      {"a governor that is not told",
       [](DoctorFacts& facts) { facts.found.machine.cpu.governor.reset(); }, "cpu",
       Verdict::kOk, "8 of 8 threads", ""},
      {"no git",
       [](DoctorFacts& facts) {
         ToolOf(facts, "git") = {.name = "git",
                                 .reason = "no program 'git' found in PATH"};
       },
       "git", Verdict::kWarn, "no program 'git' found in PATH", "apt-get install git"},
      {"no Slurm",
       [](DoctorFacts& facts) {
         ToolOf(facts, "sbatch") = {.name = "sbatch",
                                    .reason = "no program 'sbatch' found in PATH"};
       },
       "slurm", Verdict::kSkip, "needed only to submit jobs", ""},
      {"an sbatch that does not work",
       [](DoctorFacts& facts) {
         ToolOf(facts, "sbatch").reason = "--version: exit code 1: sbatch: error: x";
       },
       "slurm", Verdict::kSkip, "sbatch --version: exit code 1: sbatch: error: x", ""},
      {"a Slurm client without a cluster",
       [](DoctorFacts& facts) {
         facts.slurm = SlurmFacts{
             .problem = "scontrol: fatal: Could not establish a configuration source"};
       },
       "slurm", Verdict::kSkip, "no cluster is configured (no slurm.conf)", ""},
      {"a controller that does not answer",
       [](DoctorFacts& facts) {
         facts.slurm = SlurmFacts{.problem = "scontrol: Unable to contact"};
       },
       "slurm", Verdict::kWarn, "the controller does not answer: scontrol: Unable",
       "see scontrol ping, and SLURM_CONF"},
      {"a cluster without partitions",
       [](DoctorFacts& facts) { facts.slurm = SlurmFacts{}; }, "slurm", Verdict::kWarn,
       "no partition that you may use", "see sinfo, and ask for an account"},
      {"a cluster",
       [](DoctorFacts& facts) {
         facts.slurm = SlurmFacts{
             .problem = "",
             .limits = {.max_array_size = 1001, .has_accounting = true, .version = ""},
             .partitions = {{"cpu", true, "up", "infinite", 1},
                            {"gpu", false, "down", "1-00:00:00", 16}}};
       },
       "slurm", Verdict::kOk,
       "; partitions cpu (default, 1 node), gpu (16 nodes, down, at most 1-00:00:00); "
       "arrays of at most 1,001 jobs; accounting",
       ""},
      {"no libtorch",
       [](DoctorFacts& facts) {
         facts.found.libtorch = {.reason = "not part of this build"};
       },
       "libtorch", Verdict::kSkip, "not part of this build", ""},
  });
}

TEST(DoctorChecksTest, SaysWhetherLibtorchCanUseTheGpu) {
  const auto built_for = [](std::vector<hardware::Capability> machine_code,
                            std::vector<hardware::Capability> ptx) {
    return [=](DoctorFacts& facts) {
      facts.libtorch->machine_code = machine_code;
      facts.libtorch->ptx = ptx;
    };
  };
  ExpectEach({
      {"healthy", [](DoctorFacts&) {}, "libtorch", Verdict::kOk,
       "2.13.0 for CUDA 12.8, sees 1 GPU", ""},
      {"a build for CPUs beside a GPU",
       [](DoctorFacts& facts) { facts.libtorch = LibtorchBuild{}; }, "libtorch",
       Verdict::kFail, "2.13.0 is a build for CPUs, but device=cuda:0 is configured",
       "make run TORCH=pip"},
      {"a build for CPUs, and the model runs on the CPU",
       [](DoctorFacts& facts) {
         facts.libtorch = LibtorchBuild{};
         facts.device = "cpu";
       },
       "libtorch", Verdict::kOk, "2.13.0 for CPUs", ""},
      {"a build for CPUs, and the program is the user's",
       [](DoctorFacts& facts) {
         facts.libtorch = LibtorchBuild{};
         facts.runs_own_program = true;
       },
       "libtorch", Verdict::kOk, "2.13.0 for CPUs", ""},
      {"a build for CPUs, no GPU",
       [](DoctorFacts& facts) {
         facts.libtorch = LibtorchBuild{};
         LoseGpus(facts);
       },
       "libtorch", Verdict::kOk, "2.13.0 for CPUs", ""},
      {"does not see it", [](DoctorFacts& facts) { facts.libtorch->gpus = 0; },
       "libtorch", Verdict::kFail, "2.13.0 for CUDA 12.8 sees no GPU; this machine has 1",
       "CUDA_VISIBLE_DEVICES"},
      {"too new a GPU", built_for({{7, 0}, {7, 5}}, {}), "libtorch", Verdict::kFail,
       "has no code for compute capability 8.0 (built for 7.0, 7.5)", "TORCH_VERSION"},
      {"another minor version", built_for({{8, 6}}, {}), "libtorch", Verdict::kFail,
       "has no code for compute capability 8.0", "TORCH_VERSION"},
      {"compiled when it is loaded", built_for({{7, 0}}, {{7, 5}}), "libtorch",
       Verdict::kOk, "sees 1 GPU", ""},
      {"architectures that are not known", built_for({}, {}), "libtorch", Verdict::kOk,
       "sees 1 GPU", ""},
      {"does not start",
       [](DoctorFacts& facts) { facts.libtorch = LibtorchBuild{.problem = "exit 127"}; },
       "libtorch", Verdict::kFail, "does not start: exit 127", "make run"},
  });
}

TEST(DoctorChecksTest, ReadsTheVersionOfTheModelProgram) {
  const LibtorchBuild cuda = ParseLibtorchBuild(
      "libtorch 2.9.1\ncuda 12.8\narchitectures sm_75 sm_120 sm_90a compute_90\ngpus "
      "2\n");
  EXPECT_EQ(cuda.cuda, "12.8");
  EXPECT_EQ(cuda.gpus, 2);
  EXPECT_EQ(cuda.machine_code,
            (std::vector<hardware::Capability>{{7, 5}, {12, 0}, {9, 0}}));
  EXPECT_EQ(cuda.ptx, (std::vector<hardware::Capability>{{9, 0}}));
  const LibtorchBuild cpu = ParseLibtorchBuild("libtorch 1.13.1\ncuda none\ngpus 0\n");
  EXPECT_EQ(cpu.cuda, "");
  EXPECT_EQ(cpu.problem, "");
  EXPECT_NE(ParseLibtorchBuild("usage: ...\n").problem, "");
}

}  // namespace
}  // namespace ridgeline::app
