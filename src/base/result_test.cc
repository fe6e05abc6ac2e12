#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace ridgeline {
namespace {

Result<int> Half(int n) {
  if (n % 2 != 0) {
    return Error(ErrorCode::kConfig, std::to_string(n) + " is odd");
  }
  return n / 2;
}

Result<int> Quarter(int n) {
  RIDGELINE_TRY(const int half, Half(n));
  RIDGELINE_TRY(const int quarter, Half(half));
  return quarter;
}

Status CheckEven(int n) {
  RIDGELINE_RETURN_IF_ERROR(Half(n));
  return Ok();
}

TEST(ResultTest, TryBindsTheValue) { EXPECT_EQ(Quarter(12).value(), 3); }

TEST(ResultTest, TryReturnsTheFirstError) {
  const Result<int> result = Quarter(6);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kConfig);
  EXPECT_EQ(result.error().message(), "3 is odd");
}

TEST(ResultTest, ReturnIfErrorGoesOnWhenThereIsNone) {
  EXPECT_TRUE(CheckEven(4).ok());
  EXPECT_FALSE(CheckEven(5).ok());
}

TEST(ResultTest, WhileReadsFromTheOutsideIn) {
  const Error error =
      Error(ErrorCode::kParse, "no header").While("reading a.csv").While("stage ncu");
  EXPECT_EQ(error.message(), "stage ncu: reading a.csv: no header");
  EXPECT_EQ(error.code(), ErrorCode::kParse);
}

TEST(ResultTest, HoldsWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  ASSERT_TRUE(result.ok());
  const std::unique_ptr<int> owned = std::move(result).value();
  EXPECT_EQ(*owned, 7);
}

TEST(ResultTest, ARoomMayBringItsOwnReason) {
  struct Reason {
    int line = 0;
  };
  const auto parse = [](bool good) -> Result<std::string, Reason> {
    if (!good) return Reason{.line = 3};
    return std::string("text");
  };
  EXPECT_EQ(parse(true).value(), "text");
  EXPECT_EQ(parse(false).error().line, 3);
}

}  // namespace
}  // namespace ridgeline
