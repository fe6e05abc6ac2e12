#include "hardware/gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hardware/match_gpu.h"

namespace ridgeline::hardware {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(GpuTest, ReadsEverythingThatACardTells) {
  const GpuSurvey survey = SurveyGpus(RIDGELINE_FAKE_NVML);
  ASSERT_EQ(survey.outcome, GpuSurvey::Outcome::kFound) << survey.reason;
  EXPECT_EQ(survey.driver_version, "535.161.08");
  EXPECT_EQ(survey.cuda_driver_version, "12.2");
  ASSERT_EQ(survey.gpus.size(), 2U);
  const Gpu& gpu = survey.gpus[0];
  EXPECT_EQ(gpu.index, 0);
  EXPECT_EQ(gpu.name, "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(gpu.uuid, "GPU-11111111-2222-3333-4444-555555555555");
  EXPECT_EQ(gpu.pci_bus_id, "00000000:3B:00.0");
  EXPECT_EQ(gpu.pci_device_id, 0x20B210DEU);
  EXPECT_EQ(gpu.pci_subsystem_id, 0x146310DEU);
  EXPECT_EQ(gpu.capability, (Capability{8, 0}));
  EXPECT_EQ(gpu.core_count, 6912);
  EXPECT_EQ(gpu.sm_count, 108);
  EXPECT_EQ(gpu.memory_total_bytes, int64_t{80} << 30);
  EXPECT_EQ(gpu.memory_used_bytes, int64_t{1} << 30);
  EXPECT_EQ(gpu.sm_clock_hz, 1'095'000'000);
  EXPECT_EQ(gpu.sm_clock_max_hz, 1'410'000'000);
  EXPECT_EQ(gpu.memory_clock_hz, 1'593'000'000);
  EXPECT_EQ(gpu.memory_clock_max_hz, 1'593'000'000);
  EXPECT_EQ(gpu.power_limit_w, 400.0);
  EXPECT_EQ(gpu.temperature_celsius, 41);
  EXPECT_EQ(gpu.persistence_mode, true);
  EXPECT_EQ(gpu.compute_mode, "exclusive process");
  EXPECT_EQ(gpu.ecc, true);
  EXPECT_EQ(gpu.mig, false);
  EXPECT_THAT(*gpu.throttle_reasons, ElementsAre("applications clocks setting"));
  EXPECT_EQ(gpu.ClocksAreSet(), true);
}

TEST(GpuTest, LeavesEmptyWhatACardDoesNotSupport) {
  const GpuSurvey survey = SurveyGpus(RIDGELINE_FAKE_NVML);
  ASSERT_EQ(survey.gpus.size(), 2U);
  const Gpu& gpu = survey.gpus[1];
  EXPECT_EQ(gpu.name, "NVIDIA GeForce GT 1030");
  EXPECT_EQ(gpu.pci_subsystem_id, std::nullopt);
  EXPECT_EQ(gpu.capability, std::nullopt);
  EXPECT_EQ(gpu.core_count, std::nullopt);
  EXPECT_EQ(gpu.sm_count, std::nullopt);
  EXPECT_EQ(gpu.sm_clock_hz, std::nullopt);
  EXPECT_EQ(gpu.power_limit_w, std::nullopt);
  EXPECT_EQ(gpu.ecc, std::nullopt);
  EXPECT_EQ(gpu.mig, std::nullopt);
  EXPECT_EQ(gpu.persistence_mode, false);
  EXPECT_EQ(gpu.ClocksAreSet(), std::nullopt) << "an idle card does not show it";
}

TEST(GpuTest, LeavesEmptyWhatAnOldDriverCannotTell) {
  const GpuSurvey survey = SurveyGpus(RIDGELINE_FAKE_NVML_OLD);
  ASSERT_EQ(survey.outcome, GpuSurvey::Outcome::kFound) << survey.reason;
  const Gpu& gpu = survey.gpus[0];
  EXPECT_EQ(gpu.name, "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(gpu.pci_device_id, 0x20B210DEU);
  EXPECT_EQ(gpu.capability, std::nullopt);
  EXPECT_EQ(gpu.core_count, std::nullopt);
  EXPECT_EQ(gpu.sm_count, std::nullopt);
}

// The fake's card is found in the table by the properties the fake reports.
TEST(GpuTest, IsFoundInTheTable) {
  for (const char* library : {RIDGELINE_FAKE_NVML, RIDGELINE_FAKE_NVML_OLD}) {
    const GpuSurvey survey = SurveyGpus(library);
    ASSERT_FALSE(survey.gpus.empty());
    const DeviceMatch match = MatchDevice(FactsOf(survey.gpus[0]));
    ASSERT_TRUE(std::holds_alternative<KnownDevice>(match));
    EXPECT_EQ(std::get<KnownDevice>(match).ceiling->name, "A100 SXM4 80GB");
  }
}

TEST(GpuTest, TellsADriverThatIsNotThereFromOneWithoutCards) {
  struct Case {
    const char* what;
    const char* library;
    GpuSurvey::Outcome want;
    const char* reason;
  };
  const Case cases[] = {
      {"no library", "/no/such/libnvidia-ml.so.1", GpuSurvey::Outcome::kNoDriver,
       "/no/such/libnvidia-ml.so.1: cannot open shared object file"},
      {"not NVML", "libm.so.6", GpuSurvey::Outcome::kNoDriver,
       "libm.so.6: not a supported NVML library"},
      {"library without a driver", RIDGELINE_FAKE_NVML_NO_DRIVER,
       GpuSurvey::Outcome::kNoDriver, "Driver Not Loaded"},
      {"driver without a card", RIDGELINE_FAKE_NVML_NO_GPU, GpuSurvey::Outcome::kNoDevice,
       "the driver reports no GPU"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const GpuSurvey survey = SurveyGpus(c.library);
    EXPECT_EQ(survey.outcome, c.want);
    EXPECT_THAT(survey.reason, HasSubstr(c.reason));
    EXPECT_TRUE(survey.gpus.empty());
  }
}

}  // namespace
}  // namespace ridgeline::hardware
