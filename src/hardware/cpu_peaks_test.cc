#include "hardware/cpu_peaks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <vector>

#include "hardware/cpu_peak_kernels.h"

namespace ridgeline::hardware {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

void ExpectSane(const Rate& rate) {
  EXPECT_TRUE(std::isfinite(rate.best_per_s));
  EXPECT_GT(rate.worst_per_s, 0);
  EXPECT_GE(rate.best_per_s, rate.worst_per_s);
  EXPECT_GE(rate.rounds, 3);
  EXPECT_GE(rate.Spread(), 0);
  EXPECT_LT(rate.Spread(), 1);
}

// The values depend on the machine; only their presence is checked.
TEST(MeasuredRoofsTest, MeasuresEverythingMoreThanOnce) {
  for (const int threads : {1, 3}) {
    SCOPED_TRACE(threads);
    const Result<MeasuredPeaks> ceilings = MeasurePeaks({.threads = threads,
                                                         .buffer_bytes = 4 << 20,
                                                         .cache_bytes = 1 << 20,
                                                         .time_total = milliseconds(20)});
    ASSERT_TRUE(ceilings.ok()) << ceilings.error().message();
    EXPECT_EQ(ceilings.value().threads, threads);
    EXPECT_EQ(ceilings.value().instructions, FmaKernels().front().instructions);
    EXPECT_TRUE(ceilings.value().exceeds_cache);
    ExpectSane(ceilings.value().fma_flops);
    ExpectSane(ceilings.value().read_bytes);
    ExpectSane(ceilings.value().copy_bytes);
    ExpectSane(ceilings.value().triad_bytes);
  }
}

TEST(MeasuredRoofsTest, SaysWhenTheBufferFitsIntoCaches) {
  MeasureOptions options = {.threads = 1,
                            .buffer_bytes = 1 << 20,
                            .cache_bytes = 1 << 20,
                            .time_total = milliseconds(1)};
  EXPECT_FALSE(MeasurePeaks(options).value().exceeds_cache);
  options.cache_bytes = 0;
  EXPECT_FALSE(MeasurePeaks(options).value().exceeds_cache) << "not known is not small";
}

TEST(MeasuredRoofsTest, RefusesToMeasureNothing) {
  EXPECT_EQ(MeasurePeaks({.threads = 0, .buffer_bytes = 1}).error().code(),
            ErrorCode::kConfig);
  EXPECT_EQ(MeasurePeaks({.threads = 1, .buffer_bytes = 0}).error().code(),
            ErrorCode::kConfig);
}

TEST(MeasuredRoofsTest, CanDoWithATinyBuffer) {
  const Result<MeasuredPeaks> ceilings =
      MeasurePeaks({.threads = 2, .buffer_bytes = 1, .time_total = milliseconds(1)});
  ASSERT_TRUE(ceilings.ok());
  ExpectSane(ceilings.value().triad_bytes);
}

TEST(RoofKernelsTest, EveryKernelOfThisCpuSumsTowardsTwelve) {
  ASSERT_FALSE(FmaKernels().empty());
  EXPECT_EQ(FmaKernels().back().instructions, "portable");
  for (const FmaKernel& kernel : FmaKernels()) {
    SCOPED_TRACE(kernel.instructions);
    EXPECT_GT(kernel.flop_per_iteration, 0);
    EXPECT_FLOAT_EQ(kernel.run(0, 2), 2 * 66) << "0 + 1 + ... + 11";
    EXPECT_FLOAT_EQ(kernel.run(1, 0), 12 * 0.25F);
    EXPECT_FLOAT_EQ(kernel.run(1, 2), 2 * 66 * 0.75F + 12 * 0.25F);
    EXPECT_FLOAT_EQ(kernel.run(1000, 2), 12);
  }
}

TEST(RoofKernelsTest, MemoryKernelsTouchEveryElement) {
  std::vector<float> a(37, 1), b(37, 2), c(37, 4);
  Triad(a, b, c);
  EXPECT_EQ(a, std::vector<float>(37, 5));
  Copy(a, b);
  EXPECT_EQ(b, a);
  Fill(b);
  EXPECT_EQ(b, std::vector<float>(37, 1));
  const uint32_t before = ReadAll(b);
  b.back() = 3;
  EXPECT_NE(ReadAll(b), before);
}

class CachesTest : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(root_); }
  void TearDown() override { fs::remove_all(root_); }

  struct Cache {
    int level;
    const char* size;
    const char* shared;
  };
  void Write(const std::string& cpu, const std::vector<Cache>& caches) {
    for (size_t i = 0; i < caches.size(); ++i) {
      const fs::path cache = root_ / "sys/devices/system/cpu" / cpu / "cache" /
                             ("index" + std::to_string(i));
      fs::create_directories(cache);
      std::ofstream(cache / "level") << caches[i].level << "\n";
      std::ofstream(cache / "size") << caches[i].size << "\n";
      std::ofstream(cache / "shared_cpu_list") << caches[i].shared << "\n";
    }
  }
  SystemFiles files() const { return SystemFiles(root_); }

 private:
  fs::path root_ = fs::path(testing::TempDir()) /
                   testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(CachesTest, CountsEachLastCacheOnce) {
  Write("cpu0", {{1, "32K", "0"}, {2, "1M", "0"}, {3, "32768K", "0-1"}});
  Write("cpu1", {{1, "32K", "1"}, {2, "1M", "1"}, {3, "32768K", "0-1"}});
  Write("cpu2", {{1, "32K", "2"}, {2, "1M", "2"}, {3, "16384K", "2"}});
  EXPECT_EQ(LastCacheBytes(files()), 48LL << 20);
}

TEST_F(CachesTest, KnowsNoCacheWhereTheSystemTellsNone) {
  EXPECT_EQ(LastCacheBytes(files()), 0);
  Write("cpu0", {{2, "lots", "0"}});
  EXPECT_EQ(LastCacheBytes(files()), 0);
}

TEST_F(CachesTest, PlansBuffersPastTheCachesWithinTheMemory) {
  Write("cpu0", {{3, "32M", "0-1"}});
  Machine machine;
  machine.cpu.threads_available = 2;
  machine.memory.available_bytes = 8LL << 30;
  MeasureOptions options = PlanMeasurement(machine, files());
  EXPECT_EQ(options.threads, 2);
  EXPECT_EQ(options.cache_bytes, 32LL << 20);
  EXPECT_EQ(options.buffer_bytes, 256LL << 20);

  machine.memory.available_bytes = 400LL << 20;
  EXPECT_EQ(PlanMeasurement(machine, files()).buffer_bytes, 100LL << 20);

  options = PlanMeasurement(Machine(), SystemFiles("/nowhere"));
  EXPECT_EQ(options.threads, 1);
  EXPECT_EQ(options.buffer_bytes, 64LL << 20);
}

}  // namespace
}  // namespace ridgeline::hardware
