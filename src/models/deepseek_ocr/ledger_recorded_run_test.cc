// Checks the numbers in docs/flops.md: a recorded run on an RTX 5090, and the results of
// other formulas for the same shapes.
#include <gtest/gtest.h>

#include "models/deepseek_ocr/ledger.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

using cost::Cost;

constexpr double kPeakFlopsPerS = 209.5e12;  // BF16, f32 sums, dense.
constexpr double kPeakBytesPerS = 1792e9;

// 2 x 3 crops: 903 image tokens and 10 of text. The length follows from the recorded MFU
// of its prefill, 0.021011 in 0.098336 s: by the earlier tool's formula,
//   12 * (4 * 1280 * 6848 + 2 * 1280 * 1280) * n + 12 * 2 * 1280 * n * (n + 1) / 2,
// it is only met by n = 913; 912 and 914 are off by more than 1e-5.
constexpr uint64_t kPromptTokens = 913;

// The vendor's routers are read in bf16.
Ledger RecordedRun() {
  SampleShape shapes = ShapesOfPage({.cols = 2, .rows = 3}, {}, 10).value();
  shapes.decode_steps = 64;
  shapes.bytes.router_weights = 2;
  return MakeLedger(Dimensions(), shapes).value();
}

TEST(RecordedRun, DecodesSoManyFlopsAndBytes) {
  const Ledger ledger = RecordedRun();
  const Cost& decode = ledger.phase("decode").cost;
  // Active parameters without 25 norms of 1280, at one multiplication and one addition
  // each.
  constexpr uint64_t kPerStep = 2 * (574'127'360 - 25 * 1280);
  // Scores and values: 12 layers of 1280, over tokens 914 to 977.
  constexpr uint64_t kTokensSeen = 64 * kPromptTokens + 64 * 65 / 2;
  static_assert(kPerStep == 1'148'190'720 && kTokensSeen == 60'512);
  EXPECT_EQ(decode.flops_matrix().executed.value(),
            64 * kPerStep + uint64_t{4} * 12 * 1280 * kTokensSeen);
  EXPECT_EQ(decode.flops_matrix().executed.value(), 77'202'063'360U);
  EXPECT_EQ(decode.flops_matrix().useful, decode.flops_matrix().executed);

  // All active parameters, and a row of the embeddings.
  EXPECT_EQ(decode.bytes.weights_read.value(), uint64_t{64} * 2 * (574'127'360 + 1280));
  EXPECT_EQ(decode.bytes.kv_read.value(), 61'440 * kTokensSeen);
  EXPECT_EQ(decode.bytes.kv_written.value(), 61'440U * 64);
  EXPECT_EQ(decode.bytes.compulsory().value(), 77'210'255'360U);
}

TEST(RecordedRun, UsesSoMuchOfTheDevice) {
  const Ledger ledger = RecordedRun();
  const double flops = ledger.phase("decode").cost.flops_matrix().executed.as_double();
  const double bytes = ledger.phase("decode").cost.bytes.compulsory().as_double();
  constexpr double kWall_s = 0.707379;
  EXPECT_NEAR(flops / kWall_s / kPeakFlopsPerS, 0.000521, 5e-7);
  EXPECT_NEAR(bytes / kWall_s / kPeakBytesPerS, 0.0609, 5e-5);
  constexpr double kKernels_s = 0.179072697;
  EXPECT_NEAR(flops / kKernels_s / kPeakFlopsPerS, 0.00206, 5e-6);
  EXPECT_NEAR(bytes / kKernels_s / kPeakBytesPerS, 0.241, 5e-4);
  EXPECT_NEAR(bytes / kPeakBytesPerS, 0.0431, 5e-5);  // Seconds; lower bound.
}

TEST(RecordedRun, CountsOfThePageInTheTable) {
  const Ledger ledger = RecordedRun();
  EXPECT_EQ(ledger.phase("vision").cost.flops_matrix().executed.value(),
            3'468'866'060'288U);
  EXPECT_EQ(ledger.phase("vision").cost.flops_matrix().useful.value(),
            3'392'143'523'840U);
  EXPECT_EQ(ledger.phase("prefill").cost.flops_matrix().executed.value(),
            778'758'451'200U);
  EXPECT_EQ(ledger.phase("prefill").cost.flops_matrix().useful.value(), 772'100'812'800U);
  EXPECT_EQ(ledger.kv_cache_bytes.value(), 60'026'880U);
  EXPECT_EQ(ledger.peak_bytes("vision").value(), 441'286'656U);
  EXPECT_EQ(ledger.peak_bytes("prefill").value(), 59'366'912U);
}

}  // namespace
}  // namespace ridgeline::models::deepseek_ocr
