#include "inference/recorder/kineto_trace.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace ridgeline::inference {
namespace {

TEST(KinetoTrace, IsATraceOrSaysThatThisLibtorchHasNone) {
  const std::filesystem::path scratch =
      std::filesystem::path(testing::TempDir()) / "kineto_trace.json";
  const Result<std::string> trace = KinetoTrace({.shapes = true}, scratch, [] {
    at::mm(at::ones({2, 3}), at::ones({3, 4}));
    return Ok();
  });
  if (trace.ok()) {
    EXPECT_NE(trace.value().find("aten::mm"), std::string::npos);
  } else {
    EXPECT_EQ(trace.error().code(), ErrorCode::kUnsupported);
    EXPECT_NE(trace.error().message().find("Kineto"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(scratch));
}

}  // namespace
}  // namespace ridgeline::inference
