#include "artifacts/provenance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/testing/fake_process_runner.h"

namespace ridgeline::artifacts {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(ProvenanceTest, KeepsKnownVariablesAndNeverASecret) {
  const Variables variables = KeepKnownVariables({
      {"PATH", "/usr/bin"},
      {"OMP_NUM_THREADS", "2"},
      {"SLURM_JOB_ID", "42"},
      {"RIDGELINE_X", "1"},
      // Dropped, although their prefixes are known.
      {"SLURM_JWT", "eyJ"},
      {"TORCH_API_KEY", "x"},
      {"HYDRA_TOKEN", "x"},
      {"XDG_SESSION_COOKIE", "x"},
      {"RIDGELINE_DB_PASSWORD", "x"},
      // Unknown.
      {"HF_TOKEN", "hf_x"},
      {"PATHS", "x"},
      {"MY_OMP_X", "x"},
      {"HOME", "/home/me"},
  });
  EXPECT_THAT(variables.kept,
              ElementsAre(Pair("OMP_NUM_THREADS", "2"), Pair("PATH", "/usr/bin"),
                          Pair("RIDGELINE_X", "1"), Pair("SLURM_JOB_ID", "42")));
  EXPECT_EQ(variables.left_out, 9);
}

TEST(ProvenanceTest, CollectsFromMachineToolsAndRepository) {
  os::FakeProcessRunner processes;
  processes.Reply("git -c", {.output = "# branch.oid abc\n# branch.head main\n"});
  processes.Reply("/bin/nsys --version",
                  {.output = "NVIDIA Nsight Systems version 2022.4.2.1-df9881f\n"});
  ProvenanceRequest request = {
      .ridgeline_version = "0.1.0",
      .time = "2024-03-05T14:07:09.000+00:00",
      .directory = "/data",
      .environment = {{"LANG", "C"}, {"USER", "me"}},
      .search = {.files = hardware::SystemFiles(std::string(RIDGELINE_TESTS_DIR) +
                                                "/data/machines/gpu_server"),
                 .find = [](const std::string& name) -> Result<std::filesystem::path> {
                   if (name == "nsys") return std::filesystem::path("/bin/nsys");
                   return Error(ErrorCode::kNotFound, name + ": not found");
                 }},
      .nvml_library = "/no/such/library"};
  const Provenance provenance = CollectProvenance(processes, request);
  EXPECT_EQ(provenance.ridgeline_version, "0.1.0");
  EXPECT_EQ(provenance.machine.host, "node17");
  EXPECT_EQ(provenance.limits.cgroup_cpus, 2.5);
  EXPECT_EQ(provenance.permissions.gpu_counters_admin_only, true);
  EXPECT_EQ(provenance.tools.Find("nsys")->version, "2022.4.2.1-df9881f");
  EXPECT_EQ(provenance.git.commit, "abc");
  EXPECT_EQ(provenance.gpus.outcome, hardware::GpuSurvey::Outcome::kNoDriver);
  EXPECT_EQ(provenance.variables.left_out, 1);
  EXPECT_EQ(processes.commands().size(), 2U) << "nothing is asked twice";

  request.directory.clear();
  EXPECT_FALSE(CollectProvenance(processes, request).git.known());
  EXPECT_EQ(processes.commands().size(), 3U) << "only nsys";
}

}  // namespace
}  // namespace ridgeline::artifacts
